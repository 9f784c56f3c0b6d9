// What people see: an edit was recorded, then somebody changed the file. On the built file.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { connectMcp } from "../../support/processes/mcp_client.ts";
import { type TempStore, tempStore, testNow } from "../../support/stores/temp_store.ts";
import { hasLinks } from "../../support/not_on_windows.ts";
import { toFileUrl } from "../../../src/core/platform_path.ts";

const old = "export function wait(tries) {\n  return tries * 1000;\n}";
const now = `export function wait(tries) {
  const capped = Math.min(tries, 6);
  const jitter = Math.random() * 250;
  return 2 ** capped * 1000 + jitter;
}`;
const session = "S-1kf00000000000000";

interface Row {
  id: string;
  freshness?: string;
  changed?: { path?: string; commit?: string; since?: string; because?: string; by?: string };
  explain?: { boosts: Record<string, number> };
}

/** A session in which an agent made waiting longer; its file is as it left it. */
async function makeWorkspace(more: Partial<Entry>[] = []): Promise<TempStore> {
  const common = { session_id: session };
  const t = await tempStore({
    entries: [
      { ...common, role: "user", type: "turn", text: "Make the backoff exponential" },
      {
        ...common,
        role: "assistant",
        type: "tool_call",
        text: "Edit: src/wait.js",
        files: ["src/wait.js"],
        tool: {
          name: "Edit",
          effect: "edit",
          call_id: "c1",
          input: { file_path: "src/wait.js", old_string: old, new_string: now },
        },
      },
      {
        ...common,
        role: "tool",
        type: "tool_output",
        text: "done",
        tool: { name: "Edit", call_id: "c1" },
      },
      {
        ...common,
        role: "assistant",
        type: "turn",
        text: "The backoff is exponential now, with jitter and a cap of six tries.",
      },
      ...more,
    ],
  });
  Deno.mkdirSync(`${t.workspace}/src`);
  write(t, now);
  return t;
}

function write(t: TempStore, text: string, path = "src/wait.js"): void {
  Deno.writeTextFileSync(`${t.workspace}/${path}`, `const limit = 12;\n\n${text}\n`);
}

async function search(t: TempStore, ...words: string[]): Promise<Row[]> {
  const asked = ["search", "exponential backoff jitter", "--unit", "row", "--json"];
  const { stdout } = await t.ctx([...asked, ...words]);
  return JSON.parse(stdout).results;
}

async function stateOf(t: TempStore, id = "H-H4"): Promise<string | undefined> {
  return (await search(t)).find((row) => row.id === id)?.freshness;
}

async function git(t: TempStore, ...words: string[]): Promise<string> {
  const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const names = ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "A"],
    [`GIT_${who}_EMAIL`, "a@example.org"],
  ]);
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: words,
    cwd: t.workspace,
    env: { ...env, ...Object.fromEntries(names) },
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

/** The session's edit in a commit, after one without it. */
async function commitEdit(t: TempStore): Promise<void> {
  await git(t, "init", "-q", "-b", "main");
  write(t, old);
  await git(t, "add", "src");
  await git(t, "commit", "-qm", "Start");
  write(t, now);
  await git(t, "commit", "-qam", "Exponential backoff");
}

Deno.test("an answer says whether the code it speaks of is still there", async () => {
  await using t = await makeWorkspace();
  assert.equal(await stateOf(t), "fresh");
  write(t, now.replace("  const jitter = Math.random() * 250;\n", ""));
  assert.equal(await stateOf(t), "drifted");
  assert.ok(!(await search(t, "--fresh")).some(({ id }) => id === "H-H4"));
  write(t, old);
  assert.equal(await stateOf(t), "reverted");
  write(t, "export const waits = [1, 2, 4, 8];");
  assert.equal(await stateOf(t), "gone");
  Deno.removeSync(`${t.workspace}/src/wait.js`);
  assert.equal(await stateOf(t), "gone");
});

Deno.test("a formatter leaves an answer fresh", async () => {
  await using t = await makeWorkspace();
  write(
    t,
    now.replaceAll(";", "").replaceAll("  ", "\t").replace("(tries, 6)", "(\n tries,\n 6,\n)"),
  );
  assert.equal(await stateOf(t), "fresh");
});

