// What skipping postings of common words could save at most: by the maxima of whole lists (MaxScore) and
// of blocks of 128 and 1,024 postings (block-max), over questions of common words. The thresholds are
// those that a search ends with, known here before the first posting, as no algorithm knows them; each
// row's cosine, flags and age are known; what a row is given by those around it is given for nothing;
// and nothing is counted, though answers say how many rows match. It shows why skipping is not built.
// Run: deno task bench skipping (on the stores of `deno task bench common`, which have to be there)

import { openIndex, type SearchIndex } from "../../src/index/search_index.ts";
import type { Corpus } from "../../src/index/segment/corpus.ts";
import { forEachRow } from "../../src/index/segment/postings.ts";
import type { Postings } from "../../src/index/segment/segment.ts";
import { rowFlags } from "../../src/index/segment/segment_format.ts";
import type { Embedder } from "../../src/index/vectors/embedder.ts";
import { openLocalEmbedder } from "../../src/index/vectors/embedder_local.ts";
import { CorpusView } from "../../src/search/corpus_view.ts";
import { parseQuery, toTerm, toTokens } from "../../src/search/query.ts";
import { type PlannedTerm, planTerms } from "../../src/search/rank/plan_terms.ts";
import type { RankedRow, Ranking } from "../../src/search/rank/rank.ts";
import { Ranker } from "../../src/search/rank/ranker.ts";
import { pivotsOf, recencyFactor, weights } from "../../src/search/rank/ranking.ts";
import { Scores } from "../../src/search/rank/scores.ts";
import { commonQuestions } from "../support/generate_sessions.ts";
import { openStore } from "../quality/open_store.ts";
import { type BenchTable, percentileOf, round } from "../support/table.ts";

/** Of many rows a question takes seconds, and the shares hardly differ. */
const questions = { few: 100, many: 25 };
const fewRows = 200_000;
const blockSizes = [128, 1024];
/** A list is one block. */
const lengths = [Infinity, ...blockSizes];
/** The pool that the ranking needs, and the rows that people see. */
const wantedRows = [weights.pool, 10] as const;

/** Measures every size. */
export async function run(): Promise<BenchTable[]> {
  const sizes = (Deno.env.get("CTX_BENCH_ROWS") ?? "100000,1000000").split(",").map(Number);
  const base = Deno.env.get("TMPDIR") ?? "/tmp";
  const tables: BenchTable[] = [];
  for (const size of sizes) {
    using index = openIndex(openStore(`${base}/ctx-bench-sessions/${size}`), { warn: () => {} });
    if (index.isEmpty) throw new Error("there is no such store: deno task bench common makes it");
    tables.push(await measure(index, size));
  }
  return tables;
}

async function measure(index: SearchIndex, size: number): Promise<BenchTable> {
  const embedder = openLocalEmbedder({ whole: true });
  const shares = new Map<string, number[][]>();
  const asked = commonQuestions(size <= fewRows ? questions.few : questions.many);
  for (const text of asked) {
    const known = await ask(index, { text, embedder });
    for (const mode of ["words only", "default"] as const) {
      for (const wanted of wantedRows) {
        const name = `${mode}, the best ${wanted}`;
        const found = shares.get(name) ?? [];
        found.push(skippable(known, { worth: mode === "default" ? known.worth : 0, wanted }));
        shares.set(name, found);
      }
    }
  }
  const percent = (share: number): string => `${round(share * 100, 1)} %`;
  return {
    title: `Postings and blocks that could be skipped at best, ${size} rows, ` +
      `${asked.length} questions: median (p95)`,
    head: [
      "search",
      "postings, by lists",
      ...blockSizes.flatMap((block) => [`postings, by blocks of ${block}`, `blocks of ${block}`]),
    ],
    rows: [...shares].map(([name, found]) => [
      name,
      ...found[0].map((_, column) => {
        const all = found.map((row) => row[column]);
        return `${percent(percentileOf(all, 50))} (${percent(percentileOf(all, 95))})`;
      }),
    ]),
  };
}

/** A question, and what is known of every row. */
interface Asked {
  /** The rows of each term, by segment. */
  lists: Uint32Array[][];
  /** The most that each row can have by words, for each of `lengths`. */
  bounds: Float32Array[];
  cosines: Float32Array;
  /** What a cosine of 1 counts for beside the words. */
  worth: number;
  /** What a row's flags and age multiply its score by. */
  factors: Float32Array;
  /** Rows that may give to those around them, and from which score on they do. */
  givers: { isGiver: Uint8Array; least: number }[];
  /** The best rows by words, and by words and vectors. */
  best: { words: number[]; both: number[] };
}

