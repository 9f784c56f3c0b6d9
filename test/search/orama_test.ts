// The store as an Orama database, used as Orama's documentation says: its own functions, its own
// parameters, its own results.

import assert from "node:assert/strict";
import { count, getByID, insert, search, type SearchParams } from "@orama/orama";
import { openOrama, type OramaDatabase } from "../../mod.ts";
import { reindex } from "../../src/index/reindex_store.ts";
import { findLocalEmbedder } from "../../src/index/vectors/embedder_local.ts";
import { type RowDraft, SearchStore } from "../support/stores/search_store.ts";
import { wordEmbedder } from "../support/stores/word_embedder.ts";

const embedder = wordEmbedder([["car", "automobile"], ["fast", "quick"], ["cache"], ["deploy"]]);

const archive: RowDraft[] = [
  { id: "H-old", ts: at(1), text: "the cache was slow", session_id: "S-a", role: "user" },
];
const hot: RowDraft[] = [
  { id: "H-title", ts: at(2), title: "Cache rules", text: "how we keep it", tags: ["ops"] },
  {
    id: "H-both",
    ts: at(3),
    text: "we deploy the cache with getUserName",
    session_id: "S-a",
    role: "assistant",
    type: "decision",
    files: ["src/auth.ts"],
    tags: ["ops", "auth"],
  },
  { id: "H-car", ts: at(4), text: "an automobile is quick", session_id: "S-b", role: "user" },
  { id: "H-drive", ts: at(5), text: "the car stood in the rain all day", session_id: "S-b" },
  { id: "H-gone", ts: at(6), text: "cache that was forgotten" },
  { id: "H-t", ts: at(7), type: "tombstone", text: "", refs: ["H-gone"] },
];

function at(day: number): string {
  return `2026-01-0${day}T00:00:00.000Z`;
}

async function vectorOf(text: string): Promise<Float32Array> {
  return (await embedder.embed([text]))[0];
}

