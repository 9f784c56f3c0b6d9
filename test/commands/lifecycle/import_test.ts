import { makeClaudeMemDatabase } from "../../intake/sources/database/claude_mem_database.ts";
import assert from "node:assert/strict";
import { isRecord } from "../../../src/core/rows/record.ts";
import { readRecords } from "../../../src/recall/distil/read_records.ts";
import { sourceNames } from "../../../src/intake/import/source_table.ts";
import type { Receipt } from "../../../src/intake/import/receipt.ts";
import {
  makeCrushDatabase,
  makeGooseDatabase,
  makeKiroDatabase,
  makeZedDatabase,
} from "../../intake/sources/database/agent_databases.ts";
import {
  makeCursorDatabases,
  makeOpencodeDatabase,
} from "../../intake/sources/database/databases.ts";
import { plantedSecret } from "../../intake/sources/conformance.ts";
import { fixtureRoot, readFixtures } from "../../support/fixtures.ts";
import { spawnCtx } from "../../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { copyTree, snapshotTree } from "../../support/stores/tree.ts";
import { fromFileUrl } from "../../../src/core/platform_path.ts";

const samples = fromFileUrl(new URL("../../samples", import.meta.url));

interface Imported {
  entries: number;
  sessions: number;
  sources: Receipt[];
}

