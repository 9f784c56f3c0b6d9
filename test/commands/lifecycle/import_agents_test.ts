// Every importer and every hook as people run them: the built file with its own permissions, an
// empty environment, and a home in which each agent has worked.

import assert from "node:assert/strict";
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Receipt } from "../../../src/intake/import/receipt.ts";
import { sourceNames } from "../../../src/intake/import/source_table.ts";
import {
  growCrushDatabase,
  growGooseDatabase,
  growKiroDatabase,
  growZedDatabase,
} from "../../intake/sources/database/agent_databases.ts";
import { makeClaudeMemDatabase } from "../../intake/sources/database/claude_mem_database.ts";
import { fillAgentHome, rowsOfAgents as expected } from "../../support/processes/agent_home.ts";
import { homeOf } from "../../support/processes/run_ctx.ts";
import { tempStore } from "../../support/stores/temp_store.ts";
import { copyTree, snapshotTree } from "../../support/stores/tree.ts";
import { fromFileUrl } from "../../../src/core/platform_path.ts";

const samples = fromFileUrl(new URL("../../samples", import.meta.url));

interface Imported {
  entries: number;
  sources: Receipt[];
}

/** All files of a home but ctx's own list of projects. */
function agentsFiles(home: string): Record<string, string> {
  const { "/.config/ctx/projects.ndjson": _own, ...others } = snapshotTree(home);
  return others;
}

Deno.test("the built file imports every agent's history, changes nothing there, and adds nothing twice", async () => {
  assert.deepEqual(Object.keys(expected).sort(), [...sourceNames].sort());
  await using t = await tempStore();
  const home = homeOf(t.workspace);
  fillAgentHome(home, t.workspace);
  makeClaudeMemDatabase(`${home}/.claude-mem/claude-mem.db`, basename(t.workspace));
  copyTree(`${samples}/beads/app`, t.workspace);
  const before = agentsFiles(home);
  const roots: Record<string, string> = {
    "contextfs": `${samples}/contextfs/store`,
    "ndjson": `${samples}/ndjson`,
    "chatgpt": `${samples}/chatgpt`,
    "claude-web": `${samples}/claude-web`,
    "claude-mem": `${home}/.claude-mem`,
    "server-memory": `${samples}/server-memory`,
    "mem0": `${samples}/mem0`,
    "beads": `${t.workspace}/.beads`,
  };
  const run = async (words: string[]): Promise<Imported> => {
    const { code, stdout, stderr } = await t.ctx(["import", ...words, "--json"]);
    assert.deepEqual([code, stderr], [0, ""], words.join(" "));
    return JSON.parse(stdout);
  };
  for (const [name, entries] of Object.entries(expected)) {
    const first = await run(name in roots ? [name, "--root", roots[name]] : [name]);
    assert.equal(first.entries, entries, `${name}: ${JSON.stringify(first)}`);
  }
  for (const [name, root] of Object.entries(roots)) {
    assert.equal((await run([name, "--root", root])).entries, 0, name);
  }
  const again = await run(Object.keys(expected).filter((name) => !(name in roots)));
  assert.deepEqual(again.sources.filter(({ entries }) => entries > 0), []);
  assert.equal(again.sources.length, Object.keys(expected).length - Object.keys(roots).length);
  assert.deepEqual(agentsFiles(home), before);
  assert.match(t.read("sessions.ndjson"), /"title":"Named in the database"/);
});

Deno.test("import tells which database it could not read and imports the rest", async () => {
  for (
    const [bytes, reason] of [
      [
        new TextEncoder().encode("not a database at all, but long enough ".repeat(20)),
        /not a database/,
      ],
      [undefined, /malformed|short|database/],
    ] as const
  ) {
    await using t = await tempStore();
    const { opencode } = fillAgentHome(homeOf(t.workspace), t.workspace);
    const sound = Deno.readFileSync(opencode);
    Deno.writeFileSync(opencode, bytes ?? sound.subarray(0, 5000));
    const { code, stdout } = await t.ctx(["import", "--json"]);
    const { sources }: Imported = JSON.parse(stdout);
    const of = (name: string) => sources.find(({ source }) => source === name);
    assert.equal(code, 9);
    assert.equal(of("opencode")?.problem_count, 1);
    assert.equal(of("opencode")?.problems[0].path, opencode);
    assert.match(of("opencode")?.problems[0].reason ?? "", reason);
    assert.equal(of("claude-code")?.entries, 11);
    assert.equal(of("cursor")?.entries, 10);
    const told = await t.ctx(["import"]);
    assert.equal(told.code, 9);
    assert.ok(told.stdout.includes(`cannot read ${opencode}: `), told.stdout);
    assert.match(told.stderr, /^ctx: 1 place could not be read; the rest was imported\n$/);
    // Mended, it is read as if nothing had been.
    Deno.writeFileSync(opencode, sound);
    const mended = await t.ctx(["import", "opencode", "--json"]);
    assert.deepEqual([mended.code, JSON.parse(mended.stdout).entries], [0, 2]);
  }
});

