// The hunks of the kept history: numbers as bytes and back, and where lines go through them.

import assert from "node:assert/strict";
import { decodeHunks, encodeHunks, passLines } from "../../../src/code/blame/kept_hunks.ts";
import { IndexDamage } from "../../../src/disk/byte_source.ts";

const hunks = [
  { from: 2, removed: 0, to: 2, added: 3 },
  { from: 200, removed: 150, to: 203, added: 1 },
  { from: 9_000_350, removed: 1, to: 9_000_204, added: 0 },
];

Deno.test("hunks are the same after being kept", () => {
  for (const some of [[], hunks.slice(0, 1), hunks]) {
    assert.deepEqual(decodeHunks(encodeHunks(some)), some);
  }
});

Deno.test("half a hunk is damage", () => {
  const bytes = encodeHunks(hunks);
  for (let size = 0; size < bytes.length; size++) {
    assert.throws(() => decodeHunks(bytes.subarray(0, size)), IndexDamage, `${size} bytes`);
  }
});

Deno.test("lines pass hunks that do not touch them", () => {
  assert.deepEqual(passLines(hunks, [0, 1, 5, 202, 204]), [0, 1, 2, 199, 350]);
  assert.deepEqual(passLines(hunks, [9_000_203, 9_000_204]), [9_000_349, 9_000_351]);
  for (const line of [2, 4, 203]) assert.equal(passLines(hunks, [0, line]), undefined, `${line}`);
});
