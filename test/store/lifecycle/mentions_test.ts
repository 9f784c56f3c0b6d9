import assert from "node:assert/strict";
import { Mentions } from "../../../src/store/lifecycle/mentions.ts";

const foreign = [
  "msg/42",
  "two words",
  "größe-7",
  "a]b",
  'he said "x"',
  "x(1)",
  "H-été",
  "line\nend",
];

Deno.test("Mentions finds ids of every shape where ctx writes them", () => {
  for (const id of ["H-1", "toolu_01.x", ...foreign]) {
    const mentions = new Mentions(new Set([id]));
    const texts = [
      `- 2026-01-01 a line [${id}]`,
      `- [id:${id}] pinned`,
      `x (corrects ${id}) [H-9]`,
    ];
    for (const text of texts) assert.ok(mentions.inText(text), `${id} in ${text}`);
    const lines = [
      { ranking: [{ id }] },
      { inputs: [id] },
      { shown: { [id]: 1 } },
      { text: JSON.stringify({ id, text: "torn" }).slice(0, -1) },
    ];
    for (const line of lines) {
      const bytes = new TextEncoder().encode(JSON.stringify(line));
      if (id === 'he said "x"' && line.text !== undefined) continue; // two levels of escapes
      if (id === "line\nend" && line.text !== undefined) continue;
      assert.ok(mentions.inLine(bytes), `${id} in ${JSON.stringify(line)}`);
    }
  }
});

Deno.test("Mentions takes no id for another that begins like it", () => {
  for (const [id, other] of [["H-1", "H-10"], ["msg/4", "msg/42"], ["größe", "größe-7"]]) {
    const mentions = new Mentions(new Set([id]));
    assert.equal(
      mentions.inLine(new TextEncoder().encode(JSON.stringify({ id: other }))),
      false,
      id,
    );
    assert.equal(mentions.inText(`a line [${other}]`), false, id);
  }
});
