// An immutable file of JSON records with a hash index from keys to records: the format of the symbol
// graph. Opening reads a few kilobytes; a lookup reads only what it needs, so that a hook stays near
// the bare start. Derived data: replaced, never edited. Every page has a checksum: damage is met as
// TableDamage, never as a wrong record.

import { hash64 } from "../../../core/hash.ts";
import { IndexDamage, pageBytes, PagedSource } from "../../../disk/byte_source.ts";
import { openSealedFile, readWord, toSealedFile } from "../../../disk/paged_file.ts";
import type { Files } from "../../../disk/files.ts";
import { TableDamage } from "./table_damage.ts";

/** A record and the keys it is found by. */
export interface KeyedRecord {
  value: unknown;
  keys: Iterable<string>;
}

const magic = 0x34545843;
/** Tables of older versions: rebuilt without a warning. */
const oldMagics = [0x31545843, 0x32545843, 0x33545843];
const headWords = 6;
/** A key: both halves of its hash, its first posting and how many there are. */
const entryWords = 4;
const decoder = new TextDecoder();

/** Encodes records in order; `meta` is for the owner of the table. */
export function encodeTable(meta: unknown, records: KeyedRecord[]): Uint8Array {
  const byKey = new Map<string, number[]>();
  records.forEach(({ keys }, id) => {
    for (const key of new Set(keys)) {
      const ids = byKey.get(key);
      if (ids === undefined) byKey.set(key, [id]);
      else ids.push(id);
    }
  });
  const sorted = [...byKey].map(([key, ids]) => ({ hash: hash64(key), ids }))
    .sort((a, b) => a.hash[0] - b.hash[0] || a.hash[1] - b.hash[1]);
  let first = 0;
  const keys = sorted.flatMap(({ hash, ids }) => {
    first += ids.length;
    return [...hash, first - ids.length, ids.length];
  });
  const encoder = new TextEncoder();
  const bodies = records.map(({ value }) => encoder.encode(JSON.stringify(value)));
  const metaText = JSON.stringify(meta);
  const metaBytes = encoder.encode(metaText);
  const places = new Uint32Array(bodies.length + 1);
  bodies.forEach((body, i) => places[i + 1] = places[i] + body.length);
  const head = [magic, metaBytes.length, bodies.length, sorted.length, first, hash64(metaText)[1]];
  return toSealedFile([
    toBytes(Uint32Array.from(head)),
    toBytes(places),
    toBytes(Uint32Array.from(keys)),
    toBytes(Uint32Array.from(sorted.flatMap(({ ids }) => ids))),
    metaBytes,
    ...bodies,
  ], magic);
}

/** An open table; close it. Reading a damaged page throws TableDamage. */
export class RecordTable implements Disposable {
  readonly count: number;
  /** A fingerprint of the table's meta, for files that belong to it. */
  readonly stamp: number;
  readonly #path: string;
  readonly #source: PagedSource;
  readonly #keyCount: number;
  readonly #metaBytes: number;
  readonly #pages = new Map<number, Uint8Array>();
  readonly #start: Record<"keys" | "postings" | "meta" | "bodies", number>;

  constructor(source: PagedSource, path: string) {
    this.#source = source;
    this.#path = path;
    const [, metaBytes, records, keys, postings, stamp] = this.#words(0, headWords);
    this.count = records;
    this.stamp = stamp;
    this.#keyCount = keys;
    this.#metaBytes = metaBytes;
    const keysAt = (headWords + records + 1) * 4;
    const postingsAt = keysAt + keys * entryWords * 4;
    const meta = postingsAt + postings * 4;
    this.#start = { keys: keysAt, postings: postingsAt, meta, bodies: meta + metaBytes };
  }

  /** What the owner of the table wrote about it. */
  readMeta(): unknown {
    return toJson(this.#read(this.#start.meta, this.#metaBytes));
  }

  /** The records that have a key, in order. */
  find(key: string): number[] {
    const { first, count } = this.#findEntry(key);
    return Array.from(this.#words(this.#start.postings + first * 4, count));
  }

  /** How many records have a key. */
  countOf(key: string): number {
    return this.#findEntry(key).count;
  }

  /** The record of that number. */
  read(id: number): unknown {
    const [from, to] = this.#words((headWords + id) * 4, 2);
    return toJson(this.#read(this.#start.bodies + from, to - from));
  }

  /** All records in order. */
  *readAll(): Generator<unknown> {
    const places = this.#words(headWords * 4, this.count + 1);
    const bodies = this.#read(this.#start.bodies, places[this.count]);
    for (let id = 0; id < this.count; id++) {
      yield toJson(bodies.subarray(places[id], places[id + 1]));
    }
  }

  [Symbol.dispose](): void {
    this.#source[Symbol.dispose]();
  }

  #findEntry(key: string): { first: number; count: number } {
    const [high, low] = hash64(key);
    let [from, to] = [0, this.#keyCount];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const at = this.#start.keys + middle * entryWords * 4;
      const [entryHigh, entryLow, first, count] = this.#words(at, entryWords);
      const order = entryHigh - high || entryLow - low;
      if (order === 0) return { first, count };
      if (order < 0) from = middle + 1;
      else to = middle;
    }
    return { first: 0, count: 0 };
  }

  #words(offset: number, count: number): Uint32Array {
    return new Uint32Array(this.#read(offset, count * 4).buffer);
  }

  /** Bytes alone in their buffer; the pages of short reads are read once. */
  #read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    try {
      if (length > pageBytes) return this.#source.read(offset, length);
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length;) {
        const page = Math.floor((offset + done) / pageBytes);
        const kept = this.#pages.get(page) ?? this.#source.read(page * pageBytes, pageBytes);
        this.#pages.set(page, kept);
        const start = offset + done - page * pageBytes;
        const part = kept.subarray(start, start + length - done);
        bytes.set(part, done);
        done += part.length;
      }
      return bytes;
    } catch (error) {
      throw toDamage(this.#path, error);
    }
  }
}

/** Opens a table, or returns undefined when there is none yet; throws TableDamage. */
export function openTable(files: Files, path: string): RecordTable | undefined {
  using opened = new DisposableStack();
  const reader = opened.use(files.openReader(path));
  if (reader === undefined || oldMagics.includes(readWord(reader, 0))) return undefined;
  try {
    const table = new RecordTable(openSealedFile(reader, { label: path, magic }), path);
    opened.move();
    return table;
  } catch (error) {
    throw toDamage(path, error);
  }
}

function toDamage(path: string, error: unknown): unknown {
  return error instanceof IndexDamage ? new TableDamage(path, { cause: error }) : error;
}

function toJson(bytes: Uint8Array): unknown {
  return JSON.parse(decoder.decode(bytes));
}

function toBytes(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
