// The segment file: a header, posting lists, a dictionary in blocks with shared prefixes, the
// first term of every block, columns and two tables. Little-endian. docs/FORMAT.md describes it.

import { checksum } from "../../core/checksum.ts";
import { segmentVersion } from "../../store/index_version.ts";
import type { Row } from "../../store/store.ts";
import { hash64 } from "../../core/hash.ts";
import { type Pool, pools } from "../../core/entry.ts";
import type { ByteWriter } from "../../disk/byte_writer.ts";

/** The fields that are searched for words, in the order of their numbers in the index. */
export const searchFields = ["title", "summary", "text", "files", "tags", "content"] as const;
/** The number of `text` in `searchFields`: the field almost every posting is in. */
export const textField = searchFields.indexOf("text");
/** The number of `files` there. */
export const filesField = searchFields.indexOf("files");

export const rowFlags = {
  tombstone: 1,
  thinking: 2,
  /** What people and agents say to each other in a session. */
  talk: 4,
  /** A user's turn of it. */
  prompt: 8,
  call: 16,
  result: 32,
  /** A call that only looks, or a result that only lists or says "done". */
  bare: 64,
  /** A call of ctx itself, or what it gave. */
  recall: 128,
  /** Derived from a session. */
  record: 256,
  /** Knowledge that somebody wrote down: a decision, a preference and the like. */
  saved: 512,
  /** A turn of talk that asks something, and one that names a time. */
  question: 1024,
  timed: 2048,
} as const;
/** One more than the greatest set of them. */
export const flagValues = 2 * Math.max(...Object.values(rowFlags));
/** Rows whose lengths differ for other reasons than how much they say. */
export const looseFlags = rowFlags.talk | rowFlags.call | rowFlags.result;

export const blockTerms = 32;

const magic = 0x31475343;
const headerBytes = 320;

/** The columns, in file order, with the bytes of one value. */
export const columnWidths = {
  title: 2,
  summary: 2,
  text: 2,
  files: 2,
  tags: 2,
  content: 2,
  flags: 2,
  session: 4,
  id: 4,
  time: 8,
  /** Where its line is, in four numbers: lower and upper half of the offset, length, checksum. */
  place: 16,
  idOrder: 8,
  /** Twice the tokens of its text, and one more when its producer numbered it. */
  tokens: 4,
} as const;
/** One of the columns; the first six are field lengths. */
export type ColumnName = keyof typeof columnWidths;
/** All columns in file order. */
export const columnNames = Object.keys(columnWidths) as ColumnName[];

/**
 * Tables of pairs of 32-bit numbers, sorted: how many entries each session has, by its hash, and which
 * rows are records that cite an entry, by the hash of its id.
 */
export const tableNames = ["sessions", "cites"] as const;
export type TableName = typeof tableNames[number];

/** Sums over the entries of a segment; tombstones are rows, but no entries. */
export interface SegmentTotals {
  entries: number;
  tombstones: number;
  thinking: number;
  recalls: number;
  superseding: number;
  /** Infinity without entries. */
  oldestMs: number;
  newestMs: number;
  lengths: number[];
}

/** The sums over no entries. */
export function noTotals(): SegmentTotals {
  const lengths = searchFields.map(() => 0);
  return {
    entries: 0,
    tombstones: 0,
    thinking: 0,
    recalls: 0,
    superseding: 0,
    oldestMs: Infinity,
    newestMs: 0,
    lengths,
  };
}

export interface SegmentHeader {
  pool: Pool;
  rows: number;
  terms: number;
  blocks: number;
  totals: SegmentTotals;
  postings: number;
  dictionary: number;
  sparse: number;
  sparseBytes: number;
  columns: Record<ColumnName, number>;
  tables: Record<TableName, { at: number; pairs: number }>;
}

/** The parts of a segment before they are laid out. */
export interface SegmentParts {
  pool: Pool;
  rows: number;
  terms: number;
  totals: SegmentTotals;
  postings: ByteWriter;
  dictionary: ByteWriter;
  /** For each block, where it starts in the dictionary and its first term. */
  blocks: { offset: number; first: Uint8Array }[];
  columns: Record<ColumnName, Uint8Array>;
  /** The table of that name, sorted. */
  cites: Uint32Array;
}

