// A run of one log's rows with postings and columns, read by position. Sealed segments on disk,
// the unindexed tail and a scan all are this, so that one ranking serves them all.

import type { Pool } from "../../core/entry.ts";
import {
  blockTerms,
  type ColumnName,
  columnWidths,
  decodeHeader,
  searchFields,
  type SegmentHeader,
  segmentHeaderBytes,
  type SegmentTotals,
  type TableName,
  textField,
} from "./segment_format.ts";
import { type ByteSource, IndexDamage, MemorySource } from "../../disk/byte_source.ts";
import { aligned, PagedColumn } from "../../disk/paged_column.ts";
import {
  compareTerms,
  decodeBlock,
  findEntry,
  type ListPlace,
  type TermEntry,
} from "./dictionary_reader.ts";

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

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * The columns that a search asks for all over, in a few hundred places: of few rows long reads fetch them
 * whole, of many rows each place takes a read of its own.
 */
const spreadColumns: readonly ColumnName[] = ["flags", "session", "time", "text"];
const fewRows = 1 << 18;
/** Blocks of the dictionary that are read at once. */
const mostBlocks = 32;
const spreadBytes = { few: 1 << 18, many: 1 << 13 };

/** A contiguous run of rows of one pool, numbered from 0 in log order. */
export class Segment implements Disposable {
  readonly pool: Pool;
  readonly rows: number;
  readonly totals: SegmentTotals;
  readonly #source: ByteSource;
  readonly #header: SegmentHeader;
  readonly #columns = new Map<ColumnName, PagedColumn>();
  #flags?: PagedColumn;
  #allFlags?: Uint16Array;
  #sessions?: PagedColumn;
  #cites?: Uint32Array;
  readonly #lengths: (Uint16Array | undefined)[] = [];
  /** The fields whose lengths were asked for once. */
  readonly #loaded: boolean[] = [];
  #sparse?: { bytes: Uint8Array; view: DataView };
  readonly #spreadBytes: number;

  /** `rowsInAll` are those of all segments that are searched with it. */
  constructor(source: ByteSource, rowsInAll = 0) {
    const header = decodeHeader(source.read(0, segmentHeaderBytes));
    if (header === undefined) throw new IndexDamage("a segment has a foreign header");
    this.#source = source;
    this.#header = header;
    this.#spreadBytes = rowsInAll <= fewRows ? spreadBytes.few : spreadBytes.many;
    this.pool = header.pool;
    this.rows = header.rows;
    this.totals = header.totals;
  }

  /** A segment over bytes that a builder has just made. */
  static fromBytes(bytes: Uint8Array): Segment {
    return new Segment(new MemorySource(bytes));
  }

