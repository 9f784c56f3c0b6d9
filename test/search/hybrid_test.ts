import assert from "node:assert/strict";
import { completeVectors } from "../../src/index/complete_vectors.ts";
import { catchUp } from "../../src/index/catch_up.ts";
import { reindex } from "../../src/index/reindex_store.ts";
import type { Embedder } from "../../src/index/vectors/embedder.ts";
import { search } from "../../src/search/run_search.ts";
import { closeIndex } from "../../src/search/use_index.ts";
import type { SearchRequest } from "../../src/search/request.ts";
import { request, type RowDraft, SearchStore } from "../support/stores/search_store.ts";
import { wordEmbedder } from "../support/stores/word_embedder.ts";

const embedder = wordEmbedder([["car", "automobile"], ["fast", "quick"], ["cache"], ["deploy"]]);

const rows: RowDraft[] = [
  { id: "H-car", text: "the automobile was quick" },
  { id: "H-word", text: "the car stood in the rain all day long" },
  { id: "H-cache", text: "cache the deploy" },
  { id: "H-think", text: "a quick automobile", type: "thinking" },
  { id: "H-gone", text: "another quick automobile" },
  { id: "H-t", type: "tombstone", text: "", refs: ["H-gone"] },
];

async function find(t: SearchStore, query: string, rest: Partial<SearchRequest> = {}) {
  const answer = await search(t.store, request(query, rest), { embedder });
  closeIndex(t.store);
  return answer;
}

Deno.test("a hybrid search finds what shares no word with the query, and never what is gone", async () => {
  await using t = new SearchStore(rows);
  await reindex(t.store, { embedder });
  const answer = await find(t, "fast car");
  assert.equal(answer.branch, "hybrid");
  assert.deepEqual(answer.rows.map(({ id, rank_source }) => [id, rank_source]), [
    ["H-word", "hybrid"],
    ["H-car", "vector"],
  ]);
  assert.ok((answer.rows[1].score_vec ?? 0) > 0.99);
  const explained = await find(t, "fast car", { explain: true });
  assert.equal(explained.rows[0].explain?.vector?.weight, 0.6);
});

Deno.test("mode chooses the legs, and auto uses vectors only when every entry has one", async () => {
  await using t = new SearchStore(rows);
  assert.equal((await find(t, "fast car", { mode: "hybrid" })).branch, "lexical");
  assert.match((await find(t, "fast car", { mode: "vector" })).notes[0], /reindex --vectors/);
  await reindex(t.store);
  assert.equal((await find(t, "fast car")).branch, "lexical");
  await reindex(t.store, { embedder });
  assert.equal((await find(t, "fast car")).branch, "hybrid");
  assert.equal((await find(t, "fast car", { mode: "lexical" })).branch, "lexical");
  const vector = await find(t, "fast car", { mode: "vector" });
  assert.deepEqual(vector.rows.map(({ id }) => id), ["H-car", "H-word"]);
  assert.ok(vector.rows.every(({ rank_source }) => rank_source === "vector"));
});

Deno.test("a search that waits for its embedder goes on when another has opened a newer index", async () => {
  // So many that the segment is read from its file as it is needed.
  const fillers = Array.from({ length: 3000 }, (_, i) => ({ id: `H-f${i}`, text: `filler${i}` }));
  await using t = new SearchStore([...rows, ...fillers]);
  await reindex(t.store, { embedder });
  let asked = 0;
  const waiting: Embedder = {
    ...embedder,
    embed: async (texts) => {
      asked++;
      t.append("history.ndjson", [{ id: "H-new", text: "cache the build" }]);
      await catchUp(t.store, { sealBytes: 1, embedder });
      assert.equal((await search(t.store, request("cache"))).total, 2);
      return embedder.embed(texts);
    },
  };
  const answer = await search(t.store, request("fast car"), { embedder: waiting });
  assert.equal(asked, 1);
  assert.deepEqual(answer.rows.map(({ id }) => id), ["H-word", "H-car"]);
  closeIndex(t.store);
});

