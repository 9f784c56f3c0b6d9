// `ctx search` runs on Orama's engine: what Orama's documentation says of `distinctOn`, `groupBy`,
// `facets`, `limit` and `offset` is what its rows, copies and counts are. The same parameters, given to
// Orama by a program that has every match ranked, must give the same.

import assert from "node:assert/strict";
import { search as searchOrama } from "@orama/orama";
import { openOrama } from "../../mod.ts";
import { reindex } from "../../src/index/reindex_store.ts";
import { facetNames } from "../../src/search/request.ts";
import { search } from "../../src/search/run_search.ts";
import { closeIndex } from "../../src/search/use_index.ts";
import { request, type RowDraft, SearchStore } from "../support/stores/search_store.ts";

const words = ["cache", "token", "retry", "deploy", "schema", "lock"];

/** Rows that say the same, each in a session of its own. */
const copies: RowDraft[] = Array.from({ length: 12 }, (_, i) => ({
  id: `H-copy-${i}`,
  ts: new Date(Date.UTC(2026, 1, 1 + i)).toISOString(),
  text: "the gateway keeps nothing warm after midnight",
  session_id: `S-copy-${i}`,
  role: "assistant",
  type: "turn",
}));

/** Sessions of very different sizes, rows without one, and copies. */
const rows: RowDraft[] = Array.from({ length: 400 }, (_, i) => ({
  id: `H-${i}`,
  ts: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString(),
  text: `the cache of ${words[i % 6]} ${words[(i * i) % 5]} row ${i % 150}`,
  session_id: i % 40 === 1 ? undefined : `S-${Math.floor(Math.sqrt(i * (i % 7)))}`,
  role: i % 3 === 0 ? "user" : "assistant",
  type: i % 10 === 0 ? "decision" : "turn",
  tags: [words[i % 4], words[i % 5]],
  files: i % 8 === 0 ? [`src/${words[i % 6]}.ts`] : [],
}));

/** The same store, sealed and not: `run` gets the program's database too. */
async function onStore(run: (t: SearchStore, kind: string) => Promise<void>): Promise<void> {
  for (const kind of ["index", "scan"]) {
    await using t = new SearchStore([...rows.slice(300), ...copies], rows.slice(0, 300));
    if (kind === "index") await reindex(t.store);
    await run(t, kind);
    closeIndex(t.store);
  }
}

const where = { thinking: false, recall: false };

Deno.test("--group is Orama's distinctOn over every match, page by page", async () => {
  await onStore(async (t, kind) => {
    using db = await openOrama(t.workspace);
    for (const offset of [0, 7, 21]) {
      const page = { limit: 7, offset };
      const found = await searchOrama(db, { term: "cache", where, distinctOn: "group", ...page });
      const answer = await search(
        t.store,
        request("cache", { k: 7, offset, unit: "session", mode: "lexical" }),
      );
      assert.equal(answer.rows.length, 7, kind);
      assert.deepEqual(answer.rows.map(({ id }) => id), found.hits.map(({ id }) => id), kind);
    }
  });
});

Deno.test("a group says how many more rows it has as Orama's facets count them", async () => {
  await onStore(async (t, kind) => {
    using db = await openOrama(t.workspace);
    const facets = { session: { limit: 1000 } };
    const found = await searchOrama(db, { term: "cache", where, facets, limit: 1 });
    const { "": alone, ...counts } = found.facets?.session.values ?? {};
    const answer = await search(
      t.store,
      request("cache", { k: 1000, unit: "session", mode: "lexical" }),
    );
    assert.deepEqual(
      [answer.total, answer.matches],
      [Object.keys(counts).length + alone, found.count],
      kind,
    );
    const told = answer.rows.flatMap(({ session_id, more_in_session = 0 }) =>
      session_id === undefined ? [] : [[session_id, more_in_session + 1] as const]
    );
    assert.deepEqual(Object.fromEntries(told), counts, kind);
  });
});

Deno.test("--facets are Orama's facets of every match, however few rows are ranked", async () => {
  await onStore(async (t, kind) => {
    using db = await openOrama(t.workspace);
    const asked = Object.fromEntries(facetNames.map((name) => [name, { limit: 1000 }]));
    const found = await searchOrama(db, { term: "cache retry", where, facets: asked, limit: 1 });
    const query = request("cache retry", { k: 1, facets: facetNames, mode: "lexical" });
    const { facets } = await search(t.store, query);
    assert.ok(Object.keys(facets?.session.values ?? {}).length > 20);
    assert.deepEqual(facets, found.facets, kind);
  });
});

Deno.test("copies are folded by Orama's distinctOn and told by its groupBy", async () => {
  await onStore(async (t, kind) => {
    const find = (rest: object) =>
      search(t.store, request("gateway midnight", { k: 50, mode: "lexical", ...rest }));
    const [all, folded] = [await find({}), await find({ fold: true })];
    const [first, ...others] = all.rows.map(({ id }) => id);
    assert.equal(others.length, copies.length - 1, kind);
    assert.deepEqual(folded.rows.map(({ id, like }) => ({ id, like })), [
      { id: first, like: { count: others.length, ids: others.slice(0, 5) } },
    ], kind);
    assert.deepEqual([folded.total, folded.copies], [copies.length, others.length], kind);
  });
});

Deno.test("pages of folded rows are cut by Orama's limit and offset: none is missing, none comes twice", async () => {
  await onStore(async (t, kind) => {
    const find = async (rest: object) => {
      const asked = request("cache lock", { mode: "lexical", fold: true, ...rest });
      return (await search(t.store, asked)).rows.map(({ id }) => id);
    };
    const whole = await find({ k: 60 });
    const pages = [await find({ k: 20 }), await find({ k: 20, offset: 20 })];
    assert.deepEqual([...pages.flat(), ...await find({ k: 20, offset: 40 })], whole, kind);
    assert.deepEqual(await find({ k: 20, offset: 5000 }), []);
  });
});
