// The search: from a request to rows. Uses the index when there is a sound one and reads the logs
// when there is not; both give the same rows.

import type { Entry } from "../core/entry.ts";
import { IndexDamage } from "../pages/byte_source.ts";
import { type Corpus, locate } from "../index/segment/corpus.ts";
import type { Embedder } from "../index/vectors/embedder.ts";
import { findRow } from "../index/find_rows.ts";
import { type LogReader, RowAltered } from "../index/log_reader.ts";
import {
  type IndexLag,
  openIndex,
  openWithoutIndex,
  type SearchIndex,
} from "../index/search_index.ts";
import type { Store } from "../store/store.ts";
import { coverageOf } from "./coverage.ts";
import {
  type FilterPlan,
  keepsKeyword,
  makeFilters,
  planFilters,
  rowsWithKeyword,
} from "./filter.ts";
import { guessable, nearestTerms } from "./nearest.ts";
import { parseQuery, type Query } from "./query.ts";
import type { RankedRow, Ranking } from "./rank.ts";
import { Ranker } from "./ranker.ts";
import type { SearchAnswer, SearchRequest } from "./request.ts";
import { toSearchRow } from "./search_row.ts";
import { findSimilarity } from "./similarity.ts";

/** How to search. */
export interface SearchOptions {
  warn?: (message: string) => void;
  /** The configured embedder, when it is not the local one. */
  embedder?: Embedder;
  /** Whether the local one is configured: few rows without an index are then embedded on the spot. */
  isLocal?: boolean;
}

/** Open indexes by store: a server searches many times, and files stay open between searches. */
const indexes = new WeakMap<Store, SearchIndex>();

/** Searches a store. Zero rows is an answer, and its coverage says what was searched. */
export async function search(
  store: Store,
  request: SearchRequest,
  options: SearchOptions = {},
): Promise<SearchAnswer> {
  const warn = options.warn ?? (() => {});
  const query = parseQuery(request.query);
  const planned = { request, query, plan: planFilters(request, query) };
  try {
    return await searchIndex(useIndex(store, warn), planned, options);
  } catch (error) {
    if (!(error instanceof IndexDamage)) throw error;
    closeIndex(store);
    return await searchAgain(store, planned, { ...options, warn, damage: error });
  }
}

/**
 * A log that was rewritten while it was read (compact, gc, forget) makes the index look damaged:
 * the index as it is now is tried once more, then the logs themselves, until one read holds.
 */
async function searchAgain(
  store: Store,
  planned: PlannedSearch,
  options: SearchOptions & { warn: (message: string) => void; damage: IndexDamage },
): Promise<SearchAnswer> {
  let { damage } = options;
  for (let attempt = 1;; attempt++) {
    try {
      if (attempt === 1) {
        return await searchIndex(useIndex(store, options.warn), planned, options);
      }
      using scan = openWithoutIndex(store);
      // That it went by words is part of what is said below.
      const answer = await searchIndex(scan, planned, { ...options, warn: undefined });
      if (attempt > 2) return answer;
      if (damage instanceof RowAltered) {
        const note = `${damage.message}: searched without the index; run: ctx reindex --full`;
        return { ...answer, notes: [...answer.notes, note] };
      }
      options.warn("the index is damaged: searched without it; run: ctx reindex --full");
      return answer;
    } catch (error) {
      if (!(error instanceof IndexDamage) || attempt >= maxAttempts) throw error;
      damage = error;
      closeIndex(store);
    }
  }
}

/** More rewrites than this during one search are not chance. */
const maxAttempts = 8;

/** Closes what `search` keeps open for a store. */
export function closeIndex(store: Store): void {
  indexes.get(store)?.[Symbol.dispose]();
  indexes.delete(store);
}

/** A request, read and planned. */
export interface PlannedSearch {
  request: SearchRequest;
  query: Query;
  plan: FilterPlan;
}

