// What is said of rows by how their scores lie to each other.

import assert from "node:assert/strict";
import { confidencesOf } from "../../../src/search/rank/row_confidence.ts";

Deno.test("confidencesOf() calls strong what is far ahead, weak what is far behind", () => {
  assert.deepEqual(confidencesOf([1.1, 0.6, 0.5]), ["strong", "weak", "weak"]);
  assert.deepEqual(confidencesOf([0.8, 0.79, 0.78, 0.4]), ["good", "good", "good", "weak"]);
  assert.deepEqual(confidencesOf([0.3, 0.3]), ["weak", "weak"]);
  assert.deepEqual(confidencesOf([0.9]), ["strong"]);
  assert.deepEqual(confidencesOf([]), []);
});

Deno.test("confidencesOf() gives a row the same on every page: the best two of all rows count", () => {
  const scores = [0.8, 0.79, 0.78, 0.4];
  const pages = scores.map((score, offset) => confidencesOf([score], { offset, top: scores })[0]);
  assert.deepEqual(pages, confidencesOf(scores));
});

Deno.test("confidencesOf() calls nothing strong on a later page: better rows came before it", () => {
  assert.deepEqual(confidencesOf([1.1, 0.6, 0.5], { offset: 5 }), ["good", "weak", "weak"]);
});
