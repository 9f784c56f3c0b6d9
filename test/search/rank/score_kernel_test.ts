// The scoring kernel does what plain code would do, for any posting lists.

import assert from "node:assert/strict";
import fc from "fast-check";
import { concat } from "../../../src/core/utf8.ts";
import { rowFlags, searchFields, textField } from "../../../src/index/segment/segment_format.ts";
import { ByteWriter } from "../../../src/disk/byte_writer.ts";
import { IndexDamage } from "../../../src/disk/byte_source.ts";
import { writePosting, writeTextPosting } from "../../../src/index/segment/postings.ts";
import type { Segment } from "../../../src/index/segment/segment.ts";
import {
  fieldWorth,
  looseLength,
  looseModel,
  termScore,
} from "../../../src/search/rank/ranking.ts";
import { scoreKernelBytes } from "../../../src/search/rank/score_kernel.ts";
import type { RowMarks } from "../../../src/search/rank/rank.ts";
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

const segment = { rows: 200, loadLengths, allFlags } as unknown as Segment;

/** Scores of one segment that has other rows before it. */
function score(
  lists: Parameters<typeof encode>[0][],
  options: {
    dead?: number[];
    filters?: RowMarks[];
    cosines?: Float32Array;
    gain?: number;
  } = {},
): Scores {
  const { dead = [], filters = [], cosines } = options;
  const scores = new Scores({
    size: 210,
    widest: 200,
    postings: 200,
    pivots,
    idfs: lists.map((_, term) => idfOf(term)),
    factors,
    filters,
    similar: cosines && { cosines, worth: 3, near },
  });
  const before = {
    ...segment,
    rows: 10,
    allFlags: () => new Uint16Array(10),
  } as unknown as Segment;
  scores.add(before, { number: 0, base: 0, lists: [] });
  scores.add(segment, {
    number: 1,
    base: 10,
    dead: dead.length > 0 ? new Set(dead) : undefined,
    lists: lists.map((list, term) => ({ bytes: encode(list), term })),
    gain: options.gain,
  });
  return scores;
}

/** What plain code makes of the same lists, by global number. */
function scorePlainly(
  lists: Parameters<typeof encode>[0][],
  dead: number[],
): Map<number, { score: number; set: number }> {
  const expected = new Map<number, { score: number; set: number }>();
  lists.forEach((list, term) => {
    for (const { row, counts } of list.filter(({ row }) => !dead.includes(row))) {
      const worth = counts.reduce(
        (sum, count, field) =>
          count === 0
            ? sum
            : sum + fieldWorth(field, count, countedLength(field, row), pivots[field]),
        0,
      );
      const before = expected.get(10 + row) ?? { score: 0, set: 0 };
      const score = before.score + termScore(idfOf(term), worth);
      expected.set(10 + row, { score, set: before.set | (1 << term) });
    }
  });
  return expected;
}

const terms = fc.array(postings, { minLength: 1, maxLength: 4 });
const someRows = fc.uniqueArray(fc.nat(199), { maxLength: 20 });
const byNumber = (a: number, b: number): number => a - b;

Deno.test("scores, sets and the best rows are those of plain code", () => {
  fc.assert(fc.property(terms, someRows, fc.nat(80), (lists, dead, n) => {
    const scores = score(lists, { dead });
    const expected = scorePlainly(lists, dead);
    for (let row = 0; row < 210; row++) {
      const { score = 0, set = 0 } = expected.get(row) ?? {};
      assert.equal(scores.scoreOf(row), score);
      assert.equal(scores.matchedOf(row), set);
    }
    const sets = new Uint32Array(2 << lists.length);
    for (const { set } of expected.values()) sets[set * 2]++;
    const [counts] = scores.counts();
    assert.deepEqual(counts.slice(2), sets.slice(2));
    const check = (kind: "talk" | "prompt" | "key", values: Map<number, number>): void => {
      const bar = scores.nth(kind, n + 1);
      assert.equal(bar, [...values.values()].sort((a, b) => b - a)[n] ?? -Infinity);
      assert.deepEqual(
        [...scores.atLeast(kind, bar)],
        [...values].filter(([, value]) => value >= bar).map(([row]) => row).sort(byNumber),
      );
    };
    const having = (flag: number): Map<number, number> =>
      new Map(
        [...expected].filter(([row]) => (allFlags()[row - 10] & flag) !== 0)
          .map(([row, { score }]) => [row, score]),
      );
    check("talk", having(rowFlags.talk));
    check("prompt", having(rowFlags.prompt));
    const keyOf = (row: number, score: number): number => score * factorOf(allFlags()[row - 10]);
    const keys = new Map([...expected].map(([row, { score }]) => [row, keyOf(row, score)]));
    check("key", keys);
    for (const [row, { score }] of [...expected].slice(0, 5)) {
      scores.raise(row, 2.5);
      keys.set(row, keyOf(row, score + 2.5));
    }
    check("key", keys);
  }));
});

