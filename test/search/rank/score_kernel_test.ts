// The scoring kernel does what plain code would do, for any posting lists.

import assert from "node:assert/strict";
import fc from "fast-check";
import { concat } from "../../../src/core/utf8.ts";
import { rowFlags, searchFields, textField } from "../../../src/index/segment/segment_format.ts";
import { ByteWriter } from "../../../src/pages/byte_writer.ts";
import { IndexDamage } from "../../../src/pages/byte_source.ts";
import { writePosting, writeTextPosting } from "../../../src/index/segment/postings.ts";
import type { Segment } from "../../../src/index/segment/segment.ts";
import {
  fieldWorth,
  looseLength,
  looseModel,
  termScore,
} from "../../../src/search/rank/ranking.ts";
import { scoreKernelBytes } from "../../../src/search/rank/score_kernel.ts";
import { Scores } from "../../../src/search/rank/scores.ts";

Deno.test("score_kernel.ts holds score_kernel.wat, assembled", async () => {
  const { default: makeWabt } = await import("wabt");
  const wabt = await makeWabt();
  const url = new URL("../../../src/search/rank/score_kernel.wat", import.meta.url);
  const { buffer } = wabt.parseWat("score_kernel.wat", Deno.readTextFileSync(url), { simd: true })
    .toBinary({});
  assert.deepEqual(scoreKernelBytes(), new Uint8Array(buffer));
});

const pivots = searchFields.map((_, field) => 5 + field);
const posting = fc.record({
  row: fc.nat(199),
  counts: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 300 })), {
    minLength: searchFields.length,
    maxLength: searchFields.length,
  }).filter((counts) => counts.some((count) => count > 0)),
});
const postings = fc.uniqueArray(posting, { selector: ({ row }) => row, maxLength: 120 })
  .map((list) => list.sort((a, b) => a.row - b.row));

Deno.test("scores, sets and the best rows are those of plain code", () => {
  fc.assert(fc.property(
    fc.array(postings, { minLength: 1, maxLength: 4 }),
    fc.uniqueArray(fc.nat(199), { maxLength: 20 }),
    fc.nat(80),
    (terms, dead, n) => {
      const segment = { rows: 200, loadLengths, allFlags } as unknown as Segment;
      const scores = new Scores({ size: 210, widest: 200, postings: 200, pivots });
      const add = scores.openSegment(segment, {
        base: 10,
        dead: dead.length > 0 ? new Set(dead) : undefined,
      });
      const expected = new Map<number, { score: number; set: number }>();
      terms.forEach((list, number) => {
        const idf = 1 + number / 3;
        add(encode(list), { idf, bit: 1 << number });
        for (const { row, counts } of list.filter(({ row }) => !dead.includes(row))) {
          const worth = counts.reduce(
            (sum, count, field) =>
              count === 0
                ? sum
                : sum + fieldWorth(field, count, countedLength(field, row), pivots[field]),
            0,
          );
          const before = expected.get(10 + row) ?? { score: 0, set: 0 };
          const score = before.score + termScore(idf, worth);
          expected.set(10 + row, { score, set: before.set | (1 << number) });
        }
      });
      assert.equal(scores.count, expected.size);
      for (let row = 0; row < 210; row++) {
        const { score = 0, set = 0 } = expected.get(row) ?? {};
        assert.equal(scores.scoreOf(row), score);
        assert.equal(scores.matchedOf(row), set);
      }
      const sets = new Uint32Array(1 << terms.length);
      for (const { set } of expected.values()) sets[set]++;
      assert.deepEqual(scores.countSets(terms.length), sets);
      const order = [...expected.values()].map(({ score }) => score).sort((a, b) => b - a);
      const bar = scores.nth(scores.scored, n + 1);
      assert.equal(bar, order[n] ?? -Infinity);
      const inOrder = (rows: Iterable<number>): number[] => [...rows].sort((a, b) => a - b);
      assert.deepEqual(
        inOrder(scores.atLeast(scores.scored, bar)),
        inOrder([...expected].filter(([, { score }]) => score >= bar).map(([row]) => row)),
      );
      const weighed = scores.weigh(factors);
      const keys = [...expected].map(([row, { score }]) => score * factorOf(allFlags()[row - 10]));
      assert.equal(scores.nth(weighed, n + 1), keys.sort((a, b) => b - a)[n] ?? -Infinity);
      const flagged = { ...scores.scored, flag: rowFlags.talk };
      const talk = [...expected].filter(([row]) => isTalk(row - 10))
        .sort(([, a], [, b]) => b.score - a.score);
      const least = scores.nth(flagged, n + 1);
      assert.equal(least, talk[n]?.[1].score ?? -Infinity);
      assert.deepEqual(
        inOrder(scores.atLeast(flagged, least)),
        inOrder(talk.filter(([, { score }]) => score >= least).map(([row]) => row)),
      );
    },
  ));
});

