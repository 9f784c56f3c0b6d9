import assert from "node:assert/strict";
import { findDecisionRule, isDeadEnd, isDecided } from "../../../src/core/rows/decision_words.ts";

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

Deno.test("a decision is told from talk about decisions", () => {
  const decisions = [
    ["We've agreed to ship on Friday.", "decided"],
    ["It was decided in review.", "decided"],
    ["**Decision**: keep the queue.", "decision:"],
    ["We'll go with SQLite.", "go with"],
    ["From now on tests run in UTC.", "from now on"],
    ["We must never log a token.", "always/never"],
    ["Use a map instead of a list because look-ups dominate.", "instead, because"],
  ];
  assert.deepEqual(decisions.map(([text]) => [text, findDecisionRule(text)]), decisions);
  const talk = ["Decision trees overfit.", "What should we decide?", "The build went well."];
  assert.deepEqual(talk.filter((text) => findDecisionRule(text) !== undefined), []);
  assert.deepEqual(
    [...decisions.flat(), ...talk].filter(isDecided),
    [decisions[0][0], decisions[1][0]],
  );
});
