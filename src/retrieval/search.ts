// The search: from a request to rows. Picks the index when there is a sound one and the scan when
// there is not; both give the same rows.

import type { Entry } from "../core/entry.ts";
import { firstLine } from "../core/text.ts";
import { countTokens } from "../core/tokens.ts";
import { type Corpus, locate } from "../index/corpus.ts";
import type { Store } from "../store/store.ts";
import { coverageOf } from "./coverage.ts";
import { explainRow } from "./explain.ts";
import {
  type FilterPlan,
  keepsKeyword,
  makeFilters,
  planFilters,
  rowsWithKeyword,
} from "./filter.ts";
import { nearestTerms } from "./nearest.ts";
import { parseQuery, type Query } from "./query.ts";
import { type RankedRow, type Ranking, rankLexical } from "./rank.ts";
import { roundScore } from "./ranking.ts";
import type { SearchAnswer, SearchRequest, SearchRow } from "./request.ts";
import { scanStore } from "./scan.ts";
import { snippetOf } from "./snippet.ts";

/** Searches a store. Zero rows is an answer, and its coverage says what was searched. */
// deno-lint-ignore require-await
export async function search(store: Store, request: SearchRequest): Promise<SearchAnswer> {
  const query = parseQuery(request.query);
  const plan = planFilters(request, query);
  const corpus = scanStore(store, makeKeep(query, keepsKeyword(plan)));
  return searchCorpus(store, { request, query, plan, corpus });
}

/** A request, read and planned, with what it is to be run on. */
export interface PlannedSearch {
  request: SearchRequest;
  query: Query;
  plan: FilterPlan;
  corpus: Corpus;
}

/** Runs a planned search on a corpus of a store. */
export function searchCorpus(store: Store, planned: PlannedSearch): SearchAnswer {
  const { request, query, plan, corpus } = planned;
  const readEntry = makeReader(store, corpus);
  const ranking = rankLexical({
    corpus,
    query,
    filters: makeFilters(corpus, plan),
    limit: request.offset + request.k,
    readEntry,
    pinned: makePinned(request.pins, readEntry),
    ownSession: makeOwnSession(corpus, request.current_session),
  });
  const rows = ranking.rows.slice(request.offset, request.offset + request.k)
    .map((row) => toSearchRow(row, { corpus, ranking, request, entry: readEntry(row.global) }))
    .filter((row) => row !== undefined);
  const coverage = coverageOf(corpus, ranking, { plan, full: ranking.total === 0 });
  if (ranking.total === 0 && coverage.unknown_terms.length > 0) {
    coverage.nearest_terms = nearestTerms(store, coverage.unknown_terms);
  }
  return {
    hits: rows.length,
    total: ranking.total,
    rows,
    branch: "lexical",
    engine: "scan",
    candidates: { lexical: ranking.candidates, vector: 0, fused: ranking.candidates },
    coverage,
    notes: notesOf(request, query),
  };
}

function makeKeep(query: Query, keepsKeyword: (term: string) => boolean): (t: string) => boolean {
  const terms = new Set(query.terms.map(({ term }) => term));
  for (const excluded of query.excluded) for (const term of excluded) terms.add(term);
  return (term) => terms.has(term) || (term.charCodeAt(0) === 1 && keepsKeyword(term));
}

/** Reads rows by number; the few that are read twice are kept. */
function makeReader(store: Store, corpus: Corpus): (global: number) => Entry | undefined {
  const kept = new Map<number, Entry | undefined>();
  return (global) => {
    if (!kept.has(global)) {
      if (kept.size > 1000) kept.clear();
      const { segment, row } = locate(corpus, global);
      kept.set(global, store.findRowAt(segment.place(row)));
    }
    return kept.get(global);
  };
}

function makePinned(
  pins: ReadonlySet<string> | undefined,
  readEntry: (global: number) => Entry | undefined,
): ((global: number) => boolean) | undefined {
  if (pins === undefined || pins.size === 0) return undefined;
  return (global) => pins.has(readEntry(global)?.id ?? "");
}

function makeOwnSession(
  corpus: Corpus,
  session: string | undefined,
): ((segmentNumber: number, row: number) => boolean) | undefined {
  if (session === undefined) return undefined;
  const sets = corpus.segments.map((segment) => rowsWithKeyword(segment, "session", [session]));
  return (segment, row) => sets[segment][row] === 1;
}

function toSearchRow(
  row: RankedRow,
  found: { corpus: Corpus; ranking: Ranking; request: SearchRequest; entry: Entry | undefined },
): SearchRow | undefined {
  const { corpus, ranking, request, entry } = found;
  if (entry === undefined) return undefined;
  const termWeights = new Map(ranking.terms.map(({ term, idf }) => [term, idf]));
  return {
    id: entry.id,
    ts: entry.ts,
    type: entry.type,
    role: entry.role,
    session_id: entry.session_id,
    title: entry.title,
    summary: entry.summary ?? firstLine(entry.text, 160),
    snippet: snippetOf(entry.text, termWeights),
    source: entry.source,
    pool: locate(corpus, row.global).segment.pool,
    rank_source: "lexical",
    score_lex: roundScore(row.lexical),
    score_vec: null,
    score_final: row.final,
    message_index: entry.index,
    ...documentOf(entry),
    superseded_by: corpus.superseded.get(row.global)?.id,
    estimated_tokens: countTokens(entry.text),
    explain: request.explain ? explainRow(entry, row, ranking) : undefined,
  };
}

/** Where a section of a document is; nothing for other entries. */
function documentOf(entry: Entry): Pick<SearchRow, "collection" | "document" | "section"> {
  const { collection, document, section } = entry;
  if (typeof collection !== "string" || typeof document !== "string") return {};
  return { collection, document, ...(typeof section === "string" ? { section } : {}) };
}

function notesOf(request: SearchRequest, query: Query): string[] {
  const notes: string[] = [];
  if (query.terms.length === 0) {
    notes.push("the query has no words to search for: only common words or punctuation");
  }
  if (request.mode === "vector" || request.mode === "hybrid") {
    notes.push("there are no vectors in this store: searched by words");
  }
  return notes;
}
