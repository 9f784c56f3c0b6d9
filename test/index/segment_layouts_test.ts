// The same log in any segment layout, and without an index, gives the same bytes.

import assert from "node:assert/strict";
import fc from "fast-check";
import { catchUp } from "../../src/index/catch_up.ts";
import type { Embedder } from "../../src/index/vectors/embedder.ts";
import { openLocalEmbedder } from "../../src/index/vectors/embedder_local.ts";
import { reindex } from "../../src/index/reindex_store.ts";
import { search } from "../../src/search/run_search.ts";
import { closeIndex } from "../../src/search/use_index.ts";
import type { SearchAnswer } from "../../src/search/request.ts";
import { makeRandom } from "../../bench/support/generate.ts";
import { runsOf } from "../support/full_length.ts";
import { request, type RowDraft, SearchStore } from "../support/stores/search_store.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const queries = [
  "auth token",
  "cache",
  "日本 deploy",
  "userStore retry NOT auth",
  '"token cache"',
  'cache +"auth token"',
  'token NOT "token cache"',
  "tokne cahce",
  "role:user cache",
  "session:S-1 token deploy",
  "zebra",
];

const word = fc.constantFrom(
  "auth",
  "token",
  "cache",
  "deploy",
  "retry",
  "日本",
  "userStore",
  "the",
);
const row = fc.record({
  id: fc.integer({ min: 0, max: 40 }).map((n) => `H-${n}`),
  text: fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" ")),
  title: fc.option(word, { nil: undefined }),
  tags: fc.option(fc.array(word, { maxLength: 2 }), { nil: undefined }),
  session_id: fc.constantFrom("S-1", "S-2", undefined),
  role: fc.constantFrom("user", "assistant", "tool"),
  ts: fc.integer({ min: 0, max: 3 }).map((day) => `2026-01-0${day + 1}T00:00:00.000Z`),
  supersedes: fc.option(fc.integer({ min: 0, max: 40 }).map((n) => `H-${n}`), {
    nil: undefined,
    freq: 8,
  }),
  kind: fc.constantFrom("turn", "turn", "turn", "turn", "note", "thinking", "tombstone"),
});

/** A drawn row as it is on disk; a tombstone names the row it was drawn with. */
function toDraft({ kind, id, ...rest }: Record<string, unknown>, i: number): RowDraft {
  if (kind === "tombstone") return { id: `T-${i}`, type: kind, text: "", refs: [id], ts: rest.ts };
  return { ...rest, id, type: kind };
}

Deno.test("search() gives the same bytes for any boundaries, merges and no index at all", async () => {
  const property = fc.asyncProperty(
    fc.array(row, { minLength: 1, maxLength: 60 }),
    fc.array(fc.nat(60), { maxLength: 8 }),
    fc.boolean(),
    fc.nat(3),
    fc.constantFrom(undefined, openLocalEmbedder({ whole: true })),
    async (drawn, cuts, purge, archived, embedder) => {
      const rows = drawn.map(toDraft);
      const archive = rows.splice(0, archived * 4);
      await using scanned = new SearchStore(rows, archive);
      await using indexed = new SearchStore([], archive);
      let from = 0;
      for (const to of [...cuts, rows.length].sort((a, b) => a - b)) {
        indexed.append("history.ndjson", rows.slice(from, to));
        from = Math.max(from, Math.min(to, rows.length));
        const maxMergeRows = cuts.length * 10;
        await catchUp(indexed.store, { sealBytes: 1, maxMergeRows, purge, embedder });
      }
      indexed.append("history.ndjson", rows.slice(from));
      const isLocal = embedder !== undefined;
      assert.deepEqual(await answersOf(indexed, isLocal), await answersOf(scanned, isLocal));
      assert.deepEqual(indexed.warnings, []);
    },
  );
  await fc.assert(property, { numRuns: runsOf(100), seed: 11 });
});