Deno.test("a row whose code is gone is set back, and --fresh leaves it out", async () => {
  const later = { role: "note", type: "note", text: "exponential jitter" } as const;
  await using t = await makeWorkspace([later]);
  const ids = async (...words: string[]) => (await search(t, ...words)).map(({ id }) => id);
  const before = await ids();
  assert.equal(before[0], "H-H4");
  Deno.removeSync(`${t.workspace}/src/wait.js`);
  const [row] = (await search(t, "--explain")).filter(({ id }) => id === "H-H4");
  assert.equal(row.explain?.boosts.stale, 0.7);
  assert.deepEqual((await ids()).toSorted(), before.toSorted());
  assert.deepEqual(await ids(), await ids());
  assert.ok(!(await ids("--fresh")).includes("H-H4"));
  assert.ok((await ids("--fresh")).includes("H-H5"));
  const total = async (fresh: boolean) =>
    (await t.run<{ total: number }>("search", { query: "exponential backoff jitter", fresh }))
      .total;
  const left = (await search(t)).filter(({ freshness }) => freshness === "gone").length;
  assert.ok(left > 0);
  assert.equal(await total(true), await total(false) - left);
});

Deno.test("get tells what changed, and a row of talk that edits nothing carries nothing", async () => {
  await using t = await makeWorkspace([
    { role: "user", type: "turn", text: "What is jitter?", session_id: session },
    { role: "assistant", type: "turn", text: "Jitter spreads tries.", session_id: session },
  ]);
  Deno.removeSync(`${t.workspace}/src/wait.js`);
  const { results } = await t.run<{ results: Row[] }>("get", { ids: ["H-H2", "H-H4", "H-H6"] });
  assert.deepEqual(results.map(({ freshness }) => freshness), ["gone", "gone", undefined]);
  assert.equal(results[0].changed?.path, "src/wait.js");
  const { stderr } = await t.ctx(["get", "H-H4"]);
  assert.match(stderr, /code gone: 3 of 3 lines, mostly in src\/wait\.js\n$/);
  const { stdout } = await t.shown(["get", "H-H2", "H-H4"]);
  assert.match(stdout, /\(code gone: 3 of 3 lines, mostly in src\/wait\.js\)/);
  const timeline = await t.run<{ results: Row[] }>("timeline", { id: "H-H4" });
  assert.equal(timeline.results.find(({ id }) => id === "H-H4")?.freshness, "gone");
});

Deno.test("an edit that its tool refused, or that a later one replaced, is told as that", async () => {
  const edit = (id: string, from: string, to: string): Partial<Entry> => ({
    role: "assistant",
    type: "tool_call",
    session_id: session,
    text: "Edit: src/wait.js",
    files: ["src/wait.js"],
    tool: {
      name: "Edit",
      effect: "edit",
      call_id: id,
      input: { file_path: "src/wait.js", old_string: from, new_string: to },
    },
  });
  const result = (id: string, error: boolean): Partial<Entry> => ({
    role: "tool",
    type: "tool_output",
    session_id: session,
    text: error ? "String to replace not found in file" : "done",
    tool: { name: "Edit", call_id: id, ...(error ? { error } : {}) },
  });
  const line = "  const jitter = Math.random() * 250;";
  await using t = await makeWorkspace([
    { role: "user", type: "turn", session_id: session, text: "No jitter please, and log it" },
    edit("c2", line, "  const spread = pickSpread(tries);"),
    result("c2", false),
    edit("c3", "nothing like it", "  logger.debug('waiting', { tries });"),
    result("c3", true),
  ]);
  write(t, now.replace(line, "  const spread = pickSpread(tries);"));
  const { results } = await t.run<{ results: Row[] }>("get", { ids: ["H-H2", "H-H6", "H-H8"] });
  assert.deepEqual(results.map(({ freshness }) => freshness), ["drifted", "fresh", undefined]);
  assert.equal(results[0].changed?.by, "H-H6");
});