Deno.test("words, vectors and filters are put together as plain code would", () => {
  const cosine = fc.float({ min: -1, max: 1, noNaN: true });
  const mark = fc.nat(1);
  fc.assert(fc.property(
    terms,
    fc.array(cosine, { minLength: 210, maxLength: 210 }),
    fc.record({
      dead: someRows,
      marked: someRows,
      mark,
      wanted: fc.boolean(),
      gain: fc.constantFrom(1, 1.05),
    }),
    (lists, values, { dead, marked, mark, wanted, gain }) => {
      const cosines = new Float32Array(values);
      const rows = (number: number): Uint8Array =>
        Uint8Array.from(
          { length: number === 0 ? 10 : 200 },
          (_, row) => marked.includes(row) ? 1 : 0,
        );
      const filters = [{ flag: rowFlags.talk, wanted }, { rows, mark }];
      const scores = score(lists, { dead, filters, cosines, gain });
      const expected = scorePlainly(lists, dead);
      const flagsOf = (row: number): number => row < 10 ? 0 : allFlags()[row - 10];
      const failOf = (row: number): number => {
        if (((flagsOf(row) & rowFlags.talk) !== 0) !== wanted) return 1;
        return (marked.includes(row < 10 ? row : row - 10) ? 1 : 0) === mark ? 0 : 2;
      };
      const counts = filters.concat([]).map(() => new Uint32Array(2 << lists.length));
      counts.push(new Uint32Array(2 << lists.length));
      const keys = new Map<number, number>();
      for (let row = 0; row < 210; row++) {
        const { score = 0, set = 0 } = expected.get(row) ?? {};
        const isLive = row < 10 || !dead.includes(row - 10);
        counts[failOf(row)][set * 2 + (isLive && cosines[row] >= near ? 1 : 0)]++;
        const isOpen = isLive && cosines[row] >= near;
        if (failOf(row) !== 0 || (set === 0 && !isOpen)) continue;
        keys.set(row, factorOf(flagsOf(row)) * (score + 3 * Math.max(0, cosines[row])));
      }
      for (const [number, found] of scores.counts().entries()) {
        assert.deepEqual(found.slice(1), counts[number].slice(1));
      }
      assert.deepEqual([...scores.atLeast("key", -Infinity)], [...keys.keys()]);
      // The second segment's rows can gain, and so can those that share a block with them.
      const isMost = (found: number, keys: number[]): void => {
        const [exact] = keys.sort((a, b) => b - a).slice(2);
        if (gain === 1) assert.equal(found, exact ?? -Infinity);
        else if (exact === undefined) assert.equal(found, -Infinity);
        else assert.ok(Math.abs(found - exact * gain) <= 1e-5 * exact, `${found} ${exact * gain}`);
      };
      isMost(scores.nth("key", 3), [...keys.values()]);
      const similar = [...keys.keys()].map((row) => cosines[row]);
      assert.equal(scores.nth("cosine", 2), similar.sort((a, b) => b - a)[1] ?? -Infinity);
    },
  ));
});

Deno.test("a list that leads outside its segment is damage, not an answer", () => {
  for (const far of [[0xfc, 0xff, 0xff, 0xff, 0x0f], [0xa0, 0x06]]) {
    const scores = new Scores({
      size: 200,
      widest: 200,
      postings: 0,
      pivots,
      idfs: [1],
      factors,
      filters: [],
    });
    const lists = [{ bytes: new Uint8Array(far), term: 0 }];
    assert.throws(() => scores.add(segment, { number: 0, base: 0, lists }), IndexDamage);
  }
});

const near = Math.fround(0.35);
const factors = { counted: rowFlags.talk, factorOf };

function factorOf(flags: number): number {
  return (flags & rowFlags.talk) === 0 ? 1 : 0.65;
}

/** Every third row is talk, which counts with other lengths, and every sixth a prompt. */
function allFlags(): Uint16Array {
  return flags;
}

const flags = Uint16Array.from(
  { length: 200 },
  (_, row) => (isTalk(row) ? rowFlags.talk : 0) | (row % 6 === 0 ? rowFlags.prompt : 0),
);

function idfOf(term: number): number {
  return 1 + term / 3;
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