Deno.test("import brings in every fixture, and a second time nothing", async () => {
  for (const { path, source } of readFixtures()) {
    await using t = await tempStore();
    const root = `${fixtureRoot}/${path}`;
    const input = { sources: [source], root, all_projects: true };
    const before = Deno.statSync(root).isDirectory ? snapshotTree(root) : Deno.readFileSync(root);
    const first = await t.run<Imported>("import", input);
    const [receipt] = first.sources;
    assert.ok(first.entries > 0 || receipt.messages_kept === 0, path);
    assert.ok(receipt.messages_kept <= receipt.messages, path);
    // What cannot be saved of a damaged line is lost, and its file is named.
    const lost = /(?:truncated-splice|malformed|missing_meta)\.jsonl$/.test(path) ? [path] : [];
    const named = receipt.problems.map((problem) => problem.path.replace(/^.*\/fixtures\//, ""));
    assert.deepEqual(named, lost, path);
    assert.equal(saidIn(t).length, first.entries, path);
    const again = await t.run<Imported>("import", input);
    assert.equal(again.entries, 0, path);
    assert.equal(saidIn(t).length, first.entries, path);
    const after = Deno.statSync(root).isDirectory ? snapshotTree(root) : Deno.readFileSync(root);
    assert.deepEqual(after, before, path);
  }
});

for (
  const [source, before, after, name] of [
    [
      "claude-code",
      "codemie-code/claude/incremental-simple/turn-1.jsonl",
      "codemie-code/claude/incremental-simple/turn-2.jsonl",
      "s.jsonl",
    ],
    [
      "claude-code",
      "codemie-code/claude/incremental-subagents/turn-1.jsonl",
      "codemie-code/claude/incremental-subagents/turn-2.jsonl",
      "s.jsonl",
    ],
    [
      "codex",
      "codemie-code/incremental/turn-1.jsonl",
      "codemie-code/incremental/turn-2.jsonl",
      "rollout-s.jsonl",
    ],
  ]
) {
  Deno.test(`import of ${after} after ${before.replace(/.*\//, "")} brings only the difference`, async () => {
    if (readFixtures().length === 0) return;
    await using t = await tempStore();
    await using whole = await tempStore();
    const root = `${t.workspace}/history`;
    Deno.mkdirSync(root);
    const input = { sources: [source], root, all_projects: true };
    const copy = (path: string) =>
      Deno.copyFileSync(`${fixtureRoot}/${source}/${path}`, `${root}/${name}`);
    copy(before);
    const first = await t.run<Imported>("import", input);
    copy(after);
    const second = await t.run<Imported>("import", input);
    const all = await whole.run<Imported>("import", input);
    assert.ok(second.entries > 0 && first.entries > 0);
    assert.equal(second.sources[0].superseded, 0);
    assert.equal(first.entries + second.entries, all.entries);
    assert.deepEqual(saidIn(t), saidIn(whole));
    assert.deepEqual(
      recordsIn(t),
      recordsIn(whole),
      "records do not tell that it came in two parts",
    );
  });
}

Deno.test("import takes the sessions of this workspace, its subdirectories and worktrees", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/history`;
  Deno.mkdirSync(root);
  Deno.mkdirSync(`${t.workspace}/.git/worktrees/side`, { recursive: true });
  Deno.writeTextFileSync(`${t.workspace}/.git/worktrees/side/gitdir`, "/elsewhere/side/.git\n");
  const places = {
    own: t.workspace,
    below: `${t.workspace}/src`,
    side: "/elsewhere/side",
    other: "/elsewhere/other",
    sibling: `${t.workspace}-2`,
  };
  for (const [name, cwd] of Object.entries(places)) {
    Deno.writeTextFileSync(`${root}/${name}.jsonl`, claudeLine(name, { cwd }) + "\n");
  }
  const dry = await t.run<Imported>("import", { sources: ["claude-code"], root, dry_run: true });
  assert.equal(dry.entries, 3);
  assert.deepEqual(dry.sources[0].sessions_skipped, { other_project: 2 });
  assert.equal(saidIn(t).length, 0);
  const own = await t.run<Imported>("import", { sources: ["claude-code"], root });
  assert.equal(own.entries, 3);
  const all = await t.run<Imported>("import", {
    sources: ["claude-code"],
    root,
    all_projects: true,
  });
  assert.equal(all.entries, 2);
});

Deno.test("import takes only what --since and --session ask for", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/history`;
  Deno.mkdirSync(root);
  for (const name of ["old", "new"]) {
    Deno.writeTextFileSync(`${root}/${name}.jsonl`, claudeLine(name, { cwd: t.workspace }) + "\n");
  }
  const old = new Date("2025-01-01T00:00:00Z");
  Deno.utimeSync(`${root}/old.jsonl`, old, old);
  const input = { sources: ["claude-code"], root };
  const since = await t.run<Imported>("import", { ...input, since: "2025-06-01" });
  assert.deepEqual(since.sources[0].sessions_skipped, { before_since: 1 });
  const one = await t.run<Imported>("import", { ...input, session: "old" });
  assert.equal(one.entries, 1);
});

Deno.test("a message that its agent changed supersedes the old one and keeps its place", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/opencode`;
  copyTree(`${samples}/opencode`, root);
  const input = { sources: ["opencode"], root, all_projects: true };
  await t.run("import", input);
  const part = `${root}/storage/part/msg_0002/prt_0005.json`;
  const value = JSON.parse(Deno.readTextFileSync(part));
  for (const text of ["Second version.", "Third version."]) {
    Deno.writeTextFileSync(part, JSON.stringify({ ...value, text }));
    const { sources: [receipt] } = await t.run<Imported>("import", input);
    assert.equal(receipt.entries, 1);
    assert.equal(receipt.superseded, 1);
  }
  const [session] =
    (await t.run<{ sessions: { id: string; message_count: number }[] }>("sessions")).sessions;
  assert.equal(session.message_count, 5);
  const read = await t.run<{ messages: { text: string; message_index: number }[] }>("read", {
    session: session.id,
  });
  assert.deepEqual(read.messages.map((message) => message.message_index), [1, 2, 3, 4, 5]);
  assert.equal(read.messages[4].text, "Third version.");
});

Deno.test("what was forgotten stays forgotten", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/opencode`;
  copyTree(`${samples}/opencode`, root);
  const input = { sources: ["opencode"], root, all_projects: true };
  await t.run("import", input);
  const last = saidIn(t)[4];
  await t.run("forget", { ids: [last] });
  const part = `${root}/storage/part/msg_0002/prt_0005.json`;
  Deno.writeTextFileSync(part, Deno.readTextFileSync(part).replace("a day", "an hour"));
  const { sources: [receipt] } = await t.run<Imported>("import", input);
  assert.equal(receipt.forgotten, 1);
  assert.equal(saidIn(t).length, 4);
});