Deno.test("words and vectors are fused as plain code would", () => {
  const cosine = fc.float({ min: -1, max: 1, noNaN: true });
  fc.assert(fc.property(
    postings,
    fc.array(cosine, { minLength: 200, maxLength: 200 }),
    (list, values) => {
      const segment = { rows: 200, loadLengths, allFlags } as unknown as Segment;
      const scores = new Scores({ size: 200, widest: 200, postings: 0, pivots });
      scores.openSegment(segment, { base: 0 })(encode(list), { idf: 2, bit: 1 });
      const cosines = new Float32Array(values);
      scores.takeCosines(cosines);
      const near = Math.fround(0.35);
      const isNear = (row: number): boolean => cosines[row] >= near;
      const rows = Array.from({ length: 200 }, (_, row) => row);
      assert.deepEqual(
        [...scores.nearOnly(near)],
        rows.filter((row) => isNear(row) && scores.matchedOf(row) === 0),
      );
      const found = rows.filter((row) => isNear(row) || scores.matchedOf(row) !== 0);
      const others = Array.from(scores.nearOnly(near), (row) => ({ row, flags: allFlags()[row] }));
      const passes = (set: number): boolean => set > 0;
      const fused = scores.fuse({ others, near, worth: 3, terms: 1, passes, factors });
      assert.equal(fused.count, found.length);
      assert.deepEqual([...scores.atLeast(fused, -Infinity)].sort((a, b) => a - b), found);
      const counts = [0, 0, 0, 0];
      for (const row of found) counts[scores.matchedOf(row) * 2 + (isNear(row) ? 1 : 0)]++;
      assert.deepEqual([...fused.counts], counts);
      const keys = found.map((row) =>
        factorOf(allFlags()[row]) * (scores.scoreOf(row) + 3 * Math.max(0, cosines[row]))
      );
      assert.equal(scores.nth(fused, 3), keys.sort((a, b) => b - a)[2] ?? -Infinity);
      const best = found.reduce((most, row) => Math.max(most, cosines[row]), 0);
      assert.equal(fused.bestCosine, best);
    },
  ));
});

Deno.test("a list that leads outside the memory is damage, not an answer", () => {
  const segment = { rows: 200, loadLengths, allFlags } as unknown as Segment;
  const scores = new Scores({ size: 200, widest: 200, postings: 0, pivots });
  const add = scores.openSegment(segment, { base: 0 });
  const far = new Uint8Array([0xfc, 0xff, 0xff, 0xff, 0x0f]);
  assert.throws(() => add(far, { idf: 1, bit: 1 }), IndexDamage);
});

const factors = { counted: rowFlags.talk, factorOf };

function factorOf(flags: number): number {
  return (flags & rowFlags.talk) === 0 ? 1 : 0.65;
}

/** Every third row is talk, which counts with other lengths. */
function allFlags(): Uint16Array {
  return Uint16Array.from({ length: 200 }, (_, row) => isTalk(row) ? rowFlags.talk : 0);
}

function isTalk(row: number): boolean {
  return row % 3 === 0;
}

function loadLengths(field: number, target: Uint16Array): void {
  target.set(lengthsOf(field));
}

function lengthsOf(field: number): Uint16Array {
  const most = field === textField ? 1500 : 90;
  return Uint16Array.from({ length: 200 }, (_, row) => (row * 37 + field * 13) % most);
}

function countedLength(field: number, row: number): number {
  const length = lengthsOf(field)[row];
  return field === textField && isTalk(row)
    ? looseLength(length, looseModel(pivots[field]))
    : length;
}

function encode(list: { row: number; counts: number[] }[]): Uint8Array {
  const out = new ByteWriter();
  let last = 0;
  for (const { row, counts } of list) {
    const inOthers = counts.some((count, field) => count > 0 && field !== textField);
    if (inOthers) writePosting(out, row - last, new Uint32Array(counts));
    else writeTextPosting(out, row - last, counts[textField]);
    last = row;
  }
  return concat(out.parts());
}
