// Shapes: the JSON Schema that they are, what it accepts, and the types that follow from them.

import assert from "node:assert/strict";
import { accepts } from "../../src/command/parse_input.ts";
import * as s from "../../src/command/shape.ts";

const fields = {
  id: s.text(),
  ...s.each(s.number(), "rows", "bytes"),
  title: s.optional(s.text()),
  score: s.nullable(s.number()),
  mode: s.oneOf(["fast", "exact"]),
  value: s.anyOf(s.text(), s.oneOf(["x"]), s.boolean()),
  counts: s.recordOf(s.number()),
  source: s.openObject({ agent: s.text() }),
  parts: s.listOf(s.object({ line: s.number() })),
};

const sound: s.ObjectOf<typeof fields> = {
  id: "H-1",
  rows: 1,
  bytes: 2,
  score: null,
  mode: "fast",
  value: true,
  counts: { a: 1 },
  source: { agent: "codex", model: "any" },
  parts: [{ line: 1 }],
};

Deno.test("a shape is its JSON Schema", () => {
  assert.deepEqual(s.objectSchemaOf(fields), {
    type: "object",
    properties: {
      id: { type: "string" },
      rows: { type: "number" },
      bytes: { type: "number" },
      title: { type: "string" },
      score: { type: ["number", "null"] },
      mode: { type: "string", enum: ["fast", "exact"] },
      value: {
        anyOf: [{ type: "string" }, { type: "string", enum: ["x"] }, { type: "boolean" }],
      },
      counts: { type: "object", additionalProperties: { type: "number" } },
      source: {
        type: "object",
        properties: { agent: { type: "string" } },
        required: ["agent"],
        additionalProperties: {},
      },
      parts: {
        type: "array",
        items: {
          type: "object",
          properties: { line: { type: "number" } },
          required: ["line"],
          additionalProperties: false,
        },
      },
    },
    required: ["id", "rows", "bytes", "score", "mode", "value", "counts", "source", "parts"],
    additionalProperties: false,
  });
});

Deno.test("accepts() takes what a shape describes and nothing else", () => {
  const schema = s.objectSchemaOf(fields);
  assert.ok(accepts(schema, sound));
  assert.ok(accepts(schema, { ...sound, title: "t", score: 0.5 }));
  const wrong: Record<string, unknown>[] = [
    { id: 1 },
    { rows: "1" },
    { bytes: NaN },
    { title: null },
    { score: "high" },
    { mode: "slow" },
    { value: 1 },
    { counts: { a: "1" } },
    { counts: [] },
    { source: {} },
    { parts: [{ line: 1, column: 2 }] },
    { parts: [{}] },
    { unknown: 1 },
  ];
  for (const part of wrong) {
    assert.ok(!accepts(schema, { ...sound, ...part }), JSON.stringify(part));
  }
  for (const name of s.objectSchemaOf(fields).required ?? []) {
    const rest = Object.entries(sound).filter(([field]) => field !== name);
    assert.ok(!accepts(schema, Object.fromEntries(rest)), `without ${name}`);
  }
});