Deno.test("no secret of any source reaches the store or an output; nothing else is written", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/agents`;
  copyTree(samples, root);
  makeOpencodeDatabase(`${root}/opencode/opencode.db`);
  makeCursorDatabases(`${root}/cursor`);
  makeOpencodeDatabase(`${root}/kilo/kilo.db`);
  for (const name of ["omp", "openclaw"]) copyTree(`${samples}/pi`, `${root}/${name}`);
  makeCrushDatabase(`${root}/crush`);
  makeGooseDatabase(`${root}/goose/sessions.db`);
  makeKiroDatabase(`${root}/kiro/data.sqlite3`);
  makeZedDatabase(`${root}/zed/threads.db`);
  makeClaudeMemDatabase(`${root}/claude-mem/claude-mem.db`);
  const before = snapshotTree(root);
  const outputs: string[] = [];
  for (const source of sourceNames) {
    const input = {
      sources: [source],
      root: source === "contextfs" ? `${root}/contextfs/store` : `${root}/${source}`,
      all_projects: true,
    };
    const result = await t.run<Imported>("import", input, {
      progress: (message) => outputs.push(message),
      write: (chunk) => outputs.push(new TextDecoder().decode(chunk)),
    });
    assert.ok(result.entries > 0, source);
    assert.ok(result.sources[0].redactions > 0, source);
    outputs.push(JSON.stringify(result));
  }
  const { sessions } = await t.run<{ sessions: { id: string }[] }>("sessions", { limit: 100 });
  outputs.push(JSON.stringify(sessions));
  for (const { id } of sessions) {
    for (
      const [command, input] of [["scan", { session: id }], ["show", { sessions: [id] }], ["read", {
        session: id,
      }]] as const
    ) {
      outputs.push(JSON.stringify(await t.run(command, input)));
    }
  }
  assert.ok(!outputs.join("\n").includes(plantedSecret));
  for (const name of Object.keys(snapshotTree(t.root))) {
    assert.ok(!Deno.readTextFileSync(`${t.root}${name}`).includes(plantedSecret), name);
  }
  assert.deepEqual(snapshotTree(root), before);
  assert.deepEqual([...Deno.readDirSync(t.workspace)].map((item) => item.name).sort(), [
    ".contextfs",
    "agents",
  ]);
  assert.ok(!t.list().some((name) => name.startsWith("import-")));
});

Deno.test("an import that was cut off anywhere goes on without a loss or a double", async () => {
  await using whole = await tempStore();
  const root = `${samples}/claude-code`;
  const input = { sources: ["claude-code"], root, all_projects: true };
  await whole.run("import", input);
  const rows = whole.read("history.ndjson").split("\n").slice(0, -1);
  for (let kept = 0; kept <= rows.length; kept += 3) {
    await using t = await tempStore();
    const torn = (rows[kept] ?? "").slice(0, 25);
    t.write("history.ndjson", rows.slice(0, kept).map((row) => `${row}\n`).join("") + torn);
    await t.run("import", input);
    assert.deepEqual(saidIn(t).toSorted(), saidIn(whole).toSorted());
    assert.deepEqual(recordsIn(t), recordsIn(whole));
    assert.deepEqual((await t.ailments()).filter((name) => name !== "quarantine"), []);
  }
});

Deno.test("import killed in the middle goes on where it stopped", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/history`;
  Deno.mkdirSync(root);
  const text = "x ".repeat(1000);
  const lines = Array.from(
    { length: 8000 },
    (_, i) => claudeLine(`m${i}`, { cwd: t.workspace, text }),
  );
  Deno.writeTextFileSync(`${root}/s.jsonl`, lines.join("\n") + "\n");
  const words = ["import", "claude-code", "--root", root];
  const child = spawnCtx(words, { cwd: t.workspace, stdin: "null" });
  const status = child.output();
  let done = false;
  status.then(() => done = true);
  while (!done && (Deno.statSync(t.path("history.ndjson")).size) === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  if (!done) child.kill("SIGKILL");
  await status;
  const { code, stderr } = await t.ctx(words);
  assert.equal(code, 0, stderr);
  assert.equal(saidIn(t).length, lines.length);
  assert.equal(new Set(saidIn(t)).size, lines.length);
});

