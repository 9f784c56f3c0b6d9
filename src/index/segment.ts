// What can be searched: a run of one log's rows with postings and columns. Sealed segments on
// disk, the in-memory tail and a scan all look like this, so that one ranking serves them all.

import type { Pool } from "../core/entry.ts";

/** Where a row's line is in its log. */
export interface Place {
  pool: Pool;
  offset: number;
  length: number;
}

/** One term's posting list, coded as in postings.ts, and how many rows it names. */
export interface Postings {
  bytes: Uint8Array;
  count: number;
}

/** A contiguous run of rows of one pool, numbered from 0 in log order. */
export interface Segment {
  readonly pool: Pool;
  readonly rows: number;
  /** The posting list of a term, or undefined. */
  findPostings(term: string): Postings | undefined;
  /** The terms that begin with a prefix, in code point order. */
  terms(prefix: string): Iterable<string>;
  /** The length of each row in one search field. */
  lengths(field: number): Uint16Array;
  /** `rowFlags` of each row. */
  flags(): Uint8Array;
  /** `sessionHash` of each row. */
  sessions(): Uint32Array;
  /** The time of a row in milliseconds. */
  time(row: number): number;
  /** Where a row's line is. */
  place(row: number): Place;
  /** A 32-bit hash of a row's id. */
  idHash(row: number): number;
}