/** The same tests on a sealed index, and on logs without one. */
for (const kind of ["index", "scan"] as const) {
  const test = (name: string, run: (db: OramaDatabase, t: SearchStore) => Promise<void>): void =>
    Deno.test(`Orama over the ${kind}: ${name}`, async () => {
      await using t = new SearchStore(hot, archive);
      if (kind === "index") await reindex(t.store, { embedder });
      using db = await openOrama(t.workspace);
      await run(db, t);
    });
  const ids = async (db: OramaDatabase, params: SearchParams<OramaDatabase>): Promise<string[]> =>
    (await search(db, params)).hits.map(({ id }) => id);

  test("term finds by words, best first, with the score and the document", async (db) => {
    const found = await search(db, { term: "cache deploys" });
    assert.equal(found.count, 3);
    assert.deepEqual(found.hits.map(({ id }) => id), ["H-both", "H-old", "H-title"]);
    const [best, second] = found.hits;
    assert.ok(best.score > second.score);
    assert.equal(best.document.text, "we deploy the cache with getUserName");
    assert.equal(best.document.session, "S-a");
    assert.equal(typeof found.elapsed.raw, "number");
    assert.equal((await search(db, { term: "zebra" })).count, 0);
  });

  test("the tokenizer is what takes the term apart", async (db) => {
    assert.deepEqual(db.tokenizer.tokenize("the getUserName"), [
      "get",
      "user",
      "name",
      "=getusername",
    ]);
    assert.deepEqual(await ids(db, { term: "get_user_name" }), ["H-both"]);
    const { tokenize } = db.tokenizer;
    db.tokenizer.tokenize = (raw) => raw === "vehicle" ? tokenize("cache") : tokenize(raw);
    assert.equal((await ids(db, { term: "vehicle" })).length, 3);
    db.tokenizer.tokenize = tokenize;
    assert.equal((await ids(db, { term: "vehicle" })).length, 0);
  });

  test("properties and boost choose where a word counts", async (db) => {
    assert.deepEqual(await ids(db, { term: "cache", properties: ["title"] }), ["H-title"]);
    assert.deepEqual(await ids(db, { term: "cache", properties: ["text"] }), ["H-both", "H-old"]);
    const boosted = await search(db, { term: "cache", boost: { title: 3 } });
    const plain = await search(db, { term: "cache" });
    assert.equal(boosted.hits[0].id, "H-title");
    const scoreOf = ({ hits }: typeof plain): number | undefined =>
      hits.find(({ id }) => id === "H-title")?.score;
    assert.ok((scoreOf(boosted) ?? 0) > (scoreOf(plain) ?? 0));
    await assert.rejects(async () => await search(db, { term: "cache", properties: ["role"] }));
  });

  test("limit and offset cut the page, and count stays", async (db) => {
    const all = await ids(db, { term: "cache" });
    const page = await search(db, { term: "cache", limit: 1, offset: 1 });
    assert.deepEqual(page.hits.map(({ id }) => id), [all[1]]);
    assert.equal(page.count, 3);
    assert.deepEqual((await search(db, { term: "cache", preflight: true })).hits, []);
  });

  test("exact wants the word as it is written; guesses are refused", async (db) => {
    assert.deepEqual(await ids(db, { term: "Cache", exact: true }), ["H-title"]);
    await assert.rejects(() => ids(db, { term: "cahce", tolerance: 1 }), /tolerance/);
  });

  test("where filters by exact values, lists, times, and their combinations", async (db) => {
    assert.deepEqual(await ids(db, { term: "cache", where: { session: "S-a", role: "user" } }), [
      "H-old",
    ]);
    const found = async (where: object): Promise<string[]> =>
      (await ids(db, { term: "cache", where })).toSorted();
    assert.deepEqual(await found({ role: ["user", "assistant"] }), ["H-both", "H-old"]);
    assert.deepEqual(await found({ tag: "ops", file: "auth.ts" }), ["H-both"]);
    assert.deepEqual(await found({ pool: "archive" }), ["H-old"]);
    const [first, second] = [Date.parse(at(1)), Date.parse(at(2))];
    assert.deepEqual(await found({ ts: { between: [first, second] } }), ["H-old", "H-title"]);
    assert.deepEqual(await found({ ts: { gt: second } }), ["H-both"]);
    assert.deepEqual(await found({ not: { session: "S-a" } }), ["H-title"]);
    assert.deepEqual(await found({ or: [{ type: "decision" }, { pool: "archive" }] }), [
      "H-both",
      "H-old",
    ]);
    assert.deepEqual(await found({ and: [{ session: "S-a" }, { not: { role: "user" } }] }), [
      "H-both",
    ]);
    assert.deepEqual(await found({ session: "S-b" }), []);
    await assert.rejects(() => found({ colour: "red" }), /colour/);
    assert.deepEqual(await found({ role: { eq: "user" } }), ["H-old"]);
    assert.deepEqual(await found({ role: { in: ["user", "assistant"] } }), ["H-both", "H-old"]);
    assert.deepEqual(await found({ role: { nin: ["user", "assistant"] } }), ["H-title"]);
    assert.deepEqual(await found({ tag: { containsAny: ["auth", "ops"] } }), ["H-both", "H-title"]);
    assert.deepEqual(await found({ tag: { containsAll: ["auth", "ops"] } }), ["H-both"]);
    assert.deepEqual(await found({ thinking: { eq: false } }), ["H-both", "H-old", "H-title"]);
    assert.deepEqual(await found({ ts: first }), ["H-old"]);
    for (const where of [{ role: { gt: "a" } }, { role: [{ eq: "user" }] }, { role: undefined }]) {
      await assert.rejects(() => found(where), { code: "USAGE", message: /role/ });
    }
    await assert.rejects(() => found({ tag: { constructor: "a" } }), /tag\.constructor/);
    await assert.rejects(() => found({ ts: { constructor: 1 } }), /ts\.constructor/);
  });

  test("without a term, everything or what where leaves, newest first", async (db) => {
    assert.deepEqual(await ids(db, {}), ["H-drive", "H-car", "H-both", "H-title", "H-old"]);
    assert.deepEqual(await ids(db, { term: "", where: { session: "S-a" } }), ["H-both", "H-old"]);
    assert.equal((await search(db, { term: "", limit: 1 })).count, 5);
  });

  test("sortBy orders by a property instead of the score", async (db) => {
    const by = (order: "ASC" | "DESC") => ({ property: "ts", order });
    assert.deepEqual(await ids(db, { term: "cache", sortBy: by("ASC") }), [
      "H-old",
      "H-title",
      "H-both",
    ]);
    assert.deepEqual(await ids(db, { term: "cache", sortBy: by("DESC") }), [
      "H-both",
      "H-title",
      "H-old",
    ]);
    assert.deepEqual(await ids(db, { term: "cache", sortBy: { property: "text" } }), [
      "H-title",
      "H-old",
      "H-both",
    ]);
    // As Orama's documentation has it: not by lists, and not by what is not in the schema.
    for (const property of ["tags", "colour"]) {
      await assert.rejects(() => ids(db, { term: "cache", sortBy: { property } }), /sort/);
    }
    // Rows without the property come last.
    assert.equal((await ids(db, { term: "cache", sortBy: { property: "session" } }))[2], "H-title");
    const shortest = await ids(db, {
      term: "cache",
      sortBy: ([, , a], [, , b]) => a.text.length - b.text.length,
    });
    assert.deepEqual(shortest, ["H-title", "H-old", "H-both"]);
  });

  test("facets count the values of all matching rows, not of the page", async (db) => {
    const found = await search(db, {
      term: "cache",
      limit: 1,
      facets: {
        session: {},
        tag: {},
        pool: {},
        ts: { ranges: [{ from: 0, to: Date.parse(at(2)) }] },
      },
    });
    assert.deepEqual(found.facets, {
      session: { count: 2, values: { "S-a": 2, "": 1 } },
      tag: { count: 2, values: { ops: 2, auth: 1 } },
      pool: { count: 2, values: { hot: 2, archive: 1 } },
      ts: { count: 1, values: { [`0-${Date.parse(at(2))}`]: 2 } },
    });
  });

  test("groupBy puts hits together by a property", async (db) => {
    const found = await search(db, { term: "cache", groupBy: { properties: ["pool"] } });
    const groups = found.groups?.map(({ values, result }) => [values, result.map(({ id }) => id)]);
    assert.deepEqual(groups, [[["hot"], ["H-title", "H-both"]], [["archive"], ["H-old"]]]);
    const document = found.groups?.[1].result[0].document;
    assert.equal(document?.text, "the cache was slow");
    assert.ok(document && "text" in document);
    const hit = found.hits.find(({ id }) => id === "H-old")?.document;
    // Orama sets that in hits.
    assert.deepEqual({ ...document, embedding: null }, hit);
    assert.equal(JSON.parse(JSON.stringify(document)).session, "S-a");
  });

  test("values may be named like the members of every object", async (db, t) => {
    const odd = { ts: at(8), text: "a zebra" };
    t.append("history.ndjson", [
      { ...odd, id: "H-1", type: "constructor", tags: ["constructor", "__proto__"] },
      { ...odd, id: "H-2", type: "constructor", session_id: "toString" },
      { ...odd, id: "H-3", type: "__proto__" },
    ]);
    const found = await search(db, {
      term: "zebra",
      facets: { type: { limit: 1 }, tag: {}, session: {} },
      groupBy: { properties: ["type"] },
    });
    const { type, tag, session } = found.facets ?? {};
    assert.deepEqual(type, { count: 2, values: { constructor: 2 } });
    assert.deepEqual(Object.entries(tag.values).sort(), [["__proto__", 1], ["constructor", 1]]);
    assert.deepEqual(session.values, { "": 2, toString: 1 });
    const groups = found.groups?.map(({ values, result }) => [values, result.length]);
    assert.deepEqual(groups, [[["constructor"], 2], [["__proto__"], 1]]);
    assert.equal(found.groups?.[0].result[0].document.type, "constructor");
  });

  test("groupBy keeps maxResult of each group and reduces what it is told to", async (db) => {
    const properties = ["pool"];
    const { groups } = await search(db, {
      term: "cache",
      groupBy: { properties, maxResult: 1 },
    });
    assert.deepEqual(groups?.map(({ result }) => result.map(({ id }) => id)), [
      ["H-title"],
      ["H-old"],
    ]);
    const reduced = await search(db, {
      term: "cache",
      groupBy: {
        properties,
        reduce: {
          reducer: (_values: unknown, ids: string, { id }: { id: string }) => `${ids} ${id}`,
          getInitialValue: () => "",
        },
      },
    });
    assert.deepEqual(reduced.groups?.map(({ result }) => `${result}`), [
      " H-title H-both",
      " H-old",
    ]);
  });

  test("hooks of a plugin see every search", async (db) => {
    const seen: number[] = [];
    db.afterSearch.push((_db, _params, _language, { count }) => void seen.push(count));
    await search(db, { term: "cache" });
    assert.deepEqual(seen, [3]);
  });

  test("distinctOn keeps the best of each value", async (db) => {
    assert.deepEqual(await ids(db, { term: "cache", distinctOn: "group" }), ["H-title", "H-both"]);
    assert.deepEqual(await ids(db, { term: "cache", distinctOn: "pool" }), ["H-title", "H-old"]);
  });

  test("getByID and count, as the log is now", async (db, t) => {
    assert.equal(getByID(db, "H-both")?.text, "we deploy the cache with getUserName");
    assert.equal(getByID(db, "H-gone"), undefined);
    assert.equal(count(db), 5);
    t.append("history.ndjson", [{ id: "H-new", ts: at(8), text: "a new cache" }]);
    assert.equal(getByID(db, "H-new")?.text, "a new cache");
    assert.equal(count(db), 6);
    assert.equal((await search(db, { term: "cache" })).count, 4);
  });

  test("searches at the same time do not mix", async (db) => {
    const [cache, car] = await Promise.all([
      ids(db, { term: "cache", where: { pool: "archive" } }),
      ids(db, { term: "car" }),
    ]);
    assert.deepEqual([cache, car], [["H-old"], ["H-drive"]]);
  });

  test("nothing can be inserted", async (db) => {
    await assert.rejects(async () => await insert(db, { text: "new" }), /updated from the log/);
  });
}

