// What goes into a ranking and what comes out. Types only.

import type { Entry } from "../../core/entry.ts";
import type { TimeSpan } from "../../core/time/time_span.ts";
import type { Corpus } from "../../index/segment/corpus.ts";
import type { Exchanges } from "./row_exchanges.ts";
import type { QueryTerm, TermStatistics } from "./plan_terms.ts";
import type { Step } from "./steps.ts";

/** Which legs made a ranking. */
export type RankSource = "lexical" | "vector" | "hybrid";

/** A named test of a row, by segment; `marks` say the same for all rows at once, where that is known. */
export interface RowFilter {
  name: string;
  passes(segmentNumber: number, row: number): boolean;
  marks?: RowMarks;
}

/** The rows that pass: those that have a flag or have not, or whose byte of a segment is `mark`. */
export type RowMarks =
  | { flag: number; wanted: boolean }
  | { rows: (segmentNumber: number) => Uint8Array; mark: number };

/** How many rows each step considered. */
export interface CandidateCounts {
  lexical: number;
  vector: number;
  fused: number;
}

/** What a query says of time. `offsetFrom` tells how far from it a row is. */
export interface AskedTimes {
  /** All that its words may mean. */
  spans: readonly TimeSpan[];
  /** The terms of those words, but for those that it has elsewhere too. */
  terms: ReadonlySet<string>;
  /** Those words as they were written. */
  said: string;
}

/** Terms that a row has all of and, where their order counts, whether its entry does hold them. */
export interface Wanted {
  terms: string[];
  holds?: (entry: Entry) => boolean;
}

export interface RankInput {
  corpus: Corpus;
  terms: readonly QueryTerm[];
  /** Phrases, as their terms, by which rows rank first; and how many of them an entry holds. */
  phrases?: { terms: string[][]; countIn: (entry: Entry) => number };
  /** What a row must have, and what it must not have. */
  required: readonly Wanted[];
  excluded: readonly Wanted[];
  /** The times that the query speaks of. */
  times?: AskedTimes;
  asksForTime?: boolean;
  filters: RowFilter[];
  /** How many rows are wanted, the skipped ones included. */
  limit: number;
  /** How many are collected at least, where an earlier ranking of the same rows needed more. */
  collected?: number;
  readEntry: (global: number) => Entry;
  /** Given, rows with the same key count once, and `limit` is of keys. */
  keys?: RowKeys;
  /** Given, rows of one exchange are scored together. */
  exchanges?: Exchanges;
  /** Whether all rows that match are told, not only those that are wanted. */
  listsMatches?: boolean;
  /** Whether nobody asks how many rows match. */
  uncounted?: boolean;
  /** Whether rows are to have the steps of their scores. */
  explain?: boolean;
  /** Rows that gain from being pinned, and from being of the current session. */
  pinned: ReadonlySet<number>;
  ownSession?: (segmentNumber: number, row: number) => boolean;
  /** Which legs to use; the cosines are by global number. */
  branch: RankSource;
  cosines?: Float32Array;
  /** What each search field's weight is multiplied by, where they are not taken as they are. */
  fieldBoosts?: readonly number[];
  /** Sets rows back whose code is gone. */
  rankStale?: RankStale;
}

/** Which rows are one to the reader: those of a session, or those that say the same. */
export interface RowKeys {
  keysOf(ranked: readonly RankedRow[]): number[];
  /** How many of the rows that match have each key, where that can be told without ranking them. */
  countAll?(matching: readonly number[]): Map<number, number>;
  /** The most rows that are ranked to fill a page, as a multiple of its rows. */
  mostTimes: number;
}

/** Sets some of the first of some ranked rows back, or leaves them out. */
export type RankStale = (
  rows: RankedRow[],
  input: Pick<RankInput, "corpus"> & { stepsOf: (global: number) => Step[] },
) => RankedRow[];

export interface RankedRow {
  global: number;
  timeMs: number;
  lexical: number;
  context: number;
  share: number;
  cosine?: number;
  source: RankSource;
  /** How it came by its score: when that is asked for, and in the pool. */
  steps?: Step[];
  final: number;
  /** What it is one of, where rows have keys. */
  key?: number;
}

/** What the best rows have of a query. */
export interface Evidence {
  branch: RankSource;
  /** The largest share of the query's information that a row matches by words. */
  bestShare: number;
  bestCosine: number;
  /** The best score before the pool. */
  best: number;
  /** How many words the query has, and the share of them that occurs nowhere. */
  words: number;
  unknown: number;
  /** In a store of few entries, the largest share of the words that a row has, rare or not. */
  bestCount?: number;
}

export interface Ranking {
  rows: RankedRow[];
  /** The rows that match. */
  total: number;
  /** Their global numbers, in log order, where they are asked for. */
  matching: number[];
  /** How many of them have each key, where the keys tell. */
  keyCounts?: ReadonlyMap<number, number>;
  /** How many of them were ranked. */
  collected: number;
  candidates: CandidateCounts;
  belowFloor: number;
  removed: Record<string, number>;
  terms: TermStatistics[];
  /** The lexical score that a perfect row would have. */
  ideal: number;
  /** What a cosine weighs beside the words. */
  vectorWeight: number;
  pivots: number[];
  /** By what it was decided whether there is anything to tell. */
  evidence: Evidence;
  /** Whether a row passes the filters and has no word that must not occur. */
  passes: (global: number) => boolean;
}
