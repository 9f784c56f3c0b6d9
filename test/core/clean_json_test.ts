// A line from elsewhere is kept byte for byte only when it says nothing but what was read of it.

import assert from "node:assert/strict";
import { isCleanJson } from "../../src/core/clean_json.ts";

const read = { id: "F1", ts: "2026-01-01T00:00:00.000Z", role: "user", type: "t", text: "a b" };
const line = (fields: object): string => JSON.stringify({ ...read, ...fields }, null, 1);

Deno.test("a line that says the same in another way is clean", () => {
  assert.ok(isCleanJson(line({}), read));
  assert.ok(isCleanJson('{"id":"F1","content":"a b","timestamp":1767225600}', read));
  const numbers = '{"id":"F1","text":"a b","m":{"2":12345678901234567890,"1":1.0}}';
  assert.ok(isCleanJson(numbers, { ...read, m: { 2: 0, 1: 1 } }));
});

Deno.test("a line with a secret, or a text that reading drops, is not", () => {
  const key = "AKIAIOSFODNN7EXAMPLQ";
  for (
    const fields of [
      { role: key },
      { ts: key },
      { type: { password: "hunter2hunter2X9" } },
      { refs: { a: key } },
      { session_id: [key] },
      { title: { a: "internal-42" } },
      { source: { "internal-43": 1 } },
    ]
  ) {
    assert.equal(isCleanJson(line(fields), read), false, JSON.stringify(fields));
  }
  assert.equal(isCleanJson(`{"text":"x","text":"a b"}`, read), false);
  assert.equal(isCleanJson(`{"text":"\\u0061 b"}`, read), false);
});

Deno.test("a line of millions of escapes is written anew, not a crash", () => {
  const text = "a\n".repeat(5_000_000);
  assert.equal(isCleanJson(JSON.stringify({ text }), { text }), false);
});
