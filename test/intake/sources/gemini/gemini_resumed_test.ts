// A Gemini chat that was resumed: the journal has its messages a second time, poorer than before.

import assert from "node:assert/strict";
import { foldGemini } from "../../../../src/intake/sources/gemini/gemini_journal.ts";
import { briefOf, importRows, writeHistory } from "../../../support/stores/import_rows.ts";
import { tempStore } from "../../../support/stores/temp_store.ts";

const at = (second: number) => `2026-05-01T10:00:${second}.000Z`;
const head = (second: number) => ({ sessionId: "g-1", startTime: at(second), kind: "main" });
const tokens = { input: 10, output: 5, cached: 0, thoughts: 0 };
const call = { id: "c1", name: "read_file", args: { file_path: "a.ts" }, status: "success" };
const result = [{
  functionResponse: { id: "c1", name: "read_file", response: { output: "let a" } },
}];
const context = {
  id: "ctx",
  type: "user",
  content: [{ text: "<session_context>\nx\n</session_context>" }],
};
const prompt = { id: "u1", timestamp: at(11), type: "user", content: [{ text: "Look at it" }] };
const looked = {
  id: "m1",
  timestamp: at(12),
  type: "gemini",
  content: "",
  model: "g-flash",
  tokens,
};
const said = { ...looked, id: "m2", timestamp: at(13), content: "It is one line." };
const first = [
  head(10),
  { $set: { messages: [{ ...context, timestamp: at(10) }] } },
  prompt,
  looked,
  { ...looked, toolCalls: [{ ...call, result }] },
  said,
];
/** What `gemini --resume` writes first. */
const resumed = [
  head(40),
  { $set: { messages: [{ ...context, timestamp: at(40) }] } },
  {
    $set: {
      messages: [
        { ...context, timestamp: at(40) },
        { ...prompt, timestamp: at(40) },
        { id: "m1", timestamp: at(40), type: "gemini", content: [{ functionCall: call }] },
        { id: "m1_response", timestamp: at(40), type: "user", content: result },
        { id: "m2", timestamp: at(40), type: "gemini", content: [{ text: "It is one line." }] },
      ],
    },
  },
];
const lines = (values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

Deno.test("gemini: a resumed chat keeps models, usage, calls and times, and replaces nothing", async () => {
  await using t = await tempStore();
  const path = "tmp/p/chats/session-2026-05-01T10-00-g1.jsonl";
  const root = writeHistory(t, { [path]: lines(first) });
  const before = await importRows(t, { source: "gemini", root });
  assert.deepEqual(before.rows.map((row) => [briefOf(row), row.model]), [
    ["user/turn: Look at it", undefined],
    ["assistant/tool_call: read_file: a.ts", "g-flash"],
    ["tool/tool_output: let a", "g-flash"],
    ["assistant/turn: It is one line.", "g-flash"],
  ]);
  const later = { ...prompt, id: "u2", timestamp: at(41), content: [{ text: "And now?" }] };
  writeHistory(t, { [path]: lines([...first, ...resumed, later]) });
  const after = await importRows(t, { source: "gemini", root });
  assert.deepEqual([after.receipt.entries, after.receipt.superseded], [1, 0]);
  assert.deepEqual(after.rows, [...before.rows, after.rows[4]]);
  assert.equal(after.rows[4].text, "And now?");
  const snapshot = {
    ...later,
    id: "s1",
    content: [{ text: "<state_snapshot>x</state_snapshot>" }],
  };
  writeHistory(t, { [path]: lines([...first, { $set: { messages: [snapshot] } }]) });
  const compressed = await importRows(t, { source: "gemini", root });
  assert.deepEqual(compressed.rows.slice(5).map(briefOf), [
    "system/summary: <state_snapshot>x</state_snapshot>",
  ]);
  await using fresh = await tempStore();
  const copy = writeHistory(fresh, { [path]: lines([...first, ...resumed, later]) });
  const { rows } = await importRows(fresh, { source: "gemini", root: copy });
  assert.deepEqual(rows.map(({ ts, usage }) => [ts, usage !== undefined]), [
    [at(11), false],
    [at(12), false],
    [at(12), true],
    [at(13), true],
    [at(41), false],
  ]);
});

Deno.test("foldGemini() keeps what a compressed chat leaves out, and drops what was rewound", () => {
  const fold = (...more: object[]) =>
    foldGemini([...first, ...more].map((value) => ({ value: { ...value } })))
      .messages.map(({ id }) => id);
  const summary = { id: "s1", type: "user", content: [{ text: "<state_snapshot>" }] };
  assert.deepEqual(fold({ $set: { messages: [summary] } }), ["ctx", "u1", "m1", "m2", "s1"]);
  assert.deepEqual(fold({ $rewindTo: "m1" }), ["ctx", "u1"]);
});