Deno.test("Orama in mode vector finds by similarity, within where", async () => {
  await using t = new SearchStore(hot, archive);
  await reindex(t.store, { embedder });
  using db = await openOrama(t.workspace);
  const vector = { property: "embedding", value: await vectorOf("fast car") };
  const found = await search(db, { mode: "vector", vector, similarity: 0.4 });
  assert.deepEqual(found.hits.map(({ id }) => id), ["H-car", "H-drive"]);
  assert.equal(found.hits[0].document.text, "an automobile is quick");
  const near = await search(db, { mode: "vector", vector });
  assert.deepEqual(near.hits.map(({ id }) => id), ["H-car"]);
  const [one, two] = await Promise.all([
    search(db, { mode: "vector", vector, similarity: 0 }),
    search(db, { mode: "vector", vector, similarity: 0, where: { role: "user" } }),
  ]);
  assert.deepEqual([one.count, two.count], [2, 1]);
  const user = await search(db, { mode: "vector", vector, similarity: 0, where: { role: "note" } });
  assert.deepEqual(user.hits.map(({ id }) => id), ["H-drive"]);
  const facets = await search(db, {
    mode: "vector",
    vector,
    similarity: 0,
    limit: 1,
    facets: { session: {} },
  });
  assert.deepEqual(facets.facets, { session: { count: 1, values: { "S-b": 2 } } });
  const short = { property: "embedding", value: [1, 2] };
  await assert.rejects(async () => await search(db, { mode: "vector", vector: short }), /32/);
});

