// The states in which histories are found, of every agent at once and through the built file: sound,
// in use, replaced by a copy, in a second home, cut off and mended. Receipts add up in each.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Receipt } from "../../../src/intake/import/receipt.ts";
import { fillAgentHome, rowsOfAgents } from "../../support/processes/agent_home.ts";
import { homeOf } from "../../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { copyTree, listTree } from "../../support/stores/tree.ts";
import { fromFileUrl } from "../../../src/core/platform_path.ts";

interface Imported {
  code: number;
  receipts: Map<string, Receipt>;
}

/** Sources without a place of their own. */
const given = ["chatgpt", "claude-web", "contextfs", "ndjson", "server-memory", "mem0"];
/** Sources that tell the project of what they hold. */
const asked = ["claude-mem", "beads"];
const samples = fromFileUrl(new URL("../../samples", import.meta.url));
const agents = Object.keys(rowsOfAgents).filter((name) =>
  !given.includes(name) && !asked.includes(name)
).sort();
const whole = Object.fromEntries(agents.map((name) => [name, rowsOfAgents[name]]));
const nothing = Object.fromEntries(agents.map((name) => [name, 0]));

Deno.test("every agent's messages and sessions are kept or counted with a reason", async () => {
  await using t = await tempStore();
  fillAgentHome(homeOf(t.workspace), t.workspace);
  const { code, receipts } = await run(t);
  assert.equal(code, 0);
  assert.deepEqual(entriesOf(receipts), whole);
  for (const name of given) {
    const root = `${samples}/${name}${name === "contextfs" ? "/store" : ""}`;
    const { receipts } = await run(t, [name, "--root", root]);
    assert.equal(receipts.get(name)?.entries, rowsOfAgents[name], name);
  }
});

Deno.test("what was replaced by a copy, or lies in a second home, adds nothing", async () => {
  await using t = await tempStore();
  const home = homeOf(t.workspace);
  fillAgentHome(home, t.workspace);
  await run(t);
  const mine = `${t.workspace}/.contextfs/`;
  for (const path of [...listTree(home), ...listTree(t.workspace)]) {
    if (path.startsWith(mine)) continue;
    Deno.copyFileSync(path, `${path}.new`);
    Deno.removeSync(path);
    Deno.renameSync(`${path}.new`, path);
  }
  const rotated = await run(t);
  assert.deepEqual([rotated.code, entriesOf(rotated.receipts)], [0, nothing]);
  const second = Deno.makeTempDirSync({ prefix: "ctx-second-home-" });
  try {
    copyTree(home, second);
    const other = await run(t, [], second);
    assert.deepEqual([other.code, entriesOf(other.receipts)], [0, nothing]);
  } finally {
    Deno.removeSync(second, { recursive: true });
  }
});

Deno.test("databases that their agents hold locked give what was committed", async () => {
  await using t = await tempStore();
  const home = homeOf(t.workspace);
  fillAgentHome(home, t.workspace);
  const locked = [...listTree(home), ...listTree(t.workspace)]
    .filter((path) => /\.(?:db|sqlite3?|vscdb)$/.test(path) && !path.includes("/.contextfs/"))
    .map((path) => {
      const database = new DatabaseSync(path);
      database.exec("BEGIN EXCLUSIVE; CREATE TABLE uncommitted (a)");
      return database;
    });
  assert.ok(locked.length >= 9, `${locked.length} databases`);
  const { code, receipts } = await run(t);
  for (const database of locked) database.close();
  assert.deepEqual([code, entriesOf(receipts)], [0, whole]);
});

Deno.test("what was cut off is told, and taken once it is whole", async () => {
  await using t = await tempStore();
  const home = homeOf(t.workspace);
  fillAgentHome(home, t.workspace);
  const paths = [...listTree(home), ...listTree(t.workspace)]
    .filter((path) => !path.includes("/.contextfs/"));
  const sound = new Map(paths.map((path) => [path, Deno.readFileSync(path)]));
  for (const [path, bytes] of sound) {
    Deno.writeFileSync(path, bytes.subarray(0, bytes.length >> 1));
  }
  const cut = await run(t);
  assert.equal(cut.code, 9);
  for (const [name, receipt] of cut.receipts) {
    const { bad_lines, problem_count, skipped, entries } = receipt;
    // A file that says where a session was held may be cut too.
    const elsewhere = sum(receipt.sessions_skipped);
    const isTold = bad_lines + problem_count + (skipped.unfinished_line ?? 0) + elsewhere > 0;
    // Aider's and SpecStory's are prose: nobody can see where they should have ended.
    const isProse = name === "aider" || name === "specstory";
    assert.ok(isTold || isProse || entries === whole[name], JSON.stringify(receipt));
  }
  for (const [path, bytes] of sound) Deno.writeFileSync(path, bytes);
  const mended = await run(t);
  assert.equal(mended.code, 0);
  const rows = Object.fromEntries(agents.map((name) => {
    const [before, after] = [cut.receipts.get(name), mended.receipts.get(name)];
    return [name, (before?.entries ?? 0) + (after?.entries ?? 0) - (after?.superseded ?? 0)];
  }));
  assert.deepEqual(rows, whole);
});

/** Imports, and adds up what each source says of itself. */
async function run(t: TempStore, words: string[] = [], home?: string): Promise<Imported> {
  const env = home === undefined ? undefined : { HOME: home };
  const { code, stdout } = await t.ctx(["import", ...words, "--no-distil", "--json"], { env });
  const sources: Receipt[] = JSON.parse(stdout).sources;
  for (const receipt of sources) {
    const { messages, messages_kept, messages_skipped, sessions_seen, sessions_imported } = receipt;
    assert.equal(messages, messages_kept + sum(messages_skipped), JSON.stringify(receipt));
    assert.ok(messages_kept >= 0, JSON.stringify(receipt));
    const sessions = sessions_imported + sum(receipt.sessions_skipped);
    assert.equal(sessions_seen, sessions, JSON.stringify(receipt));
    for (const [reason, count] of Object.entries(messages_skipped)) {
      assert.equal(receipt.skipped[reason], count, JSON.stringify(receipt));
    }
  }
  return { code, receipts: new Map(sources.map((receipt) => [receipt.source, receipt])) };
}

function entriesOf(receipts: Map<string, Receipt>): Record<string, number> {
  return Object.fromEntries([...receipts].map(([name, { entries }]) => [name, entries]).sort());
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
