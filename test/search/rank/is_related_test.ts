import assert from "node:assert/strict";
import { isRelated } from "../../../src/search/rank/evidence.ts";
import type { Evidence } from "../../../src/search/rank/rank.ts";
import { weights } from "../../../src/search/rank/ranking.ts";

/** Too little of everything. */
const little: Evidence = {
  branch: "hybrid",
  bestShare: 0.1,
  bestCosine: 0.1,
  best: 0.05,
  words: 4,
  unknown: 0,
};

Deno.test("isRelated() needs most of the words or the same meaning, or some of both", () => {
  const { covered, similar } = weights.floor;
  assert.equal(isRelated(little), false);
  assert.equal(isRelated({ ...little, bestShare: covered }), true);
  assert.equal(isRelated({ ...little, bestCosine: similar }), true);
  const some: Evidence = { ...little, bestShare: 0.6, bestCosine: 0.5, best: 0.4 };
  assert.equal(isRelated(some), true);
  assert.equal(isRelated({ ...some, best: 0.05 }), false);
  const enough: Evidence = { ...some, best: weights.floor.evidence / Math.sqrt(some.words) };
  assert.equal(isRelated(enough), true);
  assert.equal(isRelated({ ...enough, unknown: 0.5 }), false, "of words that occur nowhere");
  assert.equal(isRelated({ ...enough, words: 3 }), false, "of fewer words");
});

Deno.test("isRelated() has one leg to go by where only one was searched", () => {
  const words: Evidence = { ...little, branch: "lexical", bestShare: weights.floor.query };
  assert.equal(isRelated(words), true);
  assert.equal(isRelated({ ...words, bestShare: weights.floor.query - 0.01 }), false);
  const { query, queryWords } = weights.floor;
  const long = { ...words, words: 4 * queryWords };
  assert.equal(isRelated({ ...long, bestShare: query / 4 }), true, "of a long question");
  assert.equal(isRelated({ ...long, bestShare: query / 4 - 0.01 }), false);
  const vector: Evidence = { ...little, branch: "vector", bestCosine: weights.floor.queryCosine };
  assert.equal(isRelated(vector), true);
  assert.equal(isRelated({ ...vector, bestCosine: 0.1, bestShare: 1 }), false);
});
