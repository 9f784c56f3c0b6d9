// Reranking as a search does it, with cosines from a table in place of the model.

import assert from "node:assert/strict";
import { rerankBy } from "../../../src/search/rank/rerank_rows.ts";
import { search } from "../../../src/search/run_search.ts";
import type { SearchAnswer, SearchRequest } from "../../../src/search/request.ts";
import { type TempStore, tempStore } from "../../support/temp_store.ts";

const request: SearchRequest = {
  query: "retry policy",
  k: 10,
  offset: 0,
  scope: "all",
  mode: "lexical",
  explain: true,
};

/** Rows that are worth less and less to the query. */
const entries = [
  { id: "H-a", text: "retry policy" },
  { id: "H-b", text: "retry policy of the queue" },
  { id: "H-c", text: "the retry of some policy that the queue has for its own messages" },
];

async function rerank(
  t: TempStore,
  cosines: Record<string, number>,
  wanted: Partial<SearchRequest> = {},
): Promise<SearchAnswer> {
  using store = t.open();
  return await search(store, { ...request, ...wanted }, {
    rerank: rerankBy(({ id }) => cosines[id]),
  });
}

function idsOf({ rows }: SearchAnswer): string[] {
  return rows.map(({ id }) => id);
}

Deno.test("what the model finds nearest comes first, and the score says why", async () => {
  await using t = await tempStore({ entries });
  using store = t.open();
  const plain = await search(store, request);
  const answer = await rerank(t, { "H-a": 0, "H-b": 0.1, "H-c": 0.9 });
  assert.deepEqual([idsOf(plain), idsOf(answer)], [["H-a", "H-b", "H-c"], ["H-c", "H-a", "H-b"]]);
  assert.deepEqual(answer.rerank, { rows: 3, with_vectors: 3 });
  for (const { id, score_final, explain } of answer.rows) {
    const before = plain.rows.find((row) => row.id === id)?.score_final ?? NaN;
    const { cosine, weight } = explain?.rerank ?? { cosine: NaN, weight: NaN };
    assert.equal(score_final.toFixed(5), (before + weight * (1 + cosine)).toFixed(5));
  }
});

Deno.test("rows that the model has not seen keep their order among each other, and are neither first nor last for it", async () => {
  await using t = await tempStore({ entries });
  const one = await rerank(t, { "H-b": 0.5 });
  assert.deepEqual(idsOf(one), ["H-a", "H-b", "H-c"]);
  assert.deepEqual(one.rerank, { rows: 3, with_vectors: 1 });
  assert.deepEqual(
    one.rows.map(({ explain }) => [explain?.rerank?.cosine, explain?.rerank?.is_mean ?? false]),
    [[0.5, true], [0.5, false], [0.5, true]],
  );
  assert.deepEqual(idsOf(await rerank(t, { "H-a": -1, "H-c": 1 })), ["H-c", "H-b", "H-a"]);
});

Deno.test("where the model has seen no row nothing changes", async () => {
  await using t = await tempStore({ entries });
  using store = t.open();
  const plain = await search(store, request);
  const answer = await rerank(t, {});
  assert.deepEqual(answer.rows, plain.rows);
  assert.deepEqual(answer.rerank, { rows: 3, with_vectors: 0 });
});

Deno.test("pages of one search go on where the one before ended, and no row falls below the rest", async () => {
  const many = Array.from({ length: 30 }, (_, i) => ({
    id: `H-${String(i).padStart(2, "0")}`,
    text: `retry policy ${"of many words ".repeat(i)}`,
  }));
  await using t = await tempStore({ entries: many });
  const cosines = Object.fromEntries(many.map(({ id }, i) => [id, -1 + i / 100]));
  const whole = await rerank(t, cosines, { k: 30 });
  const pages = [];
  for (let offset = 0; offset < 30; offset += 7) {
    pages.push(...idsOf(await rerank(t, cosines, { k: 7, offset })));
  }
  assert.deepEqual(pages, idsOf(whole));
  assert.deepEqual(whole.rerank, { rows: 20, with_vectors: 20 });
  const scores = whole.rows.map(({ score_final }) => score_final);
  assert.deepEqual(scores, scores.toSorted((a, b) => b - a));
});

Deno.test("a superseded row stays below what replaced it, however near it is", async () => {
  await using t = await tempStore({
    entries: [
      { id: "H-old", type: "decision", text: "retry policy: three times" },
      { id: "H-new", type: "decision", text: "retry policy: five times", supersedes: "H-old" },
    ],
  });
  assert.deepEqual(idsOf(await rerank(t, { "H-old": 1, "H-new": -1 })), ["H-new", "H-old"]);
});
