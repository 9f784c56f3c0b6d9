// The rows of a posting list that are marked, and those that count still, are those that reading the
// whole list finds.

import assert from "node:assert/strict";
import { concat } from "../../src/core/utf8.ts";
import { ByteWriter } from "../../src/disk/byte_writer.ts";
import {
  findMarked,
  forEachRow,
  writePosting,
  writeTextPosting,
} from "../../src/index/segment/postings.ts";
import { liveCount } from "../../src/search/rank/live_count.ts";

Deno.test("findMarked() finds the marked rows of a list, whatever is counted beside them", () => {
  const out = new ByteWriter();
  const rows: number[] = [];
  let last = 0;
  for (let i = 0; i < 600; i++) {
    const gap = i === 0 ? 3 : 1 + (i * 37) % 211;
    if (i % 3 === 2) writePosting(out, gap, Uint32Array.from([i % 2, 0, 1 + i, 300, 0, 0]));
    else writeTextPosting(out, gap, i % 3 === 0 ? 1 : 1 + i);
    rows.push(last += gap);
  }
  const list = concat(out.parts());
  const read: number[] = [];
  forEachRow(list, (row) => read.push(row));
  assert.deepEqual(read, rows);
  for (const step of [1, 2, 7, 1000]) {
    const marks = new Uint8Array(last + 10);
    for (let row = 3; row < last - 500; row += step) marks[row] = 1;
    assert.deepEqual(findMarked(list, marks), rows.filter((row) => marks[row] === 1));
    const dead = new Set([...marks.keys()].filter((row) => marks[row] === 1));
    const live = rows.filter((row) => !dead.has(row)).length;
    assert.equal(liveCount({ bytes: list, count: rows.length }, dead), live);
  }
  assert.deepEqual(findMarked(list, new Uint8Array(last + 10)), []);
  assert.deepEqual(findMarked(new Uint8Array(0), new Uint8Array(8).fill(1)), []);
});