Deno.test("Orama in mode hybrid ranks as ctx does: by words and similarity together", async () => {
  await using t = new SearchStore(hot, archive);
  await reindex(t.store, { embedder });
  using db = await openOrama(t.workspace);
  const vector = { property: "embedding", value: await vectorOf("fast car") };
  const found = await search(db, { mode: "hybrid", term: "fast car rain", vector, limit: 5 });
  assert.deepEqual(found.hits.map(({ id }) => id), ["H-drive", "H-car"]);
  const { search: searchStore } = await import("../../src/search/run_search.ts");
  const { closeIndex } = await import("../../src/search/use_index.ts");
  const answer = await searchStore(t.store, {
    query: "fast car rain",
    k: 5,
    offset: 0,
    scope: "all",
    mode: "hybrid",
  }, { embedder: { ...embedder, embed: () => vectorOf("fast car").then((one) => [one]) } });
  closeIndex(t.store);
  assert.equal(answer.branch, "hybrid");
  assert.deepEqual(
    found.hits.map(({ id, score }) => ({ id, score })),
    answer.rows.map(({ id, score_final }) => ({ id, score: score_final })),
  );
  const paged = await search(db, {
    mode: "hybrid",
    term: "fast car rain",
    vector,
    offset: 1,
    where: { session: "S-b" },
    facets: { role: {} },
  });
  assert.deepEqual(paged.hits.map(({ id }) => id), ["H-car"]);
  assert.deepEqual(paged.facets?.role.values, { note: 1, user: 1 });
});