async function ask(
  index: SearchIndex,
  { text, embedder }: { text: string; embedder: Embedder },
): Promise<Asked> {
  await index.load();
  const view = new CorpusView(index, { text });
  const { corpus } = view;
  const terms = planTerms(corpus, toTokens(text).map(toTerm));
  const [vector] = await embedder.embed([text]);
  await index.openVectors(corpus);
  const cosines = index.compare(corpus, vector);
  const factors = factorsOf(corpus);
  const rank = (branch: "lexical" | "hybrid"): Ranking =>
    new Ranker({
      corpus,
      terms,
      branch,
      ...parseQuery(text),
      phrases: undefined,
      required: [],
      excluded: [],
      filters: [],
      limit: weights.pool,
      cosines: branch === "hybrid" ? cosines : undefined,
      readEntry: (global) => view.readEntry(global),
      pinned: new Set(),
    }).rank();
  const words = rank("lexical");
  const both = rank("hybrid");
  const worth = both.vectorWeight * both.ideal;
  const keysOf = (rows: readonly RankedRow[], each: number): number[] =>
    rows.map(({ global, lexical }) =>
      (lexical + each * Math.max(0, cosines[global])) * factors[global]
    ).sort((a, b) => b - a);
  const parts = terms.map((term) => Float32Array.from(score(corpus, [term]).views.score));
  const lists = terms.map(({ lists }) => lists.map((list, i) => rowsOf(list, corpus.bases[i])));
  const scores = score(corpus, terms);
  return {
    lists,
    givers: ([["talk", weights.context.sources], ["prompt", weights.prompt.prompts]] as const)
      .map(([kind, count]) => {
        const isGiver = new Uint8Array(corpus.size);
        for (const row of scores.atLeast(kind, 0)) isGiver[row] = 1;
        return { isGiver, least: scores.nth(kind, count) };
      }),
    bounds: lengths.map((length) => boundsOf({ lists, parts }, length)),
    cosines,
    worth,
    factors,
    best: { words: keysOf(words.rows, 0), both: keysOf(both.rows, worth) },
  };
}

function rowsOf(list: Postings | undefined, base: number): Uint32Array {
  const rows = new Uint32Array(list?.count ?? 0);
  let count = 0;
  if (list) forEachRow(list.bytes, (row) => rows[count++] = base + row);
  return rows;
}

/** The scores of all rows for some terms alone. */
function score(corpus: Corpus, terms: readonly PlannedTerm[]): Scores {
  const scores = new Scores({
    size: corpus.size,
    widest: Math.max(...corpus.segments.map(({ rows }) => rows)),
    postings: terms.reduce((sum, { df }) => sum + df, 0),
    pivots: pivotsOf(corpus.entries, corpus.lengths),
    idfs: terms.map(({ idf }) => idf),
    factors: { counted: 0, factorOf: () => 1 },
    filters: [],
  });
  corpus.segments.forEach((segment, number) => {
    const lists = terms.flatMap(({ lists }, term) => {
      const bytes = lists[number]?.bytes;
      return bytes === undefined ? [] : [{ bytes, term }];
    });
    const dead = corpus.liveness.dead[number];
    scores.add(segment, { number, base: corpus.bases[number], dead, lists });
  });
  return scores;
}

function factorsOf(corpus: Corpus): Float32Array {
  const { saved, record, bare } = rowFlags;
  const factors = new Float32Array(corpus.size);
  corpus.segments.forEach((segment, number) => {
    for (let row = 0; row < segment.rows; row++) {
      const flags = segment.flags(row);
      let factor = recencyFactor(segment.time(row), corpus.newestMs);
      if ((flags & saved) !== 0) factor *= weights.saved;
      else if ((flags & record) !== 0) factor *= weights.record;
      if ((flags & bare) !== 0) factor *= weights.bare;
      factors[corpus.bases[number] + row] = factor;
    }
  });
  return factors;
}

/** For lists and each size of blocks: the share of postings, and of blocks but for lists. */
function skippable(asked: Asked, { worth, wanted }: { worth: number; wanted: number }): number[] {
  const { lists, cosines, factors, givers, best } = asked;
  const least = (worth === 0 ? best.words : best.both)[wanted - 1] ?? 0;
  const mayBeSkipped = (bound: number, row: number): boolean =>
    (bound + worth * Math.max(0, cosines[row])) * factors[row] < least &&
    givers.every(({ isGiver, least }) => isGiver[row] === 0 || bound < least);
  const shareOf = (bounds: Float32Array, size: number): { postings: number; blocks: number } => {
    const all = { postings: 0, blocks: 0 };
    const skipped = { postings: 0, blocks: 0 };
    for (const rows of lists.flat()) {
      for (let from = 0; from < rows.length; from += size) {
        const to = Math.min(rows.length, from + size);
        let count = 0;
        for (let at = from; at < to; at++) if (mayBeSkipped(bounds[rows[at]], rows[at])) count++;
        all.postings += to - from;
        all.blocks++;
        skipped.postings += count;
        if (count === to - from) skipped.blocks++;
      }
    }
    return {
      postings: skipped.postings / all.postings,
      blocks: skipped.blocks / all.blocks,
    };
  };
  return lengths.flatMap((length, i) => {
    const { postings, blocks } = shareOf(asked.bounds[i], length);
    return length === Infinity ? [postings] : [postings, blocks];
  });
}

/** The rows of each term by segment, and what it adds to the score of each row. */
interface TermScores {
  lists: readonly Uint32Array[][];
  parts: readonly Float32Array[];
}

/**
 * The most that a row can have by the maxima of the blocks around it: of the lists up to the greatest
 * one that it is in, because rows of lesser lists alone are never looked for.
 */
function boundsOf({ lists, parts }: TermScores, size: number): Float32Array {
  const bounds = new Float32Array(parts[0].length);
  const sums = new Float32Array(parts[0].length);
  const maxima = parts.map((part) => part.reduce((most, value) => Math.max(most, value), 0));
  const order = maxima.map((_, term) => term).sort((a, b) => maxima[a] - maxima[b]);
  for (const term of order) {
    const part = parts[term];
    for (const rows of lists[term]) {
      for (let from = 0; from < rows.length; from += size) {
        const to = Math.min(rows.length, from + size);
        let most = 0;
        for (let at = from; at < to; at++) most = Math.max(most, part[rows[at]]);
        for (let row = rows[from]; row <= rows[to - 1]; row++) sums[row] += most;
      }
      for (const row of rows) bounds[row] = sums[row];
    }
  }
  return bounds;
}
