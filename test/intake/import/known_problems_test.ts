// One broken conversation fails the import that meets it first, and whoever asks for its source; it is
// named every time. A database that cannot be read fails every import.

import assert from "node:assert/strict";
import type { Receipt } from "../../../src/intake/import/receipt.ts";
import { homeOf } from "../../support/processes/run_ctx.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const note = "ctx: 1 place could not be read; the rest was imported\n";
const asBefore = "ctx: 1 place could not be read, as before\n";

Deno.test("a conversation that stays broken is named every time, and fails once", async () => {
  await using t = await tempStore();
  const sessions = `${homeOf(t.workspace)}/.continue/sessions`;
  Deno.mkdirSync(sessions, { recursive: true });
  const path = `${sessions}/s1.json`;
  const whole = JSON.stringify({
    sessionId: "s1",
    workspaceDirectory: t.workspace,
    history: [{ message: { role: "user", content: "hello" }, contextItems: [] }],
  });
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await t.ctx(["import", ...words]);
    return [code, stderr, stdout.includes(`cannot read ${path}: `)];
  };
  Deno.writeTextFileSync(path, whole.slice(0, -5));
  assert.deepEqual(await run("--dry-run"), [9, note, true]);
  assert.deepEqual(await run(), [9, note, true]);
  assert.deepEqual(await run(), [0, asBefore, true]);
  // Who names the source or the place wants to know how it is.
  assert.deepEqual(await run("continue"), [9, note, true]);
  assert.deepEqual(await run("--from", sessions), [9, note, true]);
  assert.deepEqual(await run(), [0, asBefore, true]);
  Deno.writeTextFileSync(path, whole.slice(0, -9));
  assert.deepEqual(await run(), [9, note, true]);
  const { sources } = JSON.parse((await t.ctx(["import", "--json"])).stdout);
  const [receipt]: Receipt[] = sources;
  assert.deepEqual([receipt.problem_count, receipt.problems_known], [1, 1]);
  Deno.writeTextFileSync(path, whole);
  assert.deepEqual(await run(), [0, "", false]);
  assert.deepEqual(JSON.parse(t.read("index/import.problems.json")), {});
});

Deno.test("also of many that stay broken each fails once; the receipt names fifty", async () => {
  await using t = await tempStore();
  const sessions = `${homeOf(t.workspace)}/.continue/sessions`;
  Deno.mkdirSync(sessions, { recursive: true });
  for (let i = 0; i < 60; i++) Deno.writeTextFileSync(`${sessions}/${i}.json`, '{"history":[');
  for (const expected of [9, 0]) {
    const { code, stdout } = await t.ctx(["import", "--all-projects", "--json"]);
    const [receipt]: Receipt[] = JSON.parse(stdout).sources;
    assert.deepEqual([code, receipt.problem_count, receipt.problems.length], [expected, 60, 50]);
  }
});

Deno.test("a database that cannot be read fails every import", async () => {
  await using t = await tempStore();
  const directory = `${homeOf(t.workspace)}/.local/share/opencode`;
  Deno.mkdirSync(directory, { recursive: true });
  Deno.writeTextFileSync(`${directory}/opencode.db`, "not a database ".repeat(50));
  for (let i = 0; i < 2; i++) {
    const { code, stderr } = await t.ctx(["import"]);
    assert.deepEqual([code, stderr], [9, note]);
  }
});