Deno.test("search() finds by meaning without an index while rows are few, and warns when they are many", async () => {
  const row = { id: "H-car", text: "the automobile was quick" };
  const others = Array.from(
    { length: 2000 },
    (_, i) => ({ id: `H-${i}`, text: `cache entry ${i}` }),
  );
  await using few = new SearchStore([row]);
  const found = await search(few.store, request("fast car"), { isLocal: true });
  assert.deepEqual([found.engine, found.branch, found.rows[0].id], ["scan", "hybrid", "H-car"]);
  closeIndex(few.store);
  await using many = await tempStore({ entries: [row, ...others] });
  const { stdout } = await many.ctx(["search", "fast car", "--json"]);
  const { total, retrieval } = JSON.parse(stdout);
  assert.deepEqual([total, retrieval.branch, retrieval.warnings], [0, "lexical", [
    "there is no index, so this search used words only; run ctx reindex to search by meaning",
  ]]);
  const words = await many.ctx(["search", "fast car", "--mode", "lexical", "--json"]);
  assert.equal(JSON.parse(words.stdout).retrieval.warnings, undefined);
});

Deno.test("search() works through many small segments and their merges", async () => {
  const rows = Array.from({ length: 400 }, (_, i) => ({
    id: `H-${i}`,
    text: `cache entry ${i} ${i % 3 === 0 ? "token" : "deploy"}`,
  }));
  await using scanned = new SearchStore(rows);
  await using indexed = new SearchStore([]);
  let segments = 0;
  for (let i = 0; i < rows.length; i += 5) {
    indexed.append("history.ndjson", rows.slice(i, i + 5));
    segments = (await catchUp(indexed.store, { sealBytes: 1 })).segments;
  }
  assert.ok(segments <= 12, `${segments} segments`);
  assert.deepEqual(await answersOf(indexed), await answersOf(scanned));
});

Deno.test("an index of megabytes is the same to the byte, built at once or grown and merged", async () => {
  const random = makeRandom(17);
  const rows = Array.from({ length: 6000 }, (_, i): RowDraft => {
    if (i % 500 === 499) return { id: `T-${i}`, type: "tombstone", text: "", refs: [`H-${i - 9}`] };
    const words = Array.from({ length: 110 }, () => `word${Math.floor(random() * 3000)}`);
    // Some repeat a row of their session: those do not count.
    const of = i % 700 === 3 ? i - 3 : i;
    return { id: `H-${of}`, text: words.join(" "), session_id: `S-${of % 9}` };
  });
  await using whole = new SearchStore(rows);
  await reindex(whole.store, { full: true, embedder });
  await using grown = new SearchStore([]);
  for (let i = 0; i < rows.length; i += 1500) {
    grown.append("history.ndjson", rows.slice(i, i + 1500));
    await catchUp(grown.store, { sealBytes: 1, embedder });
  }
  await reindex(grown.store, { embedder });
  const files = indexFiles(whole);
  // Names hold the checksum of the content.
  assert.deepEqual(indexFiles(grown), files);
  const large = files.filter(({ name }) => name !== "lines.bin" && name !== "mentions.bin");
  assert.equal(large.length, 2);
  assert.ok(large.every(({ bytes }) => bytes > 1 << 20), JSON.stringify(files));
});

/** A vector of 256 numbers for each text. */
const embedder: Embedder = {
  name: "test",
  dimensions: 256,
  fingerprint: "test256",
  isLocal: true,
  embed: (texts) =>
    Promise.resolve(texts.map((text) => {
      const vector = new Float32Array(256);
      for (let i = 0; i < text.length; i++) vector[text.charCodeAt(i) * (i % 7) % 256]++;
      return vector;
    })),
};

function indexFiles(t: SearchStore): { name: string; bytes: number }[] {
  const directory = `${t.workspace}/.contextfs/index`;
  return [...Deno.readDirSync(directory)].map(({ name }) => name).filter((name) =>
    name !== "manifest.json"
  ).sort().map((name) => ({ name, bytes: Deno.statSync(`${directory}/${name}`).size }));
}

/** The answers to all queries, without what may differ: which engine ran. */
async function answersOf(t: SearchStore, isLocal = false): Promise<Partial<SearchAnswer>[]> {
  const answers = [];
  for (const query of queries) {
    for (const explain of [false, true]) {
      const { engine: _engine, index: _index, ...answer } = await search(
        t.store,
        request(query, { k: 50, explain }),
        { warn: (message) => t.warnings.push(message), isLocal },
      );
      answers.push({ ...answer, rows: t.placeless(answer.rows) });
    }
  }
  closeIndex(t.store);
  return answers;
}
