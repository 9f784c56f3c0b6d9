// Kiro's IDE and its newer lines, read as people run it.

import assert from "node:assert/strict";
import { briefOf, importRows, writeHistory } from "../../../support/stores/import_rows.ts";
import { tempStore } from "../../../support/stores/temp_store.ts";
import { copyTree } from "../../../support/stores/tree.ts";
import { fromFileUrl } from "../../../../src/core/platform_path.ts";

const samples = fromFileUrl(new URL("../../../samples", import.meta.url));

Deno.test("kiro: what the IDE's runs did is told with the prompts, dated by the runs", async () => {
  await using t = await tempStore();
  const root = `${t.workspace}/agent`;
  copyTree(`${samples}/kiro-ide`, root);
  const { rows, receipt } = await importRows(t, { source: "kiro", root });
  assert.deepEqual(rows.map((row) => [briefOf(row), row.ts.slice(11, 19)]), [
    ["user/turn: Split the loader in two. [REDACTED:aws-access-key-id]", "06:13:21"],
    ["assistant/tool_call: readFiles", "06:13:21"],
    ["tool/tool_output: ", "06:13:21"],
    ["assistant/tool_call: replace: src/load.ts", "06:13:21"],
    ["tool/tool_output: ", "06:13:21"],
    ["assistant/tool_call: runCommand: npm test", "06:13:21"],
    ["tool/tool_output: 1 failing", "06:13:21"],
    ["assistant/turn: The loader has two parts now.", "06:13:28"],
    ["user/turn: And name it.", "06:13:21"],
    ["assistant/turn: It is called read_all.", "06:13:21"],
  ]);
  const [read, edit] = rows.filter((row) => row.type === "tool_call");
  assert.deepEqual([read.files, read.tool?.effect], [["src/load.ts"], "read"]);
  assert.deepEqual([edit.files, edit.tool?.effect], [["src/load.ts"], "edit"]);
  assert.deepEqual(receipt.sessions_skipped, { empty: 1 });
  assert.deepEqual(receipt.skipped, { run_gone: 1, "type:action.model": 1, migrated_session: 1 });
  assert.deepEqual([receipt.messages, receipt.messages_kept], [4, 4]);
});

Deno.test("kiro: a call that is told twice is one, and its result has its name", async () => {
  await using t = await tempStore();
  const line = (id: string, payload: object) =>
    JSON.stringify({ id, timestamp: "2026-07-01T10:00:00.000Z", payload });
  const call = {
    type: "tool_call",
    toolCallId: "t1",
    toolName: "fs_write",
    args: { path: "a.ts" },
  };
  const root = writeHistory(t, {
    "h1/sess_1/session.json": { id: "sess_1", workspacePaths: ["/w"], title: "Write a" },
    "h1/sess_1/messages.jsonl": [
      line("1", { type: "user", content: "write a" }),
      line("2", { ...call, status: "pending" }),
      line("3", { ...call, status: "completed" }),
      line("4", { type: "tool_result", toolCallId: "t1", content: "no room", success: false }),
      line("5", { type: "assistant", operationType: "Reasoning", content: "Perhaps elsewhere." }),
      line("6", { type: "something_new" }),
      "",
    ].join("\n"),
  });
  const { rows, receipt } = await importRows(t, { source: "kiro", root });
  assert.deepEqual(rows.map(briefOf), [
    "user/turn: write a",
    "assistant/tool_call: fs_write: a.ts",
    "tool/tool_output: no room",
    "assistant/thinking: Perhaps elsewhere.",
  ]);
  assert.deepEqual([rows[2].tool?.name, rows[2].tool?.error], ["fs_write", true]);
  assert.deepEqual(receipt.skipped, { "type:something_new": 1 });
});

Deno.test("kiro: without the list, the name of its directory tells where a session was held", async () => {
  await using t = await tempStore();
  const document = { history: [{ message: { role: "user", content: "hello" } }] };
  // /work/ünique+app in base64, with the signs that Kiro puts for those of paths.
  const root = writeHistory(t, { "workspace-sessions/L3dvcmsvw7xuaXF1ZSthcHA_/s1.json": document });
  const { rows } = await importRows(t, { source: "kiro", root });
  assert.deepEqual(rows.map((row) => [row.text, row.project]), [["hello", "/work/ünique+app"]]);
});