for (
  const [name, grow] of [
    ["crush", (path: string) => growCrushDatabase(path.replace("/.crush/crush.db", ""))],
    ["goose", growGooseDatabase],
    ["kiro", growKiroDatabase],
    ["zed", growZedDatabase],
  ] as const
) {
  Deno.test(`${name}: a database that is in use, goes on, is damaged and mended`, async () => {
    await using t = await tempStore();
    const path = fillAgentHome(homeOf(t.workspace), t.workspace)[name];
    const run = async () => {
      const { code, stdout, stderr } = await t.ctx(["import", name, "--json"]);
      const { entries, sources: [{ problems }] }: Imported = JSON.parse(stdout);
      return { code, stderr, entries, problems: problems.map((problem) => problem.path) };
    };
    const fine = { code: 0, stderr: "", problems: [] };
    // Its agent writes: what is not committed does not count, and nobody waits.
    const agent = new DatabaseSync(path);
    agent.exec("PRAGMA cache_size = 1; BEGIN EXCLUSIVE; CREATE TABLE uncommitted (a)");
    assert.deepEqual(await run(), { ...fine, entries: expected[name] });
    agent.exec("ROLLBACK");
    agent.close();
    assert.deepEqual(await run(), { ...fine, entries: 0 });
    const grown = grow(path);
    assert.deepEqual(await run(), { ...fine, entries: grown });
    assert.deepEqual(await run(), { ...fine, entries: 0 });
    const sound = Deno.readFileSync(path);
    const torn = sound.slice();
    torn.fill(0xff, 4096);
    for (const bytes of [torn, sound.subarray(0, 5000), new TextEncoder().encode("no database")]) {
      Deno.writeFileSync(path, bytes);
      assert.deepEqual(await run(), { code: 9, stderr: "", entries: 0, problems: [path] });
    }
    Deno.writeFileSync(path, sound);
    assert.deepEqual(await run(), { ...fine, entries: 0 });
  });
}

Deno.test("an empty database file is no failure", async () => {
  await using t = await tempStore();
  const { opencode } = fillAgentHome(homeOf(t.workspace), t.workspace);
  Deno.writeFileSync(opencode, new Uint8Array());
  const { code, stdout } = await t.ctx(["import", "opencode", "--json"]);
  assert.deepEqual([code, JSON.parse(stdout).entries], [0, 5]);
});

Deno.test("a database whose table is a view that never ends is refused, not read", async () => {
  await using t = await tempStore();
  const { opencode } = fillAgentHome(homeOf(t.workspace), t.workspace);
  change(opencode, [
    "DROP TABLE message",
    `CREATE VIEW message AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT 'm' || i AS id, 'ses_db' AS session_id, i AS time_created, i AS time_updated,
      '{}' AS data FROM n`,
  ]);
  const { code, stdout } = await t.ctx(["import", "opencode", "--json"]);
  assert.equal(code, 9);
  const [{ problems, entries }] = JSON.parse(stdout).sources;
  assert.deepEqual(problems, [{ path: opencode, reason: 'it has no table "message"' }]);
  assert.equal(entries, 5);
});

for (
  const [agent, message, count] of [
    ["claude-code", { transcript_path: "~/.claude/projects/-work-app/CLAUDE.jsonl" }, 11],
    ["codex", { "thread-id": "01990000-aaaa-7bbb-8ccc-ddddeeee0001" }, 7],
    ["opencode", { session_id: "ses_db" }, 2],
    ["cursor", { conversation_id: "composer-1" }, 4],
    ["gemini", { session_id: "aaaa1111-0000-4000-8000-000000000001" }, 5],
  ] as const
) {
  Deno.test(`ctx hook ${agent} takes the turn over from the agent's own files`, async () => {
    await using t = await tempStore();
    const home = homeOf(t.workspace);
    fillAgentHome(home, t.workspace);
    const before = agentsFiles(home);
    const stdin = JSON.stringify({ ...message, cwd: t.workspace }).replace("~", home)
      .replace("CLAUDE", "11111111-2222-4333-8444-555555555555");
    const { code, stdout, stderr } = await t.ctx(["hook", agent], { stdin });
    assert.deepEqual([code, stdout, stderr], [0, "", ""]);
    assert.equal(t.ids().length, count);
    assert.deepEqual(agentsFiles(home), before);
  });
}

Deno.test("a hook that cannot read the agent's database says so and never stops the agent", async () => {
  await using t = await tempStore();
  const { opencode } = fillAgentHome(homeOf(t.workspace), t.workspace);
  Deno.writeTextFileSync(opencode, "not a database at all");
  const stdin = JSON.stringify({ session_id: "ses_db", cwd: t.workspace });
  const { code, stdout, stderr } = await t.ctx(["hook", "opencode"], { stdin });
  assert.deepEqual([code, stdout], [1, ""]);
  assert.equal(stderr, `ctx hook: Cannot read "${opencode}": not a database\n`);
  const wrong = await t.ctx(["hook", "opencode", "--no-such-flag"], { stdin });
  assert.equal(wrong.code, 1);
});

/** Statements on a database that nothing has open. */
function change(path: string, statements: string[]): void {
  const database = new DatabaseSync(path);
  for (const sql of statements) database.exec(sql);
  database.close();
}