Deno.test("what cannot be compared is unknown, and says why", async () => {
  await using t = await makeWorkspace();
  const because = async () => {
    const { results: [row] } = await t.run<{ results: Row[] }>("get", { ids: ["H-H2"] });
    return [row.freshness, row.changed?.because];
  };
  const path = `${t.workspace}/src/wait.js`;
  Deno.writeFileSync(path, new Uint8Array(100));
  assert.deepEqual(await because(), ["unknown", "src/wait.js is not text"]);
  Deno.writeTextFileSync(path, "x\n".repeat(1 << 21));
  assert.deepEqual(await because(), ["unknown", "src/wait.js is too large to compare"]);
  Deno.removeSync(path);
  if (hasLinks) {
    Deno.symlinkSync("/etc/hosts", path);
    assert.deepEqual(await because(), ["unknown", "src/wait.js is outside the workspace"]);
    Deno.removeSync(path);
  }
  Deno.mkdirSync(path);
  assert.deepEqual(await because(), ["unknown", "src/wait.js is not a file"]);
});

Deno.test("a change by hand is told with its commit, and a git revert as reverted", async () => {
  await using t = await makeWorkspace();
  await commitEdit(t);
  write(t, now.replace("  const jitter = Math.random() * 250;\n", ""));
  await git(t, "commit", "-qam", "No jitter");
  const head = await git(t, "rev-parse", "HEAD");
  const [row] = (await search(t)).filter(({ id }) => id === "H-H4");
  assert.deepEqual([row.freshness, row.changed?.commit], ["drifted", head]);
  const { stdout } = await t.shown(["search", "exponential backoff jitter"]);
  assert.match(stdout, new RegExp(`code changed since ${head.slice(0, 9)}`));
  await git(t, "revert", "--no-edit", "HEAD", "HEAD~1");
  const { results: [got] } = await t.run<{ results: Row[] }>("get", { ids: ["H-H4"] });
  assert.equal(got.freshness, "reverted");
  assert.equal(got.changed?.commit, await git(t, "rev-parse", "HEAD"));
});

Deno.test("a file that was renamed is followed, with a commit and without", async () => {
  await using t = await makeWorkspace();
  await commitEdit(t);
  await git(t, "mv", "src/wait.js", "src/backoff.js");
  await git(t, "commit", "-qm", "A better name");
  assert.equal(await stateOf(t), "fresh");
  Deno.mkdirSync(`${t.workspace}/lib`);
  await git(t, "mv", "src/backoff.js", "lib/wait.js");
  assert.equal(await stateOf(t), "fresh");
});

Deno.test("what stands on another branch is not called gone before it was merged", async () => {
  await using t = await makeWorkspace([{
    session_id: session,
    branch: "side",
    role: "assistant",
    type: "tool_call",
    text: "Write: src/jitter.js, the exponential backoff with jitter",
    files: ["src/jitter.js"],
    tool: {
      name: "Write",
      effect: "edit",
      input: { file_path: "src/jitter.js", content: now },
    },
  }]);
  await commitEdit(t);
  await git(t, "checkout", "-qb", "side");
  write(t, now, "src/jitter.js");
  await git(t, "add", "src");
  await git(t, "commit", "-qm", "Jitter");
  assert.equal(await stateOf(t, "H-H5"), "fresh");
  await git(t, "checkout", "-q", "main");
  assert.equal(await stateOf(t, "H-H5"), "unknown");
  // Merged and taken away again, it is gone, though the branch is still there.
  await git(t, "merge", "-q", "--no-ff", "-m", "Merge", "side");
  assert.equal(await stateOf(t, "H-H5"), "fresh");
  await git(t, "rm", "-q", "src/jitter.js");
  await git(t, "commit", "-qm", "Without");
  assert.equal(await stateOf(t, "H-H5"), "gone");
});

