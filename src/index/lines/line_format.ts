// The form of the line table: columns of numbers and two lists of names. Lines are there as hashes
// only, sorted, each with the edit it belongs to.

import type { Pool } from "../../core/entry.ts";
import type { Layout } from "../../store/files/layout.ts";

/** The first and the last word of the file. */
export const lineMagic = 0x314c5843;
/** Raised when the columns or the hash of a line change: the table is then made anew. */
export const lineVersion = 1;

/** Where the table is. */
export function linesPathOf({ index }: Layout): string {
  return `${index}/lines.bin`;
}

/** What happened to a line; a commit is known by its subject and by its hash. */
export const lineKinds = ["added", "removed", "committed"] as const;
/** One of `lineKinds`. */
export type LineKind = typeof lineKinds[number];

/** Columns per edit, then per line, in the order of the file; the wide ones first. */
export const editColumns = {
  time: 8,
  place: 8,
  length: 4,
  session: 4,
  path: 4,
  idHigh: 4,
  idLow: 4,
} as const;
/** A reference is the number of an edit, times four, plus the number of a kind. */
export const lineColumns = { high: 4, low: 4, reference: 4, order: 4 } as const;

/** The words before the columns: magic, version, edits, lines, bytes of names. */
export const headBytes = 64;

/** How far a log is in the table, and the edges that it had there. */
export interface LogMark {
  offset: number;
  edges: number;
}

/** What stands behind the columns. */
export interface LineNames {
  logs: Record<Pool, LogMark>;
  sessions: string[];
  paths: string[];
}
