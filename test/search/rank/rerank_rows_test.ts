// Reranking as a search does it, with cosines from a table in place of the model.

import assert from "node:assert/strict";
import { rerankBy } from "../../../src/search/rank/rerank_rows.ts";
import { roundScore } from "../../../src/search/rank/ranking.ts";
import { applySteps } from "../../../src/search/rank/steps.ts";
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

Deno.test("what the model finds nearest comes first, the scores stay with the places, and it says why", async () => {
  await using t = await tempStore({ entries });
  using store = t.open();
  const plain = await search(store, request);
  const answer = await rerank(t, { "H-a": 0, "H-b": 0.1, "H-c": 0.9 });
  assert.deepEqual([idsOf(plain), idsOf(answer)], [["H-a", "H-b", "H-c"], ["H-c", "H-a", "H-b"]]);
  assert.deepEqual(answer.rerank, { rows: 3, with_vectors: 3 });
  assert.deepEqual(
    answer.rows.map(({ score_final }) => score_final),
    plain.rows.map(({ score_final }) => score_final),
  );
  const places = answer.rows.map(({ explain }) => [explain?.rerank?.from, explain?.rerank?.to]);
  assert.deepEqual(places, [[3, 1], [1, 2], [2, 3]]);
  for (const { score_final, explain } of answer.rows) {
    assert.equal(applySteps(explain?.steps ?? []), score_final);
  }
});

Deno.test("a short text that resembles the question counts for less", async () => {
  await using t = await tempStore({ entries });
  const { rows } = await rerank(t, { "H-a": 0.5, "H-b": 0.5, "H-c": 0.5 });
  const weights = Object.fromEntries(rows.map(({ id, explain }) => [id, explain?.rerank?.weight]));
  const best = rows[0].score_final;
  const expected = entries.map(({ id, text }) => [id, roundScore(best * text.length / 140)]);
  assert.deepEqual(weights, Object.fromEntries(expected));
});

Deno.test("rows that the model has not seen stay in their places", async () => {
  await using t = await tempStore({ entries });
  const one = await rerank(t, { "H-c": 1 });
  assert.deepEqual(idsOf(one), ["H-a", "H-b", "H-c"]);
  assert.deepEqual(one.rerank, { rows: 3, with_vectors: 1 });
  const two = await rerank(t, { "H-a": -1, "H-c": 1 });
  assert.deepEqual(idsOf(two), ["H-c", "H-b", "H-a"]);
  assert.deepEqual(two.rows.map(({ explain }) => explain?.rerank !== undefined), [
    true,
    false,
    true,
  ]);
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

/** Of each pair the model has seen both, or one only, which alone would change places. */
const opinions: Record<string, Record<string, number>> = {
  "however near it is": { "H-first": 0, "H-new": -1, "H-old": 1, "H-last": 0 },
  "when the model has seen only the old one": { "H-first": -1, "H-old": 1 },
  "when the model has seen only the new one": { "H-new": -1, "H-last": 1 },
};

for (const [name, cosines] of Object.entries(opinions)) {
  Deno.test(`a superseded row stays below what replaced it, ${name}`, async () => {
    const long = (text: string): string => `${text} ${"of the queue and its messages ".repeat(8)}`;
    await using t = await tempStore({
      entries: [
        { id: "H-first", text: long("retry policy, retry policy, retry policy") },
        { id: "H-old", text: long("retry policy: three times") },
        { id: "H-new", text: long("retry policy: five times"), supersedes: "H-old" },
        { id: "H-last", text: long("a policy") },
      ],
    });
    const before = idsOf(await rerank(t, {}));
    assert.deepEqual(before, ["H-first", "H-new", "H-old", "H-last"]);
    const ids = idsOf(await rerank(t, cosines));
    assert.ok(ids.indexOf("H-new") < ids.indexOf("H-old"), ids.join());
  });
}
