// The decisions and sections of documents by the words and files they name, as one small file of
// numbers: what a hook before an edit asks, without opening the index. Terms are there as hashes only,
// and rows as their places in the logs, so the file holds no text. It is used only while the logs are
// exactly those it was made from.

import { type Pool, pools } from "../core/entry.ts";
import { hash64 } from "../core/hash.ts";
import { type ByteSource, IndexDamage } from "../disk/byte_source.ts";
import { openSealedFile } from "../disk/paged_file.ts";
import { analysisVersion } from "../store/index_version.ts";
import { edgesOf } from "../store/log_files.ts";
import type { Store } from "../store/store.ts";
import type { LogReader } from "./log_reader.ts";

/** The last word of the file. */
export const mentionMagic = 0x314d5843;
/** Of the form, and of what makes terms of a text: a table of others is made anew. */
const versions = [1, analysisVersion];

/** Words before the columns: versions, counts, and for each log its size in two words and its edges. */
export const headWords = 4 + 3 * pools.length;
/** Words of a row: its place (three), the checksum of its line, the hash of its id, pool and type. */
export const rowWords = 6;
/** Row numbers take two bytes. */
export const maxMentions = 0xffff;

/** Where the table is. */
export function mentionPath({ layout }: Pick<Store, "layout">): string {
  return `${layout.index}/mentions.bin`;
}

/** A term as the table knows it. */
export function termHash(term: string): number {
  return hash64(term)[0];
}

/** The first words of a table of the logs as they are. */
export function headOf(log: LogReader, counts: { rows: number; terms: number }): Uint32Array {
  const marks = pools.flatMap((pool) => {
    const to = log.sizeOf(pool);
    return [to % 2 ** 32, Math.floor(to / 2 ** 32), edgesOf(log, { pool, from: 0, to })];
  });
  return Uint32Array.of(...versions, counts.rows, counts.terms, ...marks);
}

/** Opens the table if there is one, of the logs as they are where those are given; close it. */
export function openMentions(store: Store, log?: LogReader): MentionTable | undefined {
  const label = mentionPath(store);
  using opened = new DisposableStack();
  const reader = opened.use(store.files.openReader(label));
  if (reader === undefined) return undefined;
  try {
    const source = openSealedFile(reader, { label, magic: mentionMagic });
    const head = wordsOf(source, 0, headWords);
    const [, , rows, terms] = head;
    const now = log === undefined ? versions : headOf(log, { rows, terms });
    if (now.some((word, i) => word !== head[i])) return undefined;
    opened.move();
    return new MentionTable(source, { rows, terms });
  } catch (error) {
    if (error instanceof IndexDamage) return undefined;
    throw error;
  }
}

/** An open table. Rows are numbered in log order. */
export class MentionTable implements Disposable {
  readonly rows: number;
  /** The hashes of all terms, sorted. */
  readonly hashes: Uint32Array;
  readonly #source: ByteSource;
  readonly #places: Uint32Array;
  readonly #startsAt: number;

  constructor(source: ByteSource, { rows, terms }: { rows: number; terms: number }) {
    this.#source = source;
    this.rows = rows;
    const words = wordsOf(source, headWords, rows * rowWords + terms);
    this.#places = words.subarray(0, rows * rowWords);
    this.hashes = words.subarray(rows * rowWords);
    this.#startsAt = headWords + words.length;
  }

  /** The rows that have a term, or another with its hash. */
  find(term: string): Uint16Array {
    const hash = termHash(term);
    let low = 0;
    for (let high = this.hashes.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.hashes[middle] < hash) low = middle + 1;
      else high = middle;
    }
    return this.hashes[low] === hash ? this.rowsAt(low) : new Uint16Array();
  }

  rowsAt(number: number): Uint16Array {
    const [from, to] = wordsOf(this.#source, this.#startsAt + number, 2);
    const at = (this.#startsAt + this.hashes.length + 1) * 4 + from * 2;
    return new Uint16Array(this.#source.read(at, (to - from) * 2).slice().buffer);
  }

  isDecision(row: number): boolean {
    return this.#places[row * rowWords + 5] % 2 === 1;
  }

  place(row: number): { pool: Pool; offset: number; length: number } {
    const [low, high, length, , , kind] = this.wordsOf(row);
    return { pool: pools[kind >> 1], offset: high * 2 ** 32 + low, length };
  }

  /** As `Segment.sum`. */
  sum(row: number): number {
    return this.#places[row * rowWords + 3];
  }

  idHash(row: number): number {
    return this.#places[row * rowWords + 4];
  }

  /** All that the table has of a row. */
  wordsOf(row: number): Uint32Array {
    return this.#places.subarray(row * rowWords, (row + 1) * rowWords);
  }

  [Symbol.dispose](): void {
    this.#source[Symbol.dispose]();
  }
}

function wordsOf(source: ByteSource, from: number, count: number): Uint32Array {
  return new Uint32Array(source.read(from * 4, count * 4).slice().buffer);
}
