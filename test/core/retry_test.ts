// Trying again: how long, how often, and when not.

import assert from "node:assert/strict";
import { FailedTry, parseRetryAfter, withRetries } from "../../src/core/retry.ts";

async function waitsOf(failures: number, afterMs?: number): Promise<number[]> {
  const waits: number[] = [];
  let left = failures;
  const failed = new FailedTry(new Error("no"), { retry: true, afterMs });
  await withRetries(() => left-- > 0 ? Promise.reject(failed) : Promise.resolve("yes"), {
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  }).catch(() => waits.push(-1));
  return waits;
}

Deno.test("withRetries() waits 1, 2 and 4 seconds and then gives up", async () => {
  assert.deepEqual(await waitsOf(0), []);
  assert.deepEqual(await waitsOf(2), [1000, 2000]);
  assert.deepEqual(await waitsOf(9), [1000, 2000, 4000, -1]);
});

Deno.test("withRetries() waits as long as it is told, at most 30 seconds", async () => {
  assert.deepEqual(await waitsOf(1, 7000), [7000]);
  assert.deepEqual(await waitsOf(2, 500), [1000, 2000]);
  assert.deepEqual(await waitsOf(1, 3_600_000), [30_000]);
});

Deno.test("withRetries() does not try again when that cannot help", async () => {
  let tries = 0;
  const run = withRetries(() => {
    tries++;
    return Promise.reject(new FailedTry(new Error("no"), { retry: false }));
  }, { wait: () => Promise.resolve() });
  await assert.rejects(run, { message: "no" });
  assert.equal(tries, 1);
});

Deno.test("parseRetryAfter() reads seconds and dates", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  assert.equal(parseRetryAfter("3", now), 3000);
  assert.equal(parseRetryAfter("Thu, 01 Jan 2026 00:00:10 GMT", now), 10_000);
  assert.equal(parseRetryAfter("soon", now), undefined);
  assert.equal(parseRetryAfter(null, now), undefined);
});
