// Retrieval quality of the real engine on public judged sets: nDCG@10, R@5, R@10, MRR; and how
// often a query of another subject is answered with nothing. Beside it, in the same run, plain BM25.
// Run: deno task bench quality

import { parseQuery } from "../src/search/query.ts";
import { planFilters } from "../src/search/filter.ts";
import type { SearchMode, SearchRequest } from "../src/search/request.ts";
import { searchIndex } from "../src/search/run_search.ts";
import { openLocalEmbedder } from "../src/index/vectors/embedder_local.ts";
import { catchUp } from "../src/index/catch_up.ts";
import { openIndex } from "../src/index/search_index.ts";
import { diskFiles } from "../src/store/files/files.ts";
import { Store } from "../src/store/store.ts";
import {
  openPlainBm25,
  type PlainDocument,
  plainWords,
  stemmedWords,
} from "./quality/plain_bm25.ts";
import { type BenchTable, round } from "./table.ts";
import { loadQualitySets, type QualityGroup, type QualitySet } from "./quality/public_sets.ts";

/** The measures of one set. */
export interface Quality {
  set: string;
  engine: string;
  queries: number;
  ndcg10: number;
  recall5: number;
  recall10: number;
  mrr: number;
  /** Share of queries from the other sets that get no row. */
  rejected: number;
  /** Share of the set's own queries that get no row. */
  empty: number;
}

/** Measures every set that is present. */
export async function measureQuality(directory: string): Promise<Quality[]> {
  const sets = loadQualitySets(directory);
  const results: Quality[] = [];
  for (const set of sets) {
    const others = sets.filter((other) => other !== set);
    for (const engine of engines) results.push(await measureSet(set, others, engine));
  }
  return results;
}

/** What ranks: a name, and how it is opened on a group of rows. */
interface Engine {
  name: string;
  open: (group: QualityGroup) => Find | Promise<Find>;
}

/** Finds the ids of the ten best rows. */
type Find = (text: string) => string[] | Promise<string[]>;

const engines: Engine[] = [
  {
    name: "plain BM25, lower-case words",
    open: (group) => openPlainBm25(toDocuments(group), { tokenize: plainWords }),
  },
  {
    name: "plain BM25, Porter, stop words",
    open: (group) => openPlainBm25(toDocuments(group), { tokenize: stemmedWords }),
  },
  { name: "ctx, lexical", open: (group) => openGroup(group, "lexical") },
  { name: "ctx, hybrid", open: (group) => openGroup(group, "hybrid") },
];

/** All of a row's words in one text. */
function toDocuments({ rows }: QualityGroup): PlainDocument[] {
  return rows.map(({ id, title, text }) => ({ id: String(id), text: `${title ?? ""}\n${text}` }));
}

async function measureSet(
  set: QualitySet,
  others: QualitySet[],
  engine: Engine,
): Promise<Quality> {
  const sums = { ndcg10: 0, recall5: 0, recall10: 0, mrr: 0, rejected: 0, empty: 0 };
  let queries = 0;
  let strangers = 0;
  const foreign = others.flatMap((other) =>
    other.groups.flatMap((group) => group.queries).filter((_, i) => i % 10 === 0)
  );
  for (const group of set.groups) {
    const find = await engine.open(group);
    for (const { text, relevant } of group.queries) {
      const ids = await find(text);
      queries++;
      sums.ndcg10 += ndcg(ids, relevant);
      sums.recall5 += recall(ids.slice(0, 5), relevant);
      sums.recall10 += recall(ids, relevant);
      const first = ids.findIndex((id) => relevant.has(id));
      sums.mrr += first < 0 ? 0 : 1 / (first + 1);
      if (ids.length === 0) sums.empty++;
    }
    for (const { text } of foreign) {
      strangers++;
      if ((await find(text)).length === 0) sums.rejected++;
    }
  }
  return {
    set: set.name,
    engine: engine.name,
    queries,
    ndcg10: sums.ndcg10 / queries,
    recall5: sums.recall5 / queries,
    recall10: sums.recall10 / queries,
    mrr: sums.mrr / queries,
    rejected: strangers === 0 ? 0 : sums.rejected / strangers,
    empty: sums.empty / queries,
  };
}

/** A store with the group's rows, searched through the product's own code. */
async function openGroup(
  group: QualityGroup,
  mode: SearchMode,
): Promise<Find> {
  const workspace = Deno.makeTempDirSync({ prefix: "ctx-quality-" });
  Deno.mkdirSync(`${workspace}/.contextfs`);
  const lines = group.rows.map((row) => JSON.stringify(row) + "\n").join("");
  Deno.writeTextFileSync(`${workspace}/.contextfs/history.ndjson`, lines);
  const store = new Store({
    workspace,
    files: diskFiles,
    now: () => 0,
    random: () => "",
    warn: () => {},
  });
  await catchUp(store, { embedder: openLocalEmbedder({ whole: true }) });
  const index = openIndex(store, { warn: () => {} });
  return async (text) => {
    const request: SearchRequest = { query: text, k: 10, offset: 0, scope: "all", mode };
    const query = parseQuery(text);
    const answer = await searchIndex(index, { request, query, plan: planFilters(request, query) });
    return answer.rows.map(({ id }) => id);
  };
}

function ndcg(ids: string[], relevant: Set<string>): number {
  let gain = 0;
  ids.slice(0, 10).forEach((id, i) => gain += relevant.has(id) ? 1 / Math.log2(i + 2) : 0);
  let ideal = 0;
  for (let i = 0; i < Math.min(10, relevant.size); i++) ideal += 1 / Math.log2(i + 2);
  return ideal === 0 ? 0 : gain / ideal;
}

function recall(ids: string[], relevant: Set<string>): number {
  return relevant.size === 0 ? 0 : ids.filter((id) => relevant.has(id)).length / relevant.size;
}

/** The quality table for `deno task bench quality`. */
export async function run(): Promise<BenchTable[]> {
  const directory = decodeURIComponent(new URL("../../shared/bench", import.meta.url).pathname);
  const results = await measureQuality(directory);
  const title = results.length === 0
    ? `Quality: skipped, there are no sets in ${directory}`
    : "Quality on public sets";
  return [{
    title,
    head: [
      "set",
      "engine",
      "queries",
      "nDCG@10",
      "R@5",
      "R@10",
      "MRR",
      "strangers refused",
      "empty",
    ],
    rows: results.map((result) => [
      result.set,
      result.engine,
      result.queries,
      round(result.ndcg10, 4),
      round(result.recall5, 4),
      round(result.recall10, 4),
      round(result.mrr, 4),
      round(result.rejected),
      round(result.empty, 3),
    ]),
  }];
}
