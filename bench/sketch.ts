// Estimating cosines from sketches against comparing all vectors: how often the ten best rows differ
// over the queries of the public sets, and what it costs. Rows are the sets' texts and passages of
// them, so that there are many and all are real. `--rows N,N` chooses how many.
// Run: deno task bench sketch

import { catchUp } from "../src/index/catch_up.ts";
import { openIndex, type SearchIndex } from "../src/index/search_index.ts";
import type { Corpus } from "../src/index/segment/corpus.ts";
import { openLocalEmbedder } from "../src/index/vectors/embedder_local.ts";
import { planSearch } from "../src/search/plan_search.ts";
import type { SearchRequest } from "../src/search/request.ts";
import { searchIndex } from "../src/search/run_search.ts";
import type { Store } from "../src/store/store.ts";
import { openStore } from "./quality/open_store.ts";
import { loadQualitySets } from "./quality/public_sets.ts";
import { type BenchTable, medianOf, percentileOf, round } from "./table.ts";

const mostQueries = 1000;
const ways: { name: string; more: Way }[] = [
  { name: "default", more: { mode: "hybrid" } },
  { name: "by meaning alone", more: { mode: "vector" } },
  { name: "with a filter", more: { mode: "hybrid", role: "user" } },
];

/** What is asked for beside the words. */
type Way = Pick<SearchRequest, "mode"> & Partial<SearchRequest>;

/** Measures every size. */
export async function run(): Promise<BenchTable[]> {
  const directory = decodeURIComponent(new URL("../../shared/bench", import.meta.url).pathname);
  const { texts, queries } = readSets(directory);
  const sizes = (Deno.env.get("CTX_BENCH_ROWS") ?? "100000").split(",").map(Number);
  const tables: BenchTable[] = [];
  for (const size of sizes) tables.push(await measure(texts.slice(0, size), queries));
  return tables;
}

/** The sets' texts, then passages of up to three sentences, each once; and queries of all sets. */
function readSets(directory: string): { texts: string[]; queries: string[] } {
  const groups = loadQualitySets(directory).flatMap(({ groups }) => groups);
  const whole = groups.flatMap(({ rows }) => rows)
    .map(({ title, text }) => [title, text].filter(Boolean).join("\n"));
  const texts = new Set(whole);
  for (const text of whole) {
    const sentences = text.split(/(?<=[.!?])\s+|\n+/).map((part) => part.trim())
      .filter(({ length }) => length > 15);
    for (let from = 0; from < sentences.length; from++) {
      for (let count = 1; count <= 3; count++) {
        texts.add(sentences.slice(from, from + count).join(" "));
      }
    }
  }
  const asked = groups.flatMap(({ queries }) => queries).map(({ text }) => text);
  const every = Math.max(1, asked.length / mostQueries);
  const queries = Array.from(
    { length: Math.min(mostQueries, asked.length) },
    (_, i) => asked[Math.floor(i * every)],
  );
  return { texts: [...texts], queries };
}

async function measure(texts: readonly string[], queries: readonly string[]): Promise<BenchTable> {
  const workspace = Deno.makeTempDirSync({ prefix: "ctx-sketch-" });
  try {
    const store = await makeStore(workspace, texts);
    const rows: (string | number)[][] = [];
    for (const { name, more } of ways) {
      rows.push([name, ...await compareWays(store, queries, more)]);
    }
    return {
      title: `The ten best by sketches and by all vectors, ${texts.length} rows, ` +
        `${queries.length} queries`,
      head: [
        "search",
        "other rows",
        "other first row",
        "made exact p50",
        "made exact p95",
        "all vectors: search ms p50",
        "sketches: search ms p50",
        "sketches: p95",
        "vector step, all to sketches",
      ],
      rows,
    };
  } finally {
    Deno.removeSync(workspace, { recursive: true });
  }
}

/** A store in which the texts are turns of conversations. */
async function makeStore(workspace: string, texts: readonly string[]): Promise<Store> {
  Deno.mkdirSync(`${workspace}/.contextfs`);
  const lines = texts.map((text, i) =>
    JSON.stringify({
      id: `H-${i.toString(32).padStart(6, "0")}`,
      ts: new Date(Date.UTC(2026, 0, 1) + i * 30_000).toISOString(),
      role: i % 2 === 0 ? "user" : "assistant",
      type: i % 20 === 7 ? "note" : "turn",
      session_id: `S-${Math.floor(i / 24)}`,
      text,
    }) + "\n"
  );
  Deno.writeTextFileSync(`${workspace}/.contextfs/history.ndjson`, lines.join(""));
  const store = openStore(workspace);
  await catchUp(store, { embedder: openLocalEmbedder({ whole: true }) });
  return store;
}

async function compareWays(
  store: Store,
  queries: readonly string[],
  more: Way,
): Promise<number[]> {
  using all = openIndex(store, { warn: () => {} });
  using sketched = openIndex(store, { warn: () => {} });
  const settled: number[] = [];
  const steps = { all: 0, sketched: 0 };
  watch(all, { exactUpTo: Infinity, step: (ms) => steps.all += ms });
  watch(sketched, {
    exactUpTo: 0,
    step: (ms) => steps.sketched += ms,
    settle: (rows) => settled[settled.length - 1] += rows,
  });
  const times = { all: new Array<number>(), sketched: new Array<number>() };
  let others = 0;
  let otherFirst = 0;
  for (const query of queries) {
    settled.push(0);
    const left = await ask(all, query, more);
    const right = await ask(sketched, query, more);
    times.all.push(left.ms);
    times.sketched.push(right.ms);
    if (left.ids.join() !== right.ids.join()) others++;
    if (left.ids[0] !== right.ids[0]) otherFirst++;
  }
  return [
    round(others / queries.length, 4),
    round(otherFirst / queries.length, 4),
    medianOf(settled),
    percentileOf(settled, 95),
    round(medianOf(times.all)),
    round(medianOf(times.sketched)),
    round(percentileOf(times.sketched, 95)),
    round(steps.all / steps.sketched, 1),
  ];
}

/** Lets an index compare in one way only, and tells what that takes. */
function watch(
  index: SearchIndex,
  options: { exactUpTo: number; step: (ms: number) => void; settle?: (rows: number) => void },
): void {
  const { exactUpTo, step, settle } = options;
  const compare = index.compare.bind(index);
  index.compare = (corpus: Corpus, query: Float32Array) => {
    const start = performance.now();
    const cosines = compare(corpus, query, { exactUpTo });
    step(performance.now() - start);
    const make = cosines.settle.bind(cosines);
    cosines.settle = (rows) => {
      const asked = [...rows];
      settle?.(asked.filter((row) => !cosines.isSettled(row)).length);
      const from = performance.now();
      const made = make(asked);
      step(performance.now() - from);
      return made;
    };
    return cosines;
  };
}

async function ask(
  index: SearchIndex,
  text: string,
  more: Way,
): Promise<{ ids: string[]; ms: number }> {
  const request: SearchRequest = { query: text, k: 10, offset: 0, scope: "all", ...more };
  const planned = await planSearch(request);
  const start = performance.now();
  const { rows } = await searchIndex(index, planned);
  return { ids: rows.map(({ id }) => id), ms: performance.now() - start };
}
