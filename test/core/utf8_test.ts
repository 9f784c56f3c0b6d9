// UTF-8 with lone surrogates: any string goes out and comes back; anything else is refused.

import assert from "node:assert/strict";
import fc from "fast-check";
import { CtxError } from "../../src/core/errors.ts";
import { decodeExact, encodeExact } from "../../src/core/utf8.ts";

const anyUnits = fc.array(
  fc.oneof(fc.integer({ min: 0xd7f0, max: 0xe010 }), fc.integer({ min: 0, max: 0xffff })),
  { maxLength: 40 },
).map((units) => String.fromCharCode(...units));

Deno.test("decodeExact() undoes encodeExact() for every string of UTF-16 units", () => {
  fc.assert(fc.property(anyUnits, (text) => assert.equal(decodeExact(encodeExact(text)), text)), {
    numRuns: 2000,
  });
});

Deno.test("encodeExact() undoes decodeExact() for every byte sequence that it accepts", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
      let text: string;
      try {
        text = decodeExact(bytes);
      } catch (error) {
        assert.ok(error instanceof CtxError && error.code === "USAGE");
        return;
      }
      assert.deepEqual(encodeExact(text), Uint8Array.from(bytes));
    }),
    { numRuns: 5000 },
  );
});

const refused: [string, number[], number][] = [
  ["a byte that never occurs", [0x61, 0xff], 1],
  ["an overlong form", [0xc0, 0x80], 0],
  ["a surrogate pair written as two (CESU-8)", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], 3],
  ["a continuation byte alone", [0x80], 0],
  ["a code point past the last", [0xf4, 0x90, 0x80, 0x80], 1],
];
for (const [name, bytes, offset] of refused) {
  Deno.test(`decodeExact() refuses ${name} and names its offset`, () => {
    assert.throws(
      () => decodeExact(Uint8Array.from(bytes)),
      (error: unknown) =>
        error instanceof CtxError && error.code === "USAGE" &&
        error.message.includes(` at offset ${offset} `),
    );
  });
}
