// Lines are picked by needles without decoding them: whichever way they are looked for, it is the
// lines that contain one, each once, in order.

import assert from "node:assert/strict";
import fc from "fast-check";
import { readLinesOf } from "../../src/disk/lines.ts";
import { MemoryReader } from "../../src/disk/memory_reader.ts";

function pick(lines: string[], needles: string[]): string[] {
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
  return [...readLinesOf(new MemoryReader(bytes), { needles })]
    .map((line) => new TextDecoder().decode(line.bytes));
}

Deno.test("lines with one of several needles are found, whether the needles begin alike or not", () => {
  const part = fc.constantFrom('"message":"', '"message":', "ab", "aab", "a", "b", "mess", " ");
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
  const needle = fc.oneof(text, text.map((rest) => `"message":"${rest}`)).filter(Boolean);
  const property = fc.property(
    fc.array(text, { maxLength: 12 }),
    fc.array(needle, { minLength: 1, maxLength: 5 }),
    (lines, needles) => {
      const expected = lines.filter((line) => needles.some((needle) => line.includes(needle)));
      assert.deepEqual(pick(lines, needles), expected);
    },
  );
  fc.assert(property, { numRuns: 1000, seed: 11 });
});
