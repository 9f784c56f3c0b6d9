// Timestamps without a Date are those of a Date.

import assert from "node:assert/strict";
import fc from "fast-check";
import { isoTime } from "../../src/core/iso_time.ts";

Deno.test("a timestamp is the one that Date gives", () => {
  const end = Date.parse("9999-12-31T23:59:59.999Z");
  fc.assert(
    fc.property(fc.double({ min: -1e13, max: end + 1e9, noNaN: true }), (ms) => {
      assert.equal(isoTime(ms), new Date(ms).toISOString());
    }),
    { numRuns: 5000 },
  );
  for (const text of ["1970-01-01", "2000-02-29", "2023-12-31", "2024-03-01", "2100-02-28"]) {
    for (const ms of [-1, 0, 86_399_999, 86_400_000]) {
      const time = Date.parse(text) + ms;
      assert.equal(isoTime(time), new Date(time).toISOString());
    }
  }
});
