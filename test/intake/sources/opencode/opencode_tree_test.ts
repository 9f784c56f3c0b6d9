// OpenCode's JSON tree: every part belongs to one message of one session, wherever trees keep it.

import assert from "node:assert/strict";
import { readTree } from "../../../../src/intake/sources/opencode/opencode_tree.ts";
import { Tally } from "../../../../src/intake/sources/problem_tally.ts";
import { briefOf, importRows, writeHistory } from "../../../support/stores/import_rows.ts";
import { tempStore } from "../../../support/stores/temp_store.ts";

/** A tree of sessions whose messages have the same ids; `placeOf` says where a part lies. */
function tree(sessions: string[], placeOf: (part: string, session: string) => string) {
  const files: Record<string, unknown> = {};
  for (const [i, sessionID] of sessions.entries()) {
    const id = `prt_${i}`;
    files[`session/p/${sessionID}.json`] = { id: sessionID, directory: "/work/app", time: {} };
    files[`message/${sessionID}/msg_1.json`] = { id: "msg_1", sessionID, role: "user", time: {} };
    const part = { id, sessionID, messageID: "msg_1", type: "text", text: `Said in ${sessionID}` };
    files[placeOf(id, sessionID)] = part;
  }
  return files;
}

const layouts: Record<string, (part: string, session: string) => string> = {
  "a directory per message": (part) => `part/msg_1/${part}.json`,
  "a directory per session and message": (part, session) => `part/${session}/msg_1/${part}.json`,
  "one directory": (part) => `part/${part}.json`,
};

for (const [name, placeOf] of Object.entries(layouts)) {
  Deno.test(`opencode: a part belongs to its session, with parts in ${name}`, async () => {
    await using t = await tempStore();
    const root = writeHistory(t, tree(["ses_a", "ses_b", "ses_c"], placeOf));
    const { rows, receipt } = await importRows(t, { source: "opencode", root });
    assert.deepEqual(rows.map((row) => [row.source?.conversation, briefOf(row)]).sort(), [
      ["ses_a", "user/turn: Said in ses_a"],
      ["ses_b", "user/turn: Said in ses_b"],
      ["ses_c", "user/turn: Said in ses_c"],
    ]);
    assert.deepEqual([receipt.messages, receipt.messages_kept], [3, 3]);
  });
}

Deno.test("opencode: a tree is read a message at a time, and a message only up to 128 MiB", async () => {
  await using t = await tempStore();
  const files: Record<string, unknown> = {};
  for (const id of ["msg_1", "msg_2"]) {
    files[`message/ses_a/${id}.json`] = { id, role: "user", time: {} };
    files[`part/${id}/prt_${id}.json`] = { id, type: "text", text: id };
  }
  const root = writeHistory(t, files);
  const session = { id: "ses_a", path: root, signature: "" };
  const tally = new Tally();
  const messages = readTree(session, tally).messages[Symbol.iterator]();
  assert.equal(messages.next().value?.parts.length, 1);
  // What is not asked for yet is not read yet.
  Deno.writeTextFileSync(`${root}/part/msg_2/prt_more.json`, '{"type":"text","text":"later"}');
  assert.equal(messages.next().value?.parts.length, 2);
  for (let i = 0; i < 3; i++) {
    const path = `${root}/part/msg_1/prt_z${i}.json`;
    Deno.writeTextFileSync(path, `{"type":"text","text":"${"a".repeat(60 << 20)}"}`);
  }
  const [first] = readTree(session, tally).messages;
  assert.deepEqual(first.parts.map(({ id }) => id), ["msg_1", "prt_z0", "prt_z1"]);
  assert.deepEqual(tally.problems.map(({ path, reason }) => [path.slice(root.length), reason]), [
    ["/part/msg_1/prt_z2.json", "its message is larger than 128 MiB"],
  ]);
});

Deno.test("opencode: files that claim one message's id share its parts once", async () => {
  await using t = await tempStore();
  const files: Record<string, unknown> = {
    "part/msg_1/prt_1.json": { type: "text", text: "Once" },
  };
  for (let i = 1; i <= 3; i++) {
    files[`message/ses_a/msg_${i}.json`] = { id: "msg_1", role: "user", time: {} };
  }
  const root = writeHistory(t, files);
  const tally = new Tally();
  const messages = [...readTree({ id: "ses_a", path: root, signature: "" }, tally).messages];
  assert.deepEqual(messages.map(({ parts }) => parts.length), [1]);
  assert.equal(tally.bad_lines, 2);
});