Deno.test("what a worktree has and nobody merged is fresh, until it was merged and taken away", async () => {
  await using t = await makeWorkspace();
  await git(t, "init", "-q", "-b", "main");
  write(t, old);
  await git(t, "add", "src");
  await git(t, "commit", "-qm", "Start");
  const side = `${t.workspace}/.trees/side`;
  await git(t, "worktree", "add", "-q", "-b", "side", side);
  const paths = ["src/wait.js", "src/new.js"];
  const rows = paths.map((path, i) => ({
    id: `H-S${i}`,
    ts: "2026-01-01T11:00:00.000Z",
    role: "assistant",
    type: "tool_call",
    session_id: "S-1kf00000000000001",
    project: side,
    text: `Edit: ${path}`,
    files: [path],
    tool: {
      name: "Edit",
      effect: "edit",
      input: { file_path: `${side}/${path}`, old_string: old, new_string: now },
    },
  }));
  const log = `${t.root}/history.ndjson`;
  for (const row of rows) Deno.writeTextFileSync(log, `${JSON.stringify(row)}\n`, { append: true });
  const states = async () => {
    const { results } = await t.run<{ results: Row[] }>("get", { ids: ["H-S0", "H-S1"] });
    return results.map(({ freshness }) => freshness);
  };
  assert.deepEqual(await states(), ["reverted", "unknown"], "git never had the new file");
  for (const path of paths) write(t, now, `.trees/side/${path}`);
  assert.deepEqual(await states(), ["fresh", "fresh"]);
  assert.equal(await stateOf(t), "reverted");
  await t.run("confirm", { id: "H-S1" });
  assert.deepEqual(await states(), ["fresh", "fresh"]);
  Deno.removeSync(`${side}/src/new.js`);
  assert.deepEqual(await states(), ["fresh", "gone"]);
  // Merged, then taken away again: that the worktree still has it says nothing.
  await git(t, "-C", side, "commit", "-qam", "Exponential backoff");
  await git(t, "merge", "-q", "side");
  assert.deepEqual(await states(), ["fresh", "gone"]);
  write(t, old);
  await git(t, "commit", "-qam", "No jitter");
  assert.deepEqual(await states(), ["reverted", "gone"]);
});

Deno.test("a file that is not there and that git never had is not known, a removed one is gone", async () => {
  const edit = (id: string, path: string) => ({
    id,
    session_id: "S-1kf00000000000002",
    role: "assistant" as const,
    type: "tool_call",
    text: `Write: ${path}`,
    files: [path],
    tool: { name: "Write", effect: "edit", input: { file_path: path, content: now } },
  });
  const draft = { ...edit("H-T1", "draft.js"), text: "Write: exponential backoff jitter draft" };
  const added = { ...edit("H-T2", "src/new.js"), text: "Write: exponential backoff jitter new" };
  await using t = await makeWorkspace([draft, added]);
  await commitEdit(t);
  write(t, now, "src/new.js");
  await git(t, "add", "src");
  await git(t, "commit", "-qm", "New");
  write(t, now, "draft.js");
  const get = async () => {
    const { stdout } = await t.ctx(["get", "H-T1", "H-T2", "--json"]);
    const { results }: { results: Row[] } = JSON.parse(stdout);
    return results.map(({ freshness, changed }) => [freshness, changed?.because]);
  };
  assert.deepEqual(await get(), [["fresh", undefined], ["fresh", undefined]]);
  for (const path of ["draft.js", "src/new.js"]) Deno.removeSync(`${t.workspace}/${path}`);
  const because = "its files no longer exist, and git does not know them";
  assert.deepEqual(await get(), [["unknown", because], ["gone", undefined]]);
  await git(t, "commit", "-qam", "Without");
  assert.deepEqual(await get(), [["unknown", because], ["gone", undefined]]);
});

Deno.test("a shallow clone tells what it can", async () => {
  await using t = await makeWorkspace();
  await commitEdit(t);
  write(t, now.replace("  const jitter = Math.random() * 250;\n", ""));
  await git(t, "commit", "-qam", "No jitter");
  const shallow = `${t.workspace}/shallow`;
  await git(t, "clone", "-q", "--depth", "1", toFileUrl(t.workspace), shallow);
  Deno.removeSync(`${t.workspace}/.git`, { recursive: true });
  Deno.renameSync(`${shallow}/.git`, `${t.workspace}/.git`);
  const sinceOf = async () => {
    const { results: [row] } = await t.run<{ results: Row[] }>("get", { ids: ["H-H4"] });
    assert.equal(row.freshness, "drifted");
    return row.changed?.since;
  };
  // The file is as git has it: its time is that of the checkout.
  assert.equal(await sinceOf(), undefined);
  write(t, now.replace("  const jitter = Math.random() * 250;\n", "  const jitter = 1;\n"));
  assert.notEqual(await sinceOf(), undefined);
  assert.equal(await stateOf(t), "drifted");
  Deno.writeTextFileSync(`${t.workspace}/.git/HEAD`, "nothing");
  assert.equal(await stateOf(t), "drifted");
});

