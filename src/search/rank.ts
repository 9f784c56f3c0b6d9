// What goes into a ranking and what comes out. Types only.

import type { Entry } from "../core/entry.ts";
import type { Corpus } from "../index/segment/corpus.ts";
import type { RowFilter } from "./filter.ts";
import type { TermStatistics } from "./plan_terms.ts";
import type { Query } from "./query.ts";
import type { CandidateCounts, RankSource } from "./request.ts";

/** What to rank. */
export interface RankInput {
  corpus: Corpus;
  query: Query;
  filters: RowFilter[];
  /** How many rows are wanted, the skipped ones included. */
  limit: number;
  readEntry: (global: number) => Entry;
  /** Rows that gain from being pinned, and from being of the current session. */
  pinned: ReadonlySet<number>;
  ownSession?: (segmentNumber: number, row: number) => boolean;
  /** Which legs to use; the cosines are by global number. */
  branch: RankSource;
  cosines?: Float32Array;
}

/** One ranked row. */
export interface RankedRow {
  global: number;
  timeMs: number;
  lexical: number;
  context: number;
  share: number;
  cosine?: number;
  source: RankSource;
  final: number;
}

/** The outcome of ranking. */
export interface Ranking {
  rows: RankedRow[];
  total: number;
  candidates: CandidateCounts;
  belowFloor: number;
  removed: Record<string, number>;
  terms: TermStatistics[];
  /** The lexical score that a perfect row would have. */
  ideal: number;
  pivots: number[];
  boosts: (global: number) => Record<string, number>;
}
