// One conversation of OpenCode in the tables of two versions, and in the databases of two channels.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { opencode } from "../../../../src/intake/sources/opencode/opencode.ts";
import { collect } from "../../../support/collect.ts";
import { homeOf } from "../../../support/processes/run_ctx.ts";
import { tempStore } from "../../../support/stores/temp_store.ts";
import {
  growOpencodeDatabase,
  makeOpencode2Tables,
  makeOpencodeDatabase,
} from "../database/databases.ts";

Deno.test("a conversation that went on in OpenCode 2 is one, each message once", async () => {
  await using t = await tempStore();
  const path = `${t.workspace}/opencode.db`;
  makeOpencodeDatabase(path);
  makeOpencode2Tables(path);
  change(path, [
    // Two messages were carried over, one of them while it ran; then it went on.
    "UPDATE message SET data = json_set(data, '$.time.completed', 1) WHERE id = 'msg_1'",
    "UPDATE session_message SET session_id = 'ses_db', time_created = time_created + seq",
    carriedOver("msg_1", "user", { text: "Carried over" }),
    carriedOver("msg_2", "assistant", { content: [{ type: "text", text: "Ended later" }] }),
    // What came before the first of them was not.
    'INSERT INTO message VALUES (\'msg_0\', \'ses_db\', 1, 1, \'{"role":"user","time":{"created":1}}\')',
    `INSERT INTO part VALUES ('prt_0', 'msg_0', 'ses_db', 1, 1, '{"type":"text","text":"Before"}')`,
    // And a newer message that only the old tables have is what was left when they stood still.
    "INSERT INTO message VALUES ('msg_9', 'ses_db', 1780000000000, 1, '{\"role\":\"user\"}')",
    `INSERT INTO part VALUES ('prt_9', 'msg_9', 'ses_db', 1, 1, '{"type":"text","text":"Stale"}')`,
    "INSERT INTO session_v2 SELECT 'ses_db', 'p', NULL, NULL, 's', '/work/app', 'Renamed', '2', NULL, NULL, NULL, 1, 2",
  ]);
  const { sessions, tally } = await collect(opencode, path);
  assert.deepEqual(sessions.map(({ session }) => [session.id, session.title]), [
    ["ses_db", "Renamed"],
  ]);
  const said = sessions[0].entries.filter(({ type }) => type === "turn");
  assert.deepEqual(said.map(({ text, message }) => [text.slice(0, 13), message]), [
    ["Before", "prt_0"],
    ["List files, k", "prt_1"],
    ["Ended later", "msg_2:1"],
    ["Fix it, key A", "msg_two1:0"],
    ["Fixed.", "msg_two3:2"],
  ]);
  assert.deepEqual(tally.skipped, {
    "type:message.system": 1,
    "type:message.model-switched": 1,
    synthetic_text: 1,
    empty_message: 1,
  });
});

Deno.test("the rows of OpenCode 2 are whole", async () => {
  await using t = await tempStore();
  const path = `${t.workspace}/chosen.sqlite`;
  makeOpencode2Tables(path);
  const { sessions: [{ entries, details }] } = await collect(opencode, path);
  assert.deepEqual(details, { title: "Second", title_from: "ai" });
  const [prompt, patch, , answer, call, output, shell, listing] = entries;
  assert.deepEqual(prompt.files, ["src/a.ts", "shot.png"]);
  assert.deepEqual(patch.files, ["src/a.ts"]);
  assert.deepEqual([answer.text, answer.model], ["Fixed.", "p/m"]);
  assert.deepEqual([call.text, call.files, call.ts], [
    "read: /work/app/src/a.ts",
    ["src/a.ts"],
    "2026-09-21T14:13:23.000Z",
  ]);
  assert.deepEqual([output.text, output.ts], ["const a = 1;", "2026-09-21T14:13:25.000Z"]);
  assert.deepEqual(output.usage, {
    id: "msg_two3",
    input_tokens: 10,
    output_tokens: 5,
    reasoning_tokens: 1,
    cache_read_tokens: 2,
    cache_write_tokens: 3,
  });
  assert.deepEqual([shell.text, listing.text], ["shell: ls", "a.ts"]);
});

Deno.test("a conversation in the databases of two channels is imported once, also when both go on", async () => {
  await using t = await tempStore();
  const data = `${homeOf(t.workspace)}/.local/share/opencode`;
  const [release, dev] = [`${data}/opencode.db`, `${data}/opencode-dev.db`];
  for (const path of [release, dev]) {
    makeOpencodeDatabase(path);
    change(path, [`UPDATE session SET directory = '${t.workspace}'`]);
  }
  const run = async () => {
    const { code, stdout } = await t.ctx(["import", "opencode", "--json"]);
    const { entries, sources: [{ sessions_seen, superseded }] } = JSON.parse(stdout);
    return { code, entries, sessions_seen, superseded };
  };
  const nothing = { code: 0, entries: 0, sessions_seen: 1, superseded: 0 };
  assert.deepEqual(await run(), { ...nothing, entries: 2 });
  assert.deepEqual(await run(), nothing);
  // The tool ends in one of them, the prompt is edited in it too: the other keeps what was.
  growOpencodeDatabase(dev);
  change(dev, [
    `UPDATE part SET time_updated = 9, data = '{"type":"text","text":"Edited"}' WHERE id = 'prt_1'`,
  ]);
  assert.deepEqual(await run(), { ...nothing, entries: 2, superseded: 1 });
  // Whichever goes on, what is older in it does not come back.
  for (const [path, time] of [[release, 1771000004000], [dev, 1771000005000]] as const) {
    change(path, [
      `INSERT INTO message VALUES ('m${time}', 'ses_db', ${time}, ${time}, '{"role":"user"}')`,
      `INSERT INTO part VALUES ('p${time}', 'm${time}', 'ses_db', ${time}, ${time}, '{"type":"text","text":"More"}')`,
      `UPDATE session SET time_updated = ${time}`,
    ]);
    assert.deepEqual(await run(), { ...nothing, entries: 1 });
    assert.deepEqual(await run(), nothing);
  }
});

/** A message of 1.x as the upgrade puts it into the tables of 2.x. */
function carriedOver(id: string, type: string, data: object): string {
  return `INSERT INTO session_message SELECT id, 'ses_db', '${type}', ${-Number(id.at(-1))},
    time_created, 2, '${JSON.stringify(data)}' FROM message WHERE id = '${id}'`;
}

function change(path: string, statements: string[]): void {
  const database = new DatabaseSync(path);
  for (const sql of statements) database.exec(sql);
  database.close();
}
