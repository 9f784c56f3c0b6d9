// What a start says of changed code: told again after something was saved, and looked at again after
// anything else.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { lookAtCode, type Looked } from "../../../src/recall/pack/find_stale_ids.ts";
import { rowOf, type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const session_id = "S-1kf00000000000000";
const before = "export const tries = 3;\nexport const waitMs = 1000;";
const after = "export const tries = 6;\nexport const waitMs = 4000;";

/** A session that edited a file and decided something; the file is as the session left it. */
async function makeWorkspace(): Promise<TempStore> {
  const input = { file_path: "src/wait.js", old_string: before, new_string: after };
  const tool = { name: "Edit", effect: "edit" as const, call_id: "c1", input };
  const rows: Partial<Entry>[] = [
    { role: "user", type: "turn", text: "Wait longer" },
    { role: "assistant", type: "tool_call", text: "Edit: src/wait.js", tool },
    { role: "tool", type: "tool_output", text: "done", tool: { name: "Edit", call_id: "c1" } },
    { id: "H-longer", role: "note", type: "decision", text: "We try six times" },
  ];
  const common = { session_id, files: ["src/wait.js"] };
  const t = await tempStore({ entries: rows.map((row) => ({ ...common, ...row })) });
  Deno.mkdirSync(`${t.workspace}/src`);
  write(t, after);
  return t;
}

function write(t: TempStore, text: string): void {
  Deno.writeTextFileSync(`${t.workspace}/src/wait.js`, `${text}\n`);
}

/** What a look says now; whether it was told again without one. */
async function look(t: TempStore, ids: string[], told?: Looked): Promise<[Looked, boolean]> {
  const looked = await lookAtCode(t.open(), ids, told);
  return [looked, looked === told];
}

Deno.test("after something was saved, what was told of code is told again", async () => {
  await using t = await makeWorkspace();
  write(t, before);
  const [first] = await look(t, ["H-longer"]);
  assert.deepEqual(first.changed, ["H-longer"]);
  const { id } = await t.run<{ id: string }>("save", { text: "The office is closed on Friday" });
  const [, isSame] = await look(t, ["H-longer", id], first);
  assert.ok(isSame);
});

Deno.test("what was saved about code is looked at, and nothing else is looked at again", async () => {
  await using t = await makeWorkspace();
  const [first] = await look(t, ["H-longer"]);
  assert.deepEqual(first.changed, []);
  const text = "Six tries:\n```js\n// src/wait.js\nexport const tries = 6;\n```";
  const { id } = await t.run<{ id: string }>("save", { text, files: ["src/wait.js"] });
  const [second, isSame] = await look(t, ["H-longer", id], first);
  assert.ok(!isSame);
  assert.deepEqual(second.ids, ["H-longer", id]);
  assert.ok((await look(t, ["H-longer", id], second))[1]);
});

Deno.test("work, a confirmation, something forgotten and a changed file are looked at", async () => {
  await using t = await makeWorkspace();
  write(t, before);
  const [first] = await look(t, ["H-longer"]);
  await t.run("confirm", { id: "H-longer" });
  const [confirmed, isSame] = await look(t, ["H-longer"], first);
  assert.deepEqual([confirmed.changed, isSame], [[], false]);

  const row = rowOf({ id: "H-turn", session_id, role: "user", type: "turn", text: "Go on" });
  Deno.writeTextFileSync(`${t.root}/history.ndjson`, `${JSON.stringify(row)}\n`, { append: true });
  const [worked, isWorkSame] = await look(t, ["H-longer"], confirmed);
  assert.ok(!isWorkSame);

  await t.run("forget", { ids: ["H-turn"] });
  const [forgotten, isForgottenSame] = await look(t, ["H-longer"], worked);
  assert.ok(!isForgottenSame);

  write(t, "export const none = true;");
  assert.ok(!(await look(t, ["H-longer"], forgotten))[1]);
});
