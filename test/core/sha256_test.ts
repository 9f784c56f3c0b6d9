import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { sha256 } from "../../src/core/sha256.ts";

Deno.test("sha256() is what node:crypto says, whatever the length", () => {
  const lengths = [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 64_512, 64_513, 200_000];
  for (const length of lengths) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 131 + length) >> 3);
    assert.equal(sha256(bytes), createHash("sha256").update(bytes).digest("hex"), `${length}`);
  }
});
