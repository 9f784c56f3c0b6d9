// A compaction of Codex is told once, with its summary, which is nobody's answer; what Codex puts into the
// user's place is no prompt.

import assert from "node:assert/strict";
import { briefOf, importRows, writeHistory } from "../../../support/stores/import_rows.ts";
import { tempStore } from "../../../support/stores/temp_store.ts";

const head = "Another language model started to solve this problem and produced a summary:";

/** Lines of a rollout, a second apart. */
function rollout(...payloads: [type: string, payload: object][]): string {
  const lines = [["session_meta", { id: "t-1", cwd: "/work/app" }], ...payloads];
  return lines.map(([type, payload], i) =>
    `${JSON.stringify({ timestamp: `2026-05-01T10:00:${10 + i}.000Z`, type, payload })}\n`
  ).join("");
}

const event = (
  type: string,
  more: object = {},
): [string, object] => ["event_msg", { type, ...more }];
const say = (role: string, text: string): [string, object] => [
  "response_item",
  {
    type: "message",
    role,
    content: [{ type: role === "user" ? "input_text" : "output_text", text }],
  },
];
const usage = { input_tokens: 9, output_tokens: 3 };

for (const turn of [undefined, "turn-1"]) {
  const name = turn === undefined ? "without turns" : "with turns";
  Deno.test(`codex: a compaction is one boundary and one summary, no answer, ${name}`, async () => {
    await using t = await tempStore();
    const root = writeHistory(t, {
      "sessions/rollout-a.jsonl": rollout(
        ...(turn === undefined ? [] : [event("task_started", { turn_id: turn })]),
        say("user", "Rotate the key"),
        say("assistant", "Rotated."),
        event("agent_message", { message: "Rotated." }),
        say("assistant", "We rotated the key."),
        event("token_count", { info: { total_token_usage: usage, last_token_usage: usage } }),
        ["compacted", { message: `${head}\nWe rotated the key.`, replacement_history: [] }],
        event("context_compacted"),
        event("task_complete", { last_agent_message: "We rotated the key." }),
        say("user", `${head}\nWe rotated the key.`),
        say("user", "And now?"),
        ["compacted", { message: "" }],
        event("context_compacted"),
        event("context_compacted"),
        ["compacted", { message: "Only this" }],
      ),
    });
    const { rows, receipt } = await importRows(t, { source: "codex", root });
    assert.deepEqual(rows.map(briefOf), [
      "user/turn: Rotate the key",
      "assistant/turn: Rotated.",
      "system/compaction: Context compacted",
      "system/summary: We rotated the key.",
      "user/turn: And now?",
      "system/compaction: Context compacted",
      "system/compaction: Context compacted",
      "system/summary: Only this",
    ]);
    assert.equal(Object(rows[3].usage).output_tokens, 3);
    assert.equal(receipt.messages, receipt.messages_kept + 1);
    assert.deepEqual(receipt.messages_skipped, { harness_text: 1 });
    const again = await importRows(t, { source: "codex", root });
    assert.equal(again.receipt.entries, 0);
  });
}

Deno.test("codex: a skill that was put before a prompt is no prompt", async () => {
  await using t = await tempStore();
  const skill = "<skill>\n<name>deploy</name>\n<path>/s/SKILL.md</path>\nAlways deploy.\n</skill>";
  const root = writeHistory(t, {
    "sessions/rollout-a.jsonl": rollout(
      say("user", "$deploy the app"),
      say("user", skill),
      say("user", `${skill}\n\nand the docs`),
      say("assistant", "Done."),
    ),
  });
  const { rows, receipt } = await importRows(t, { source: "codex", root });
  assert.deepEqual(rows.map(briefOf), [
    "user/turn: $deploy the app",
    "user/turn: and the docs",
    "assistant/turn: Done.",
  ]);
  assert.deepEqual(receipt.messages_skipped, { harness_text: 1 });
});
