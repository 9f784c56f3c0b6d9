// Our inflating against the runtime's compressing, and against bytes that are no good.

import assert from "node:assert/strict";
import { constants, deflateSync } from "node:zlib";
import { GitDamage } from "../../../src/code/git/git_object.ts";
import { inflateExactly, inflateUpTo } from "../../../src/code/git/inflate.ts";
import { repository } from "../../support/repository.ts";

const samples: Uint8Array[] = [
  new Uint8Array(),
  new Uint8Array([7]),
  new Uint8Array(100_000),
  Uint8Array.from({ length: 70_000 }, (_, i) => (i * i * 31) >> 3),
  Deno.readFileSync(`${repository}/README.md`),
  Deno.readFileSync(`${repository}/src/disk/kernel.wat`),
];

Deno.test("inflateExactly() and inflateUpTo() undo every way of compressing", () => {
  const strategies = [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY];
  for (const [i, data] of samples.entries()) {
    for (const level of [0, 1, 6, 9]) {
      for (const strategy of strategies) {
        const packed = new Uint8Array(deflateSync(data, { level, strategy }));
        const name = `sample ${i}, level ${level}, strategy ${strategy}`;
        assert.deepEqual(inflateExactly(packed, data.length), data, name);
        assert.deepEqual(inflateUpTo(packed, data.length + 10), data, name);
        if (data.length === 0) continue;
        assert.equal(inflateUpTo(packed, data.length - 1), undefined, name);
        assert.throws(() => inflateExactly(packed, data.length - 1), GitDamage, name);
      }
    }
  }
});

Deno.test("inflateExactly() refuses bytes that were cut, changed or never compressed", () => {
  for (const data of samples.slice(1, 5)) {
    const packed = new Uint8Array(deflateSync(data));
    assert.throws(() => inflateExactly(packed, data.length + 1), GitDamage);
    for (let step = 0; step < 200; step++) {
      const at = Math.floor(step / 200 * packed.length);
      assert.throws(() => inflateExactly(packed.subarray(0, at), data.length), GitDamage);
      const changed = packed.slice();
      changed[at] ^= 1 << step % 8;
      try {
        // A bit of the head or of a code that is not used may say nothing.
        assert.deepEqual(inflateExactly(changed, data.length), data);
      } catch (error) {
        assert.ok(error instanceof GitDamage, `${error}`);
      }
    }
  }
  for (const bytes of [[], [120], [120, 156], [120, 156, 7], [1, 2, 3, 4, 5], [120, 157, 3, 0]]) {
    assert.throws(() => inflateExactly(Uint8Array.from(bytes), 1), GitDamage);
  }
});
