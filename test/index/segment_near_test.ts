// Near terms are those that a plain count of edits finds, whatever they share with their neighbours.

import assert from "node:assert/strict";
import fc from "fast-check";
import { concat } from "../../src/core/utf8.ts";
import { DictionaryWriter } from "../../src/index/segment/dictionary_writer.ts";
import { NearTerms } from "../../src/index/segment/near_terms.ts";
import { blockTerms } from "../../src/index/segment/segment_format.ts";

function editsBetween(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    let corner = row[0];
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const change = corner + (a[i - 1] === b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = Math.min(change, row[j] + 1, row[j - 1] + 1);
    }
  }
  return row[b.length];
}

const words = fc.string({
  unit: fc.constantFrom("a", "b", "c", "é", "東", "😀"),
  minLength: 1,
  maxLength: 9,
});

Deno.test("a walk over the dictionary finds the terms that are near, and no others", () => {
  fc.assert(
    fc.property(fc.uniqueArray(words, { maxLength: 150 }), words, fc.integer({ max: 2, min: 1 }), (
      terms,
      wanted,
      most,
    ) => {
      const sorted = terms.toSorted();
      const writer = new DictionaryWriter();
      for (const term of sorted) writer.add(term, { start: 0, count: 1 });
      const bytes = concat(writer.dictionary.parts());
      const walk = new NearTerms(wanted, most);
      const found = writer.blocks.flatMap(({ offset }, i) => {
        const block = bytes.subarray(offset, writer.blocks[i + 1]?.offset);
        return [...walk.find(block, Math.min(blockTerms, sorted.length - i * blockTerms))];
      });
      const expected = sorted.map((term) => ({ term, edits: editsBetween(wanted, term) }))
        .filter(({ edits }) => edits <= most);
      assert.deepEqual(found, expected);
    }),
    { numRuns: 300 },
  );
});