/** Lays a segment out: its bytes, in parts that follow each other. */
export function encodeSegment(parts: SegmentParts): Uint8Array[] {
  const { totals } = parts;
  const header = new Uint8Array(headerBytes);
  const bytes: Uint8Array[] = [header];
  let size = headerBytes;
  const append = (...added: Uint8Array[]): number => {
    const at = size;
    for (const part of added) size += part.length;
    bytes.push(...added);
    return at;
  };
  // Columns can be viewed as numbers when they start at a multiple of 8.
  const align = (): void => void append(new Uint8Array((8 - size % 8) % 8));
  const postings = append(...parts.postings.parts());
  const dictionary = append(...parts.dictionary.parts());
  align();
  const sparse = encodeSparse(parts);
  const sparseAt = append(sparse);
  const columns = columnNames.map((name) => {
    align();
    return append(parts.columns[name]);
  });
  const tables = { sessions: countSessions(parts.columns), cites: parts.cites };
  const places = tableNames.flatMap((name) => {
    align();
    return [append(toBytes(tables[name])), tables[name].length / 2];
  });
  const view = new DataView(header.buffer);
  const words = [
    magic,
    segmentVersion,
    parts.rows,
    parts.terms,
    parts.blocks.length,
    pools.indexOf(parts.pool),
    totals.entries,
    totals.tombstones,
    totals.thinking,
    totals.superseding,
    totals.recalls,
  ];
  words.forEach((value, i) => view.setUint32(i * 4, value, true));
  const numbers = [postings, dictionary, sparseAt, sparse.length, totals.oldestMs, totals.newestMs];
  [...numbers, ...totals.lengths, ...columns, ...places]
    .forEach((value, i) => view.setFloat64(44 + i * 8, value, true));
  return bytes;
}

/** Reads a header, or returns undefined when it is none of this version. */
export function decodeHeader(bytes: Uint8Array): SegmentHeader | undefined {
  if (bytes.length < headerBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, headerBytes);
  const word = (i: number): number => view.getUint32(i * 4, true);
  const number = (i: number): number => view.getFloat64(44 + i * 8, true);
  const pool = pools[word(5)];
  if (word(0) !== magic || word(1) !== segmentVersion || pool === undefined) return undefined;
  const columnsAt = 6 + searchFields.length;
  const tablesAt = columnsAt + columnNames.length;
  return {
    rows: word(2),
    terms: word(3),
    blocks: word(4),
    pool,
    totals: {
      entries: word(6),
      tombstones: word(7),
      thinking: word(8),
      superseding: word(9),
      recalls: word(10),
      oldestMs: number(4),
      newestMs: number(5),
      lengths: searchFields.map((_, field) => number(6 + field)),
    },
    postings: number(0),
    dictionary: number(1),
    sparse: number(2),
    sparseBytes: number(3),
    columns: Object.fromEntries(
      columnNames.map((name, i) => [name, number(columnsAt + i)]),
    ) as Record<ColumnName, number>,
    tables: Object.fromEntries(
      tableNames.map((name, i) => {
        const at = tablesAt + i * 2;
        return [name, { at: number(at), pairs: number(at + 1) }];
      }),
    ) as SegmentHeader["tables"],
  };
}

/** The header's size: read this much first. */
export const segmentHeaderBytes = headerBytes;

/** Pairs of offsets (block, first term), one more pair as the end, then the first terms. */
function encodeSparse(parts: SegmentParts): Uint8Array {
  const { blocks } = parts;
  const firstBytes = blocks.reduce((sum, { first }) => sum + first.length, 0);
  const sparse = new Uint8Array((blocks.length + 1) * 8 + firstBytes);
  const view = new DataView(sparse.buffer);
  const base = (blocks.length + 1) * 8;
  let at = 0;
  blocks.forEach(({ offset, first }, i) => {
    view.setUint32(i * 8, offset, true);
    view.setUint32(i * 8 + 4, at, true);
    sparse.set(first, base + at);
    at += first.length;
  });
  view.setUint32(blocks.length * 8, parts.dictionary.size, true);
  view.setUint32(blocks.length * 8 + 4, at, true);
  return sparse;
}

/** The entries of each session, as the table has them. */
function countSessions({ session, flags }: SegmentParts["columns"]): Uint32Array {
  const counts = new Map<number, number>();
  const own = new Uint32Array(session.buffer, session.byteOffset, session.length / 4);
  const kinds = new Uint16Array(flags.buffer, flags.byteOffset, flags.length / 2);
  for (let row = 0; row < own.length; row++) {
    if ((kinds[row] & rowFlags.tombstone) !== 0 || own[row] === 0) continue;
    counts.set(own[row], (counts.get(own[row]) ?? 0) + 1);
  }
  return Uint32Array.from([...counts].sort((a, b) => a[0] - b[0]).flat());
}

export function toBytes(numbers: Uint16Array | Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** A session's number for comparing neighbours: 0 is no session. */
export function sessionHash(sessionId: string | undefined): number {
  return sessionId === undefined ? 0 : hash64(sessionId)[1] | 1;
}

/** The hash by which rows are found from an id. */
export function idHashOf(id: string): number {
  return hash64(id)[1];
}

/** The checksum of a row's line; 0 for rows that were read without it, or are not sound. */
export function lineSum({ line }: Row): number {
  return line === undefined ? 0 : checksum(line);
}
