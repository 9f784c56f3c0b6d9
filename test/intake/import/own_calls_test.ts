import assert from "node:assert/strict";
import { OwnCalls } from "../../../src/intake/import/own_calls.ts";
import * as make from "../../../src/intake/sources/entries.ts";
import type { SourceEntry } from "../../../src/intake/sources/source.ts";

const at = (message: string) => ({ message, ts: "2026-11-01T10:00:00.000Z" });
const call = (name: string, input: object, call_id?: string) =>
  make.toolCall({ name, input, call_id }, at(`call-${call_id}`));
const result = (name: string, output: string, call_id?: string, error = false) =>
  make.toolOutput({ name, output, call_id, error }, at(`result-${call_id}`));
const told = (rows: SourceEntry[]) =>
  rows.map(({ message, type, text, refs }) => [message, type, text, ...(refs ?? [])]);

Deno.test("a call of ctx and its answer are one short row, with the call's id", () => {
  const own = new OwnCalls();
  const rows = [
    ...own.take(call("mcp__ctx__search", { query: "token rotation" }, "1")),
    ...own.take(call("Read", { file_path: "a.ts" }, "2")),
    ...own.take(result("mcp__ctx__search", "H-1: rotate weekly", "1")),
    ...own.take(result("Read", "code", "2")),
    ...own.release(),
  ];
  assert.deepEqual(told(rows), [
    ["call-2", "tool_call", "Read: a.ts"],
    ["call-1", "recall", "ctx search: token rotation"],
    ["result-2", "tool_output", "code"],
  ]);
  assert.equal(own.answers, 1);
  assert.ok(!JSON.stringify(rows).includes("rotate weekly"));
});

Deno.test("the row of a save names the entry that it made, and does not say it again", () => {
  const own = new OwnCalls();
  const id = "H-1m7gtx98bq4jcnv2g";
  const rows = [
    ...own.take(call("ctx_save_memory", { text: "We rotate weekly" }, "1")),
    ...own.take(result("ctx_save_memory", `id: ${id}; chars: 16`, "1")),
  ];
  assert.deepEqual(told(rows), [["call-1", "recall", "ctx save_memory", id]]);
  assert.ok(!JSON.stringify(rows).includes("weekly"));
});

Deno.test("a call of ctx that failed says why, on one line", () => {
  const own = new OwnCalls();
  const rows = [
    ...own.take(call("Bash", { command: "ctx search tokens" }, "1")),
    ...own.take(result("Bash", "ctx: Cannot open the store\nhint: ctx init", "1", true)),
  ];
  assert.deepEqual(told(rows), [[
    "call-1",
    "recall",
    "ctx search: tokens (failed: ctx: Cannot open the store)",
  ]]);
});

Deno.test("a call of ctx without an answer is kept, and one without an id is known by its place", () => {
  const own = new OwnCalls();
  const rows = [
    ...own.take(call("ctx_get", { id: "H-1" }, "1")),
    ...own.take(make.turn("user", "Stop", at("turn"))),
    ...own.take(call("bash", { command: "ctx get H-2" })),
    ...own.take(result("bash", "rotate weekly")),
    ...own.take(call("bash", { command: "ls" })),
    ...own.take(result("bash", "a.ts")),
  ];
  assert.deepEqual(told(rows).map(([, ...rest]) => rest), [
    ["recall", "ctx get: H-1"],
    ["turn", "Stop"],
    ["recall", "ctx get: H-2"],
    ["tool_call", "bash: ls"],
    ["tool_output", "a.ts"],
  ]);
});

Deno.test("an answer whose call was read earlier is left out, unless it says more", () => {
  const own = new OwnCalls();
  const id = "H-1m7gtx98bq4jcnv2g";
  assert.deepEqual(own.take(result("ctx__search", "rotate weekly", "1")), []);
  assert.deepEqual(told(own.take(result("ctx__save", id, "2"))), [
    ["result-2", "recall", "ctx save", id],
  ]);
});