Deno.test("an unrelated query finds nothing in a hybrid search either", async () => {
  await using t = new SearchStore(rows);
  await reindex(t.store, { embedder });
  assert.equal((await find(t, "quantum chromodynamics lecture")).total, 0);
});

Deno.test("vectors follow entries through segments, merges and the tail", async () => {
  const many = Array.from({ length: 60 }, (_, i) => ({
    id: `H-${i}`,
    text: `${["car", "automobile", "cache", "deploy"][i % 4]} ${
      i % 7 === 0 ? "fast" : "slow"
    } ${i}`,
  }));
  await using whole = new SearchStore(many);
  await reindex(whole.store, { embedder });
  await using parts = new SearchStore([]);
  for (let i = 0; i < 55; i += 5) {
    parts.append("history.ndjson", many.slice(i, i + 5));
    await catchUp(parts.store, { sealBytes: 1, embedder });
  }
  parts.append("history.ndjson", many.slice(55));
  for (const query of ["quick car", "cache deploy", "automobile 12"]) {
    const answers = [];
    for (const t of [whole, parts]) {
      const { engine: _engine, index: _index, ...answer } = await find(t, query, { k: 50 });
      answers.push({ ...answer, rows: t.placeless(answer.rows) });
    }
    assert.equal(answers[0].branch, "hybrid");
    assert.deepEqual(answers[1], answers[0]);
  }
});

Deno.test("what was indexed without an embedder gets its vectors when there is one", async () => {
  await using t = new SearchStore(rows);
  await catchUp(t.store, { sealBytes: 1 });
  assert.equal((await find(t, "fast car")).branch, "lexical");
  t.append("history.ndjson", [{ id: "H-later", text: "a later note" }]);
  await catchUp(t.store, { sealBytes: 1, embedder });
  await completeVectors(t.store, embedder, { maxRows: 512 });
  const answer = await find(t, "fast car");
  assert.equal(answer.branch, "hybrid");
  assert.deepEqual(answer.rows.map(({ id }) => id), ["H-word", "H-car"]);
});

Deno.test("a call that may do little leaves a large segment without vectors to reindex", async () => {
  const many = Array.from({ length: 50 }, (_, i) => ({ id: `H-${i}`, text: `car ${i}` }));
  await using t = new SearchStore(many);
  await catchUp(t.store, { sealBytes: 1 });
  t.append("history.ndjson", [{ id: "H-later", text: "automobile" }]);
  await catchUp(t.store, { sealBytes: 1, embedder });
  await completeVectors(t.store, embedder, { maxRows: 20 });
  assert.equal((await find(t, "fast car")).branch, "lexical");
  await reindex(t.store, { embedder });
  assert.equal((await find(t, "fast car")).branch, "hybrid");
});

Deno.test("merges without the embedder lose no vectors", async () => {
  await using t = new SearchStore([]);
  let asked = 0;
  const counting: Embedder = {
    ...embedder,
    embed: (texts) => {
      asked += texts.length;
      return embedder.embed(texts);
    },
  };
  for (let i = 0; i < 20; i++) {
    t.append("history.ndjson", [{ id: `H-${i}`, text: `car ${i}` }]);
    // As with a remote embedder: asked for the first rows, then not on the way.
    await catchUp(t.store, { sealBytes: 1, ...(i < 10 ? { embedder: counting } : {}) });
  }
  assert.equal(asked, 10);
  const { segments } = await reindex(t.store, { embedder: counting });
  assert.equal(asked, 20);
  assert.ok(segments < 8, `${segments} segments`);
  assert.equal((await find(t, "fast car")).branch, "hybrid");
});

Deno.test("another embedder's vectors are not mixed in", async () => {
  await using t = new SearchStore(rows);
  await reindex(t.store, { embedder });
  const other = { ...embedder, name: "other", fingerprint: "other" };
  const answer = await search(t.store, request("fast car"), { embedder: other });
  closeIndex(t.store);
  assert.equal(answer.branch, "lexical");
  assert.match(answer.notes[0], /not configured/);
  await reindex(t.store, { embedder: other });
  const again = await search(t.store, request("fast car"), { embedder: other });
  closeIndex(t.store);
  assert.equal(again.branch, "hybrid");
});
