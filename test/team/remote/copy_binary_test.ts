// The binary form of COPY: what is encoded comes back, however the bytes are cut; what is broken is
// refused. Against a server it is tested in remote_space_test.ts.

import assert from "node:assert/strict";
import fc from "fast-check";
import { CtxError } from "../../../src/core/errors.ts";
import {
  CopyDecoder,
  type CopyType,
  type CopyValue,
  encodeCopy,
} from "../../../src/team/remote/copy_binary.ts";

const types: CopyType[] = ["uuid", "int8", "text", "timestamptz", "bytea"];

const row = fc.tuple(
  fc.option(fc.uuid()),
  fc.option(fc.maxSafeInteger()),
  fc.option(fc.string({ unit: "binary" }).map((text) => text.toWellFormed())),
  fc.option(fc.integer({ min: -62_000_000_000_000, max: 253_402_300_799_999 })),
  fc.option(fc.uint8Array({ maxLength: 300 })),
);

function decodeCut(bytes: Uint8Array, cuts: readonly number[]): {
  rows: CopyValue[][];
  isEnded: boolean;
} {
  const decoder = new CopyDecoder(types);
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) =>
    a - b
  );
  const rows = places.slice(1).flatMap((end, at) =>
    decoder.decode(bytes.subarray(places[at], end))
  );
  return { rows, isEnded: decoder.isEnded };
}

function joinAll(chunks: Iterable<Uint8Array>): Uint8Array {
  const parts = [...chunks];
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

Deno.test("rows come back as they were, wherever the bytes are cut", () => {
  fc.assert(
    fc.property(fc.array(row), fc.array(fc.nat(), { maxLength: 12 }), (rows, cuts) => {
      const bytes = joinAll(encodeCopy(types, rows));
      assert.deepEqual(decodeCut(bytes, cuts), { rows, isEnded: true });
    }),
    { numRuns: 500 },
  );
});

Deno.test("a body of megabytes and thousands of rows make several chunks and come back", () => {
  const large = crypto.getRandomValues(new Uint8Array(60_000));
  const rows: CopyValue[][] = Array.from({ length: 300 }, (_, n) => [
    "00000000-0000-4000-8000-000000000001",
    n,
    "ü".repeat(n),
    n,
    n % 50 === 0 ? large : null,
  ]);
  const chunks = [...encodeCopy(types, rows)];
  assert.ok(chunks.length > 3);
  assert.deepEqual(decodeCut(joinAll(chunks), [70_000, 70_001]).rows, rows);
});

Deno.test("broken data is refused or waits for more, and never gives a row that was not there", () => {
  const rows: CopyValue[][] = [
    ["00000000-0000-4000-8000-000000000001", 7, "text", 5, new Uint8Array([1, 2])],
    ["00000000-0000-4000-8000-000000000002", 8, "more", 6, null],
  ];
  const bytes = joinAll(encodeCopy(types, rows));
  for (let length = 0; length < bytes.length; length++) {
    const { isEnded } = decodeCut(bytes.subarray(0, length), []);
    assert.equal(isEnded, false, `cut at ${length}`);
  }
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const broken = bytes.slice();
      broken[at] ^= change;
      try {
        const decoded = decodeCut(broken, []);
        assert.ok(decoded.rows.length <= 2);
      } catch (error) {
        assert.ok(error instanceof CtxError && error.code === "REMOTE_UNTRUSTED", `${error}`);
      }
    }),
    { numRuns: 2000 },
  );
  const decodeAs = (type: CopyType, value: number[]) => {
    const bytea = joinAll(encodeCopy(["bytea"], [[Uint8Array.from(value)]]));
    return new CopyDecoder([type]).decode(bytea);
  };
  assert.throws(() => decodeAs("uuid", new Array(15).fill(1)), /uuid has not 16 bytes/);
  assert.throws(() => decodeAs("int8", new Array(16).fill(0)), /number has not 8 bytes/);
  assert.throws(() => decodeAs("timestamptz", new Array(16).fill(0)), /time has not 8 bytes/);
  assert.throws(() => decodeAs("int8", [0, 0x20, 0, 0, 0, 0, 0, 0]), /number is too large/);
  assert.throws(() => decodeCut(bytes.with(0, 0x51), []), /begins with other bytes/);
  // Behind the header of 19 bytes and the number of columns, the first length: -2.
  const below = bytes.slice();
  below.set([0xff, 0xff, 0xff, 0xfe], 21);
  assert.throws(() => decodeCut(below, []), /below zero/);
  assert.throws(() => decodeCut(new Uint8Array([...bytes, 0]), []), /follow its end/);
  const narrow = new CopyDecoder(["uuid"]);
  assert.throws(() => narrow.decode(bytes), /5 columns, not 1/);
});

Deno.test("values that PostgreSQL would read as others are not encoded", () => {
  const encode = (type: CopyType, value: CopyValue) => [...encodeCopy([type], [[value]])];
  assert.throws(() => encode("int8", 1.5), RangeError);
  assert.throws(() => encode("int8", 2 ** 60), RangeError);
  assert.throws(() => encode("timestamptz", Number.NaN), RangeError);
  assert.throws(() => encode("uuid", "1234"), RangeError);
  assert.throws(() => encode("uuid", "zz000000-0000-4000-8000-000000000001"));
});
