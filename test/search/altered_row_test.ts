// A row that was altered in its place since it was indexed: the log is the truth, and search says
// that the index is not.

import assert from "node:assert/strict";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

interface Found {
  results: { id: string; snippet: string }[];
  retrieval: { engine: string; notes: string[] };
}

Deno.test("search shows no row for words that it no longer has, and says why it is slow", async () => {
  await using t = await alteredStore();
  const gone = await t.run<Found>("search", { query: "falcon" });
  assert.deepEqual(gone.results.map(({ id }) => id), ["H-H10"]);
  assert.deepEqual(gone.retrieval.notes, [
    "H-H150 was edited in the hot log after it was indexed: searched without the index; " +
    "to rebuild it: ctx reindex --full",
  ]);
  await t.run("reindex", { full: true });
  const mended = await t.run<Found>("search", { query: "walrus" });
  assert.deepEqual(mended.results.map(({ id }) => id), ["H-H150"]);
  assert.deepEqual([mended.retrieval.engine, mended.retrieval.notes], ["index", []]);
});

Deno.test("search shows the text of the log, from the built file too, where other words find it", async () => {
  await using t = await alteredStore();
  const run = await t.ctx(["search", "unusual", "--json"]);
  const { results, retrieval }: Found = JSON.parse(run.stdout);
  assert.deepEqual(results.map(({ id }) => id), ["H-H150"]);
  assert.match(results[0].snippet, /unusual walrus/);
  assert.match(retrieval.notes.join(), /H-H150 was edited .+ ctx reindex --full/);
});

Deno.test("search that does not read the altered row goes by the index", async () => {
  await using t = await alteredStore();
  const { results, retrieval } = await t.run<Found>("search", {
    query: "ordinary",
    mode: "lexical",
  });
  assert.deepEqual(results.map(({ id }) => id), ["H-H11"]);
  assert.deepEqual([retrieval.engine, retrieval.notes], ["index", []]);
});

/** Rows of which one had "falcon" when it was indexed and has "walrus" now. */
async function alteredStore(): Promise<TempStore> {
  const texts: Record<number, string> = { 10: "a falcon", 11: "ordinary", 150: "unusual falcon" };
  const entries = Array.from({ length: 300 }, (_, i) => texts[i + 1] ?? `row ${i} of many`);
  const t = await tempStore({ entries });
  await t.run("reindex");
  t.write("history.ndjson", t.read("history.ndjson").replace("unusual falcon", "unusual walrus"));
  return t;
}
