// A search that estimates cosines first finds what a search with all of them finds, in any layout of
// segments and with rows that are not sealed.

import assert from "node:assert/strict";
import fc from "fast-check";
import { generateRows } from "../../bench/generate.ts";
import { catchUp } from "../../src/index/catch_up.ts";
import { openLocalEmbedder } from "../../src/index/vectors/embedder_local.ts";
import { openIndex } from "../../src/index/search_index.ts";
import { planSearch } from "../../src/search/plan_search.ts";
import type { SearchAnswer, SearchRequest } from "../../src/search/request.ts";
import { searchIndex } from "../../src/search/run_search.ts";
import { request, type RowDraft, SearchStore } from "../support/search_store.ts";

const embedder = openLocalEmbedder({ whole: true });

const asked: Partial<SearchRequest>[] = [
  {},
  { mode: "vector" },
  { role: "user" },
  { mode: "vector", k: 20, offset: 30 },
  { type: "decision", k: 10 },
];
const queries = [
  "how do we retry the cache when the deploy fails",
  "quick automobile",
  "token -auth",
  "one two three four five six seven eight nine ten eleven twelve thirteen cache",
  "embedding",
];

Deno.test("rows and their scores are those of comparing all vectors, whatever the rows say", async () => {
  const word = fc.constantFrom("car", "auto", "token", "cache", "deploy", "quick", "日本", "the");
  const row = fc.record({
    text: fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(" ")),
    role: fc.constantFrom("user", "assistant"),
    type: fc.constantFrom("turn", "note", "decision"),
    session_id: fc.constantFrom("S-1", "S-2"),
  });
  const property = fc.asyncProperty(
    fc.array(row, { minLength: 1, maxLength: 150 }),
    fc.array(word, { minLength: 1, maxLength: 4 }),
    async (rows, words) => {
      await using store = await sealed(rows.map((row, i) => ({ ...row, id: `H-${i}` })), [1]);
      for (const more of asked) {
        const wanted = request(words.join(" "), more);
        const [{ rows: expected }] = await ask(store, [wanted], Infinity);
        const [{ rows }] = await ask(store, [wanted], 0);
        assert.deepEqual(rows, expected);
      }
    },
  );
  await fc.assert(property, { numRuns: 30, seed: 4 });
});

Deno.test("answers are the same with 1, 10 and 40 segments and with rows that are not sealed", async () => {
  const rows: RowDraft[] = [...generateRows({ rows: 1200 })].map((line) => JSON.parse(line));
  rows.push({ id: "T-1", type: "tombstone", text: "", refs: [rows[7].id, rows[1100].id] });
  const wanted = queries.flatMap((query) => asked.map((more) => request(query, more)));
  await using one = await sealed(rows, [1]);
  const exact = await ask(one, wanted, Infinity);
  const expected = await ask(one, wanted, 0);
  expected.forEach((answer, i) => assert.deepEqual(answer.rows, exact[i].rows));
  assert.ok(expected.some(({ rows }) => rows.length > 5));
  for (const layout of [segments(10), segments(40), [0.9], [0.2, 0.5, 0.97]]) {
    await using other = await sealed(rows, layout);
    assert.deepEqual(await ask(other, wanted, 0), expected, layout.join());
  }
});

function segments(count: number): number[] {
  return Array.from({ length: count }, (_, i) => (i + 1) / count);
}

/** A store whose rows are sealed in pieces that end at these shares of them; the rest is not. */
async function sealed(rows: RowDraft[], ends: readonly number[]): Promise<SearchStore> {
  const store = new SearchStore([]);
  let from = 0;
  for (const end of ends) {
    const to = Math.round(end * rows.length);
    store.append("history.ndjson", rows.slice(from, to));
    await catchUp(store.store, { sealBytes: 1, maxMergeRows: 0, embedder });
    from = to;
  }
  store.append("history.ndjson", rows.slice(from));
  return store;
}

/** The answers when cosines are estimated in stores of more than `exactUpTo` entries. */
async function ask(
  t: SearchStore,
  requests: readonly SearchRequest[],
  exactUpTo: number,
): Promise<Pick<SearchAnswer, "rows" | "total" | "candidates">[]> {
  using index = openIndex(t.store, { warn: assert.fail });
  const compare = index.compare.bind(index);
  index.compare = (corpus, query) => compare(corpus, query, { exactUpTo });
  const answers = [];
  for (const wanted of requests) {
    const { rows, total, candidates } = await searchIndex(index, await planSearch(wanted));
    answers.push({ rows: t.placeless(rows), total, candidates });
  }
  return answers;
}