Deno.test("stale lists a decision until it is confirmed, and again when the code moves on", async () => {
  const decision: Partial<Entry> = {
    role: "note",
    type: "decision",
    session_id: session,
    text: "We wait exponentially, with jitter",
  };
  await using t = await makeWorkspace([decision]);
  const ids = async () => (await t.run<{ results: Row[] }>("stale")).results.map(({ id }) => id);
  assert.deepEqual(await ids(), []);
  write(
    t,
    now.replace("const jitter = Math.random() * 250;", "const jitter = Math.random() * 500;"),
  );
  assert.deepEqual(await ids(), ["H-H5"]);
  const listed = await t.shown(["stale"]);
  assert.match(listed.stdout, /code changed since: 1 of 3 lines, mostly in src\/wait\.js/);
  assert.match(listed.stdout, /ctx save --supersedes H-H5 "…" {3}or {3}ctx records --confirm H-H5/);
  const { stdout } = await t.ctx(["confirm", "H-H5"]);
  assert.equal(stdout, "Confirmed H-H5 against 3 lines of current code\n");
  assert.deepEqual(await ids(), []);
  assert.equal((await search(t, "--type", "confirm")).length, 0);
  write(t, "export const waits = [1, 2, 4, 8];");
  assert.deepEqual(await ids(), ["H-H5"]);
  const { results: [moved] } = await t.run<{ results: Row[] }>("get", { ids: ["H-H5"] });
  assert.equal(moved.freshness, "gone");
  write(t, now);
  assert.deepEqual(await ids(), ["H-H5"], "compared with the day of the confirmation");
  await t.ctx(["confirm", "H-H5"]);
  assert.deepEqual(await ids(), [], "compared with the day of the last one");
  await t.ctx(["undo", "--yes"]);
  assert.deepEqual(await ids(), ["H-H5"]);
  const undone = await t.ctx(["undo", "--yes"]);
  assert.equal(undone.code, 0, undone.stderr);
  assert.deepEqual(await ids(), []);
});

Deno.test("stale lists newest first what nobody corrected, of a time, as many as asked for", async () => {
  const decide = (id: string, day: number, more: Partial<Entry> = {}): Partial<Entry> => ({
    id,
    ts: `2026-01-0${day}T10:30:00.000Z`,
    type: "decision",
    text: `Waiting as told on day ${day}`,
    session_id: session,
    record: { by: "rules" },
    refs: ["H-H2"],
    ...more,
  });
  await using t = await makeWorkspace([
    decide("H-old", 2),
    decide("H-wrong", 3),
    decide("H-right", 4, { supersedes: "H-wrong" }),
    decide("H-done", 5, { type: "outcome" }),
  ]);
  write(t, "export const waits = [1, 2, 4, 8];");
  const list = async (input: Record<string, unknown> = {}) => {
    type Stale = { results: Row[]; more: boolean };
    const { results, more } = await t.run<Stale>("stale", input);
    return [...results.map(({ id }) => id), ...more ? ["more"] : []];
  };
  assert.deepEqual(await list(), ["H-right", "H-old"]);
  assert.deepEqual(await list({ all: true }), ["H-done", "H-right", "H-old"]);
  assert.deepEqual(await list({ since: "2026-01-03" }), ["H-right"]);
  assert.deepEqual(await list({ limit: 1 }), ["H-right", "more"]);
});

Deno.test("confirm refuses what is not there or was corrected, and says what to do", async () => {
  await using t = await tempStore({
    entries: ["We use tabs", { text: "We use spaces", supersedes: "H-H1" }],
  });
  assert.equal((await t.fail("confirm", { id: "H-nope" })).code, "NOT_FOUND");
  const { message, hint } = await t.fail("confirm", { id: "H-H1" });
  assert.equal(message, 'Cannot confirm "H-H1": it was corrected by H-H2');
  assert.equal(hint, "ctx records --confirm H-H2");
  assert.deepEqual((await t.run<{ lines: number }>("confirm", { id: "H-H2" })).lines, 0);
});