Deno.test("Orama in mode hybrid or vector makes the vector of the term, if none is given", async () => {
  await using t = new SearchStore(hot, archive);
  await reindex(t.store, { embedder: findLocalEmbedder({ whole: true }) });
  t.append("history.ndjson", [{ id: "H-tail", ts: at(8), text: "motor cars and automobiles" }]);
  using db = await openOrama(t.workspace);
  const vector = await search(db, { mode: "vector", term: "automobile", similarity: 0 });
  assert.ok(vector.hits.some(({ id }) => id === "H-tail"));
  const hybrid = await search(db, { mode: "hybrid", term: "automobile" });
  assert.ok(hybrid.hits.some(({ id }) => id === "H-car"));
});

Deno.test("Orama finds nothing by similarity while the configuration wants no vectors", async () => {
  await using t = new SearchStore(hot, archive);
  await reindex(t.store, { embedder });
  using db = await openOrama(t.workspace);
  const value = await vectorOf("fast car");
  const find = (mode: "hybrid" | "vector") =>
    search(db, { mode, term: "automobile", vector: { property: "embedding", value } });
  assert.ok((await find("hybrid")).count > 0);
  const path = `${t.workspace}/.contextfs/config.jsonc`;
  Deno.writeTextFileSync(path, '{ "embedder": { "kind": "none" } }');
  const refusal = { code: "USAGE", message: /embedder.kind is none/ };
  for (const mode of ["hybrid", "vector"] as const) {
    await assert.rejects(async () => await find(mode), refusal);
  }
  assert.ok((await search(db, { term: "automobile" })).count > 0);
  Deno.removeSync(path);
  assert.ok((await find("vector")).count > 0);
});

Deno.test("Orama without vectors says so in mode vector", async () => {
  await using t = new SearchStore(hot);
  using db = await openOrama(t.workspace);
  await assert.rejects(
    async () => await search(db, { mode: "vector", term: "car" }),
    /has no vector/,
  );
});

Deno.test("Orama needs a directory with a store, and refuses once it is disposed of", async () => {
  await using t = new SearchStore(hot);
  await assert.rejects(() => openOrama(`${t.workspace}/none`), { code: "NOT_FOUND" });
  const db = await openOrama(t.workspace);
  db[Symbol.dispose]();
  const refusal = { code: "USAGE", message: /memory is closed/ };
  await assert.rejects(async () => await search(db, { term: "cache" }), refusal);
  assert.throws(() => count(db), refusal);
  assert.throws(() => getByID(db, "H-both"), refusal);
});

Deno.test("Orama says that a row was altered, and reads the logs from then on", async () => {
  for (const first of ["search", "getByID"]) {
    // So many that the altered row is not at an edge of the log, where the index looks.
    const others = Array.from({ length: 150 }, (_, i) => ({ id: `H-o${i}`, text: `row ${i}` }));
    await using t = new SearchStore([
      ...others,
      ...hot,
      ...others.map(({ id }) => ({ id: `${id}b` })),
    ]);
    await reindex(t.store);
    const path = `${t.workspace}/.contextfs/history.ndjson`;
    Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace("we deploy", "we gather"));
    using db = await openOrama(t.workspace);
    const find = async () => await search(db, { term: "deploy" });
    if (first === "search") {
      await assert.rejects(find, { code: "INCOMPLETE", message: /H-both was edited/ });
    } else {
      assert.equal(getByID(db, "H-both")?.text, "we gather the cache with getUserName");
    }
    assert.equal((await find()).count, 0);
    assert.equal((await search(db, { term: "gather" })).hits[0].id, "H-both");
    await reindex(t.store, { full: true });
    assert.equal((await search(db, { term: "gather" })).hits[0].id, "H-both");
  }
});
