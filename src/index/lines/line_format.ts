// The form of the line table: columns of numbers and two lists of names. Lines are there as hashes
// only, sorted, each with the edit it belongs to.

import type { OwnPool } from "../../core/entry.ts";

/** The first and the last word of the file. */
export const lineMagic = 0x314c5843;
/** Raised when the columns or the hash of a line change: the table is then made anew. */
const lineVersion = 3;

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

/** An edit of a session: one file, in one entry. */
export interface RecordedEdit {
  time: number;
  /** Where its entry is in the logs, times two, plus one in the hot one; and how long the line is. */
  place: number;
  length: number;
  session: string;
  path: string;
  idHigh: number;
  idLow: number;
}

/** How far a log is in the table, and the edges that it had there. */
export interface LogMark {
  offset: number;
  edges: number;
}

/** How far each log is in the table. */
export type LogMarks = Record<OwnPool, LogMark>;

/** What stands before the columns: all that it takes to know whether a table is needed at all. */
export interface LineHead {
  edits: number;
  lines: number;
  nameBytes: number;
  /** How many sessions there are. */
  sessions: number;
  /** When the first edit was; after all time when there is none. */
  earliest: number;
  logs: LogMarks;
}

/** A head takes so many. */
export const headBytes = 64;

/** What stands behind the columns. */
export interface LineNames {
  sessions: string[];
  paths: string[];
}

export function encodeHead(head: LineHead): Uint8Array {
  const bytes = new Uint8Array(headBytes);
  const words = new Uint32Array(bytes.buffer);
  const wide = new Float64Array(bytes.buffer);
  const { archive, hot } = head.logs;
  words.set([lineMagic, lineVersion, head.edits, head.lines, head.nameBytes, head.sessions]);
  words.set([archive.edges, hot.edges], 6);
  wide.set([head.earliest, archive.offset, hot.offset], 5);
  return bytes;
}

/** The head that some bytes are; undefined for another form. */
export function decodeHead(bytes: Uint8Array): LineHead | undefined {
  const { buffer } = bytes.slice(0, headBytes);
  const words = new Uint32Array(buffer);
  if (words[0] !== lineMagic || words[1] !== lineVersion) return undefined;
  const [edits, lines, nameBytes, sessions, archive, hot] = words.subarray(2);
  const [earliest, archiveOffset, hotOffset] = new Float64Array(buffer).subarray(5);
  const logs = {
    archive: { offset: archiveOffset, edges: archive },
    hot: { offset: hotOffset, edges: hot },
  };
  return { edits, lines, nameBytes, sessions, earliest, logs };
}