Deno.test("a pack, a suggestion and an agent's rows say that code has changed", async () => {
  const decision: Partial<Entry> = {
    role: "note",
    type: "decision",
    session_id: session,
    files: ["src/wait.js"],
    text: "We wait exponentially, with jitter, in src/wait.js",
  };
  await using t = await makeWorkspace([decision]);
  const pack = async () => (await t.run<{ text: string }>("pack")).text;
  assert.match(await pack(), /\[H-H5\] decision, \d+ \w+ ago: We wait/);
  // One line of three says nothing about the decision.
  write(t, now.replace("250", "500"));
  assert.match(await pack(), /\[H-H5\] decision, \d+ \w+ ago: We wait/);
  write(t, "export const waits = [1, 2, 4, 8];");
  assert.match(await pack(), /\[H-H5\] decision, [^:]*\(code changed since\): We wait/);
  // Without git nobody knows whether a file that is not there ever was.
  Deno.removeSync(`${t.workspace}/src`, { recursive: true });
  assert.doesNotMatch(await pack(), /code changed/);
  Deno.mkdirSync(`${t.workspace}/src`);
  write(t, "export const waits = [1, 2, 4, 8];");
  const { suggestions } = await t.run<{ suggestions: (Row & { entity_id: string })[] }>("suggest", {
    file: "src/wait.js",
  });
  const item = suggestions.find(({ entity_id }) => entity_id === "H-H5");
  assert.equal(item?.freshness, "gone");
  await using mcp = await connectMcp(t.workspace);
  const told = await mcp.call("search", { query: "exponential" });
  assert.match(JSON.stringify(told.data), /"freshness":"gone"/);
  const rest = await mcp.call("search", { query: "exponential", fresh: true });
  assert.doesNotMatch(JSON.stringify(rest.data), /"freshness"/);
});

Deno.test("a decision that a rule found is not told once its code has changed; a saved one is", async () => {
  const decision: Partial<Entry> = {
    role: "note",
    type: "decision",
    session_id: session,
    files: ["src/wait.js"],
  };
  await using t = await makeWorkspace([
    {
      ...decision,
      text: "We wait exponentially in src/wait.js",
      record: { by: "rules", grade: "derived" },
      refs: ["H-H4"],
    },
    { ...decision, text: "We never wait longer than a minute in src/wait.js" },
  ]);
  const told = async (days: number): Promise<string[]> => {
    const now = (): number => testNow + days * 24 * 3_600_000;
    const { text } = await t.run<{ text: string }>("pack", {}, { now });
    return ["exponentially", "longer than a minute"].filter((words) => text.includes(words));
  };
  assert.deepEqual(await told(8), ["exponentially", "longer than a minute"]);
  write(t, "export const waits = [1, 2, 4, 8];");
  assert.deepEqual(await told(1), ["longer than a minute"]);
  assert.deepEqual(await told(8), ["longer than a minute"]);
});

Deno.test("a confirmation goes with its entry into another store", async () => {
  const decision: Partial<Entry> = {
    role: "note",
    type: "decision",
    session_id: session,
    text: "We wait exponentially, with jitter",
  };
  await using t = await makeWorkspace([decision]);
  const drifted = now.replace("Math.random() * 250", "Math.random() * 500");
  write(t, drifted);
  await t.ctx(["confirm", "H-H5"]);
  const { stdout } = await t.ctx(["export"]);
  await using other = await tempStore();
  Deno.mkdirSync(`${other.workspace}/src`);
  write(other, drifted);
  Deno.writeTextFileSync(`${other.workspace}/all.ndjson`, stdout);
  const root = `${other.workspace}/all.ndjson`;
  const taken = await other.ctx(["import", "contextfs", "--root", root]);
  assert.equal(taken.code, 0, taken.stderr);
  const told = async () => (await other.run<{ results: Row[] }>("stale")).results;
  assert.deepEqual(await told(), []);
  write(other, "export const waits = [1, 2, 4, 8];");
  const [{ id, freshness }] = await told();
  assert.deepEqual([id, freshness], ["H-H5", "gone"]);
});