Deno.test("titles come from the session itself, then from summaries in later files", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/history`;
  Deno.mkdirSync(root);
  const write = (name: string, lines: string[]) =>
    Deno.writeTextFileSync(`${root}/${name}.jsonl`, lines.map((line) => `${line}\n`).join(""));
  write("first", [claudeLine("leaf", { cwd: t.workspace, text: "How?" })]);
  write("second", [
    JSON.stringify({ type: "summary", summary: "What the first was about", leafUuid: "leaf" }),
    JSON.stringify({ type: "summary", summary: "How the third ended", leafUuid: "last" }),
    claudeLine("b", { cwd: t.workspace, text: "And now?" }),
  ]);
  write("third", [claudeLine("last", { cwd: t.workspace, text: "Rotate the API tokens weekly" })]);
  await t.run("import", { sources: ["claude-code"], root });
  const { sessions } = await t.run<{ sessions: { title: string }[] }>("sessions");
  assert.deepEqual(sessions.map((session) => session.title).toSorted(), [
    "And now?",
    "Rotate the API tokens weekly",
    "What the first was about",
  ]);
});

Deno.test("import --watch follows what an agent writes until it is stopped", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/history`;
  Deno.mkdirSync(root);
  const file = `${root}/s.jsonl`;
  Deno.writeTextFileSync(file, claudeLine("a", { cwd: t.workspace }) + "\n");
  const stop = new AbortController();
  const line = claudeLine("b", { cwd: t.workspace }) + "\n";
  let passes = 0;
  const result = await t.run<Imported>("import", { sources: ["claude-code"], root, watch: true }, {
    signal: stop.signal,
    progress(message) {
      // A look is over: nothing is left to show.
      if (message !== "") return;
      passes++;
      if (passes === 1) setTimeout(() => Deno.writeTextFileSync(file, line, { append: true }), 50);
      else stop.abort();
    },
  });
  assert.equal(result.entries, 2);
});

