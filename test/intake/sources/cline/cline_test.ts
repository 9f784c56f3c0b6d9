// Cline: what it sends in the user's name is told from what the user typed.

import assert from "node:assert/strict";
import { briefOf, importRows, writeHistory } from "../../../support/stores/import_rows.ts";
import { tempStore } from "../../../support/stores/temp_store.ts";

Deno.test("cline: results of sub-agents and of newer tools, and attached files, are not typed", async () => {
  await using t = await tempStore();
  const text = (text: string) => ({ type: "text", text });
  const user = (...texts: string[]) => ({ role: "user", content: texts.map(text) });
  const assistant = (words: string) => ({ role: "assistant", content: [text(words)] });
  const file =
    '<file_content path="a.md">\nUse tabs.\n\n<task>\nnot typed\n</task>\n</file_content>';
  const root = writeHistory(t, {
    "tasks/1770000000003/api_conversation_history.json": [
      user("<task>\nreview it\n</task>", `Files attached by the user:\n\n${file}`),
      assistant("<use_subagents>\n<prompt_1>look at a</prompt_1>\n</use_subagents>"),
      user("[subagents] Result:\nSubagent results:\nTotal: 1\n\n[1] COMPLETE - look at a"),
      assistant("Done."),
      user(`And this one:\n\nFiles attached by the user:\n\n${file}\n\n${file}`),
      assistant("Looked."),
      user("[some_new_tool] Result:", "fine"),
      user("[x] is the box that I mean, Result: none"),
    ],
  });
  const { rows } = await importRows(t, { source: "cline", root });
  assert.deepEqual(rows.map(briefOf), [
    "user/turn: review it",
    "assistant/tool_call: use_subagents",
    "tool/tool_output: Subagent results:\nTotal: 1\n\n[1] COMPLETE - look at a",
    "assistant/turn: Done.",
    "user/turn: And this one:",
    "assistant/turn: Looked.",
    "tool/tool_output: fine",
    "user/turn: [x] is the box that I mean, Result: none",
  ]);
  assert.equal(rows[2].tool?.call_id, rows[1].tool?.call_id);
  assert.equal(rows[2].tool?.name, "use_subagents");
});