/** Runs a planned search on an open index. */
export async function searchIndex(
  index: SearchIndex,
  planned: PlannedSearch,
  options: SearchOptions = {},
): Promise<SearchAnswer> {
  const { request, query, plan } = planned;
  // Loads while the segments are read.
  const orama = index.isEmpty ? undefined : import("../index/orama.ts");
  const corpus = index.openCorpus(makeKeep(query, keepsKeyword(plan)));
  const readEntry = makeReader(index.log, corpus);
  const similarity = await findSimilarity(index, { ...options, corpus, request, query });
  const { branch, cosines } = similarity;
  const ranking = new Ranker({
    corpus,
    query,
    branch,
    cosines,
    filters: makeFilters(corpus, plan),
    limit: request.offset + request.k,
    readEntry,
    pinned: findPins(corpus, index.log, request.pins),
    ownSession: makeOwnSession(corpus, request.current_session),
  }).rank();
  const page = orama === undefined
    ? ranking.rows.slice(request.offset, request.offset + request.k)
    : fetchPage(ranking, {
      orama: await orama,
      request,
      query,
      entries: corpus.entries,
      readEntry,
    });
  const rows = page.map((row) =>
    toSearchRow(row, { corpus, ranking, request, entry: readEntry(row.global) })
  );
  const coverage = coverageOf(corpus, ranking, { plan, full: ranking.total === 0 });
  if (ranking.total === 0) coverage.nearest_terms = findNearest(index, coverage.unknown_terms);
  const lag = index.lag();
  return {
    hits: rows.length,
    total: ranking.total,
    rows,
    branch,
    engine: index.isEmpty ? "scan" : "index",
    index: lag,
    candidates: ranking.candidates,
    coverage,
    notes: [...notesOf(query, lag), ...similarity.notes],
    provider_error: similarity.provider_error,
  };
}

/** Lets Orama order, page and fetch what the ranking found in the segments. */
function fetchPage(
  ranking: Ranking,
  search: {
    orama: typeof import("../index/orama.ts");
    request: SearchRequest;
    query: Query;
    entries: number;
    readEntry: (global: number) => Entry;
  },
): RankedRow[] {
  const hits = search.orama.searchOrama(
    {
      rank: () => ranking.rows.map(({ final }) => final),
      readEntry: (position) => search.readEntry(ranking.rows[position].global),
      entries: search.entries,
    },
    { term: search.query.text, limit: search.request.k, offset: search.request.offset },
  );
  return hits.map(({ position }) => ranking.rows[position]);
}

function useIndex(store: Store, warn: (message: string) => void): SearchIndex {
  const open = indexes.get(store);
  if (open?.isCurrent()) return open;
  closeIndex(store);
  const index = openIndex(store, { warn });
  indexes.set(store, index);
  store.onClose(closeIndex);
  return index;
}

function makeKeep(query: Query, keepsKeyword: (term: string) => boolean): (t: string) => boolean {
  const terms = new Set(query.terms.map(({ term }) => term));
  for (const excluded of query.excluded) for (const term of excluded) terms.add(term);
  return (term) => terms.has(term) || (term.charCodeAt(0) === 1 && keepsKeyword(term));
}

/** Reads rows by number; the few that are read twice are kept. */
function makeReader(log: LogReader, corpus: Corpus): (global: number) => Entry {
  const kept = new Map<number, Entry>();
  return (global) => {
    let entry = kept.get(global);
    if (entry === undefined) {
      if (kept.size > 1000) kept.clear();
      const { segment, row } = locate(corpus, global);
      entry = log.read(segment, row);
      kept.set(global, entry);
    }
    return entry;
  };
}

function findPins(
  corpus: Corpus,
  log: LogReader,
  pins: ReadonlySet<string> | undefined,
): ReadonlySet<number> {
  const found = [...pins ?? []].map((id) => findRow(corpus, log, id));
  return new Set(found.filter((row) => row !== undefined));
}

function makeOwnSession(
  corpus: Corpus,
  session: string | undefined,
): ((segmentNumber: number, row: number) => boolean) | undefined {
  if (session === undefined) return undefined;
  const sets = corpus.segments.map((segment) => rowsWithKeyword(segment, "session", [session]));
  return (segment, row) => sets[segment][row] === 1;
}

function findNearest(
  index: SearchIndex,
  unknown: string[],
): Record<string, string[]> | undefined {
  const letters = new Set(guessable(unknown).map((term) => term[0]));
  if (letters.size === 0) return undefined;
  const corpus = index.openCorpus((term) => letters.has(term[0]));
  return nearestTerms(corpus, unknown, makeReader(index.log, corpus));
}

function notesOf(query: Query, lag: IndexLag): string[] {
  const notes: string[] = [];
  if (query.terms.length === 0) {
    notes.push("the query has no words to search for: only common words or punctuation");
  }
  if (lag.tail_bytes > noteworthyBytes) {
    notes.push("much of the history is not indexed yet: ctx reindex makes search fast");
  }
  return notes;
}

const noteworthyBytes = 16 << 20;