Deno.test("import --watch in a pipe writes a line for each look that brought something in", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/history`;
  Deno.mkdirSync(root);
  const line = (id: string) => claudeLine(id, { cwd: t.workspace }) + "\n";
  Deno.writeTextFileSync(`${root}/s.jsonl`, line("a"));
  const words = ["import", "claude-code", "--root", root, "--no-distil", "--watch"];
  const child = spawnCtx(words, { cwd: t.workspace, stdin: "null" });
  const lines: string[] = [];
  const texts = child.stdout.pipeThrough(new TextDecoderStream());
  for await (const text of texts) {
    lines.push(...text.split("\n").filter((each) => each !== ""));
    if (lines.length === 1) {
      Deno.writeTextFileSync(`${root}/s.jsonl`, line("b") + line("c"), {
        append: true,
      });
    } else child.kill("SIGINT");
  }
  const stderr = await new Response(child.stderr).text();
  assert.deepEqual(lines, [
    "claude-code: 1 new entry of 1 session",
    "claude-code: 2 new entries of 1 session",
  ]);
  const { code } = await child.status;
  // There, a signal ends a process at once.
  if (Deno.build.os === "windows") return;
  assert.match(stderr, /Imported 3 entries of 2 sessions\.\n$/);
  assert.equal(code, 0);
});

Deno.test("import --jsonl writes a line per session, the one that was changed last first", async () => {
  const login = ["11111111-2222-4333-8444-555555555555", 9, "Login form"];
  const forms = ["agent-a1b2c3d", 2, "Find forms"];
  const project = "projects/-work-app";
  const files = [`${login[0]}.jsonl`, `${login[0]}/subagents/${forms[0]}.jsonl`];
  for (const [times, expected] of [[[2, 1], [login, forms]], [[1, 2], [forms, login]]]) {
    await using t = await tempStore();
    const root = `${t.workspace}/history`;
    copyTree(`${samples}/claude-code`, root);
    files.forEach((file, i) => {
      const changed = new Date(`2026-05-0${times[i]}T07:00:00.000Z`);
      Deno.utimeSync(`${root}/${project}/${file}`, changed, changed);
    });
    const { code, stdout, stderr } = await t.ctx(
      ["import", "claude-code", "--root", root, "--all-projects", "--jsonl"],
    );
    assert.equal(code, 0, stderr);
    const lines = stdout.trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map((line) => [line.conversation, line.entries, line.title]),
      expected,
    );
    assert.match(stderr, /claude-code: 11 new entries in 2 sessions of 2/);
  }
});

Deno.test("import says what is wrong with its arguments", async () => {
  await using t = await tempStore();
  const unknown = await t.fail("import", { sources: ["claud-code"] });
  assert.equal(
    unknown.message,
    'Cannot import from "claud-code": unknown source (did you mean "claude-code"?)',
  );
  assert.equal((await t.fail("import", { root: "/tmp" })).code, "USAGE");
  assert.equal((await t.fail("import", { sources: ["codex"], root: "nowhere" })).code, "NOT_FOUND");
});

Deno.test("doctor counts sessions that Claude Code will delete soon", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/.claude/projects/x`;
  Deno.mkdirSync(root, { recursive: true });
  const now = Date.parse("2026-06-30T00:00:00Z");
  for (const [name, days] of [["new", 1], ["soon", 27], ["late", 26]] as const) {
    Deno.writeTextFileSync(`${root}/${name}.jsonl`, claudeLine(name, { cwd: t.workspace }) + "\n");
    const time = new Date(now - days * 86_400_000);
    Deno.utimeSync(`${root}/${name}.jsonl`, time, time);
  }
  const options = {
    now: () => now,
    env: (name: string) => name === "HOME" ? t.workspace : undefined,
  };
  const details = async () =>
    (await t.run<{ checks: { name: string; detail: string }[] }>("doctor", {}, options)).checks
      .find((check) => check.name === "rescue")?.detail;
  assert.match(await details() ?? "", /will delete 2 sessions of this workspace within 7 days/);
  await t.run("import", { sources: ["claude-code"] }, options);
  assert.equal(await details(), undefined);
});

function claudeLine(uuid: string, fields: { cwd: string; text?: string }): string {
  return JSON.stringify({
    type: "user",
    uuid,
    timestamp: "2026-01-01T00:00:00.000Z",
    cwd: fields.cwd,
    message: { role: "user", content: fields.text ?? `prompt ${uuid}` },
  });
}

/** The ids of what was said and done, in log order. */
function saidIn(t: TempStore): string[] {
  return [...t.open().entries()].map(({ entry }) => entry).filter((entry) => !isRecord(entry))
    .map(({ id }) => id);
}

/** The records that count, as they read. */
function recordsIn(t: TempStore): string[] {
  const { records, superseded } = readRecords(t.open());
  return records.filter(({ id }) => !superseded.has(id))
    .map(({ session_id, type, title, text }) => [session_id, type, title, text].join("\n")).sort();
}
