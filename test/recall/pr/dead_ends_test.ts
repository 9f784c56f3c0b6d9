import assert from "node:assert/strict";
import { isDeadEnd, partDeadEnds } from "../../../src/recall/pr/dead_ends.ts";

const deadEnds = [
  "We tried a Lua script, but it doubled the latency.",
  "Reverted the cache: it served stale rows.",
  "I first tried to patch the parser.",
  "The second approach was to stream, which did not work on Windows.",
  "We decided against a worker pool.",
  "Redis was ruled out because of its licence.",
  "That way turned out to be a dead end.",
];
const others = [
  "Requests above the limit are rejected with 429.",
  "The transaction is rolled back when the lock is lost.",
  "We decided to keep the buckets in memory.",
  "A metric counts rejected jobs.",
  "Retries are tried every ten seconds.",
  "The build failed twice on the runner.",
];

Deno.test("dead ends are told from what programs do", () => {
  assert.deepEqual(deadEnds.filter((text) => !isDeadEnd(text)), []);
  assert.deepEqual(others.filter(isDeadEnd), []);
});

Deno.test("a text is parted into what holds and what did not do", () => {
  assert.deepEqual(partDeadEnds(`${others[2]} ${deadEnds[0]}\n${others[0]}`), {
    rest: `${others[2]}\n${others[0]}`,
    deadEnds: [deadEnds[0]],
  });
});