  findPostings(term: string): Postings | undefined {
    if (this.#header.terms === 0) return undefined;
    const wanted = encoder.encode(term);
    const block = this.#findBlock(wanted);
    const entry = findEntry(this.#readBlock(block), this.#termsIn(block), wanted);
    return entry && this.#readPostings(entry);
  }

  *terms(prefix: string): Generator<string> {
    for (const { term } of this.#entries(prefix)) yield term;
  }

  /** Those of some terms, which are sorted, that there are; only their blocks are read. */
  *known(terms: readonly string[]): Generator<string> {
    let after: string | undefined = "";
    let block: Uint8Array = new Uint8Array();
    let count = 0;
    for (const term of this.#header.terms === 0 ? [] : terms) {
      const wanted = encoder.encode(term);
      if (after !== undefined && term >= after) {
        const number = this.#findBlock(wanted);
        after = this.#firstTerm(number + 1);
        [block, count] = [this.#readBlock(number), this.#termsIn(number)];
      }
      if (findEntry(block, count, wanted) !== undefined) yield term;
    }
  }

  *lists(prefix: string): Generator<{ term: string; postings: Postings }> {
    for (const entry of this.#entries(prefix)) {
      yield { term: entry.term, postings: this.#readPostings(entry) };
    }
  }

  /** The length of each row in one search field. */
  lengths(field: number): Uint16Array {
    let lengths = this.#lengths[field];
    if (lengths === undefined) {
      const bytes = this.columnBytes(searchFields[field]);
      const copy = bytes.length === 0 ? new Uint8Array(this.rows * 2) : aligned(bytes, 2);
      lengths = new Uint16Array(copy.buffer, copy.byteOffset, this.rows);
      this.#lengths[field] = lengths;
    }
    return lengths;
  }

  /**
   * Fills a buffer with the length of each row in one search field. They are kept from the second
   * time on: a server asks again, and a command would only hold them twice.
   */
  loadLengths(field: number, target: Uint16Array): void {
    if (this.#lengths[field] !== undefined || this.#loaded[field]) {
      target.set(this.lengths(field));
      return;
    }
    this.#loaded[field] = true;
    const bytes = new Uint8Array(target.buffer, target.byteOffset, this.rows * 2);
    if (this.totals.lengths[field] === 0) bytes.fill(0);
    else this.#source.readInto(this.#header.columns[searchFields[field]], bytes);
  }

  textLength(row: number): number {
    return this.totals.lengths[textField] === 0 ? 0 : this.#column("text").at(row);
  }

  /** `rowFlags` of a row. */
  flags(row: number): number {
    if (this.#allFlags !== undefined) return this.#allFlags[row];
    return (this.#flags ??= this.#column("flags")).at(row);
  }

  /** The last row from `least` to `row` that has a flag and is of a session, and is not dead; -1 for none. */
  findBack(
    { row, least, flag, session, dead }: {
      row: number;
      least: number;
      flag: number;
      session: number;
      dead?: ReadonlySet<number>;
    },
  ): number {
    // Short commands run this interpreted, thousands of times: calls would cost most.
    const flags = this.#allFlags;
    for (let at = row; at >= least; at--) {
      if (((flags === undefined ? this.flags(at) : flags[at]) & flag) === 0) continue;
      if (this.session(at) === session && !dead?.has(at)) return at;
    }
    return -1;
  }

  /** `rowFlags` of all rows. */
  allFlags(): Uint16Array {
    if (this.#allFlags === undefined) {
      const bytes = aligned(this.columnBytes("flags"), 2);
      this.#allFlags = new Uint16Array(bytes.buffer, bytes.byteOffset, this.rows);
    }
    return this.#allFlags;
  }

  /** `sessionHash` of a row. */
  session(row: number): number {
    return (this.#sessions ??= this.#column("session")).at(row);
  }

  time(row: number): number {
    return this.#column("time").at(row);
  }

  idHash(row: number): number {
    return this.#column("id").at(row);
  }

  /** `lineSum` of a row, when it was indexed. */
  sum(row: number): number {
    return this.#column("place").at(row * 4 + 3);
  }

  tokens(row: number): number {
    return this.#column("tokens").at(row) >>> 1;
  }

  /** Whether a row has the number that its producer gave it. */
  isNumbered(row: number): boolean {
    return this.#column("tokens").at(row) % 2 === 1;
  }

  place(row: number): Place {
    const places = this.#column("place");
    const offset = places.at(row * 4) + places.at(row * 4 + 1) * 2 ** 32;
    return { pool: this.pool, offset, length: places.at(row * 4 + 2) };
  }

  /** The rows whose id has a hash, first to last. */
  rowsWithIdHash(hash: number): number[] {
    const order = this.#column("idOrder");
    let low = 0;
    let high = this.rows;
    let guess = Math.floor(hash / 2 ** 32 * this.rows);
    while (low < high) {
      if (order.at(guess * 2) < hash) low = guess + 1;
      else high = guess;
      guess = Math.max(low, Math.min(high - 1, nextGuess(order, { low, high, hash })));
    }
    const rows: number[] = [];
    for (let i = low; i < this.rows && order.at(i * 2) === hash; i++) {
      rows.push(order.at(i * 2 + 1));
    }
    return rows;
  }

  /** How many times its records cite an entry. */
  get cites(): number {
    return this.#header.tables.cites.pairs;
  }

  /** The records that cite an entry whose id has a hash, first to last. */
  recordsCiting(hash: number): number[] {
    const cites = this.#cites ??= this.readTable("cites");
    let [low, high] = [0, cites.length >> 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cites[middle * 2] < hash) low = middle + 1;
      else high = middle;
    }
    const rows: number[] = [];
    for (let at = low * 2; cites[at] === hash; at += 2) rows.push(cites[at + 1]);
    return rows;
  }

  readTable(name: TableName): Uint32Array {
    const { at, pairs } = this.#header.tables[name];
    const bytes = aligned(this.#source.read(at, pairs * 8), 4);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, pairs * 2);
  }

  /** A whole column as it is in the file; a length column without values is empty. */
  columnBytes(name: ColumnName): Uint8Array {
    const { columns, rows } = this.#header;
    const size = columnWidths[name] * rows;
    const isLength = searchFields.some((field) => field === name);
    if (isLength && this.totals.lengths[searchFields.findIndex((f) => f === name)] === 0) {
      return new Uint8Array(0);
    }
    return this.#source.read(columns[name], size);
  }

  [Symbol.dispose](): void {
    this.#source[Symbol.dispose]();
  }

  *#entries(prefix: string): Generator<TermEntry> {
    for (const { block, count } of this.blocks(prefix)) {
      for (const entry of decodeBlock(block, count)) if (entry.term.startsWith(prefix)) yield entry;
    }
  }

  /** The dictionary's blocks with terms that begin with a prefix, more at once, the more there are. */
  *blocks(prefix: string): Generator<{ block: Uint8Array; count: number }> {
    if (this.#header.terms === 0) return;
    const isBehind = (term = ""): boolean => term > prefix && !term.startsWith(prefix);
    let run = 1;
    for (let first = this.#findBlock(encoder.encode(prefix)); first < this.#header.blocks;) {
      const blocks = this.#readBlocks(first, run);
      for (const [i, block] of blocks.entries()) {
        if (isBehind(this.#firstTerm(first + i))) return;
        yield { block, count: this.#termsIn(first + i) };
      }
      first += blocks.length;
      run = Math.min(run * 2, mostBlocks);
    }
  }

  #readPostings(entry: ListPlace): Postings {
    const bytes = this.#source.read(this.#header.postings + entry.offset, entry.length);
    return { bytes, count: entry.count };
  }

  #column(name: ColumnName): PagedColumn {
    let column = this.#columns.get(name);
    if (column === undefined) {
      // These have several numbers for each row.
      const width = name === "idOrder" || name === "place" ? 4 : columnWidths[name];
      const values = this.rows * columnWidths[name] / width;
      const start = this.#header.columns[name];
      const bytesPerRead = spreadColumns.includes(name) ? this.#spreadBytes : undefined;
      column = new PagedColumn(this.#source, { start, width, values, bytesPerRead });
      this.#columns.set(name, column);
    }
    return column;
  }

  /** The last block whose first term is not greater than a term. */
  #findBlock(term: Uint8Array): number {
    let low = 0;
    let high = this.#header.blocks - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (compareTerms(this.#firstBytes(middle), term) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #firstBytes(block: number): Uint8Array {
    const { bytes, view } = this.#readSparse();
    const base = (this.#header.blocks + 1) * 8;
    const from = base + view.getUint32(block * 8 + 4, true);
    return bytes.subarray(from, base + view.getUint32(block * 8 + 12, true));
  }

  /** The first term of a block; undefined behind the last. */
  #firstTerm(block: number): string | undefined {
    return block < this.#header.blocks ? decoder.decode(this.#firstBytes(block)) : undefined;
  }

  #readSparse(): { bytes: Uint8Array; view: DataView } {
    if (this.#sparse === undefined) {
      const bytes = this.#source.read(this.#header.sparse, this.#header.sparseBytes);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      this.#sparse = { bytes, view };
    }
    return this.#sparse;
  }

  #readBlock(block: number): Uint8Array {
    return this.#readBlocks(block, 1)[0];
  }

  /** Some blocks that follow each other, in one read; fewer behind the last. */
  #readBlocks(first: number, count: number): Uint8Array[] {
    const { view } = this.#readSparse();
    const startOf = (block: number): number => view.getUint32(block * 8, true);
    const last = Math.min(first + count, this.#header.blocks);
    const from = startOf(first);
    const bytes = this.#source.read(this.#header.dictionary + from, startOf(last) - from);
    return Array.from(
      { length: last - first },
      (_, i) => bytes.subarray(startOf(first + i) - from, startOf(first + i + 1) - from),
    );
  }

  #termsIn(block: number): number {
    return Math.min(blockTerms, this.#header.terms - block * blockTerms);
  }
}

/** Hashes are spread evenly, so a value's place can be estimated: about one page is read. */
function nextGuess(
  order: PagedColumn,
  range: { low: number; high: number; hash: number },
): number {
  const { low, high, hash } = range;
  if (high - low < 8) return (low + high) >> 1;
  const first = order.at(low * 2);
  const last = order.at((high - 1) * 2);
  if (last <= first) return (low + high) >> 1;
  const share = Math.min(1, Math.max(0, (hash - first) / (last - first)));
  return low + Math.floor(share * (high - 1 - low));
}
