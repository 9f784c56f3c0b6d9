// An immutable file of JSON records with a hash index from keys to records: the one format behind
// the symbol graph, the git history and the mentions. Opening reads a few kilobytes; a lookup reads
// only what it needs, so that a hook stays near the bare start. Derived data: replaced, never edited.
// Every page has a checksum: damage is met as TableDamage, never as a wrong record.

import { hash64 } from "../../../core/hash.ts";
import { IndexDamage, pageBytes, PagedSource } from "../../../disk/byte_source.ts";
import { openSealedFile, readWord, toSealedFile } from "../../../disk/paged_file.ts";
import type { Files } from "../../../disk/files.ts";
import { entryWords, KeyStore } from "./key_store.ts";
import { TableDamage } from "./table_damage.ts";

/** A record and the keys it is found by. Each part is read without the others. */
export interface KeyedRecord {
  parts: unknown[];
  keys: Iterable<string>;
}

const magic = 0x33545843;
/** Without checksums, and without parts: made anew without a word. */
const oldMagics = [0x31545843, 0x32545843];
const headBytes = 28;
const decoder = new TextDecoder();
/** After this many guesses a lookup halves what is left. */
const maxGuesses = 6;

/** Encodes records in order; `meta` is for the owner of the table. */
export function encodeTable(meta: unknown, records: KeyedRecord[]): Uint8Array {
  const store = new KeyStore();
  records.forEach((record, id) => {
    for (const key of record.keys) store.post(key, id);
  });
  const { keys, postings } = store.toSorted();
  const encoder = new TextEncoder();
  const bodies = records.map(({ parts }) =>
    encoder.encode(parts.map((part) => JSON.stringify(part)).join("\n"))
  );
  const metaText = JSON.stringify(meta);
  const metaBytes = encoder.encode(metaText);
  const places = new Uint32Array(bodies.length + 1);
  bodies.forEach((body, i) => places[i + 1] = places[i] + body.length);
  const head = Uint32Array.of(
    magic,
    metaBytes.length,
    bodies.length,
    keys.length / entryWords,
    postings.length,
    places[bodies.length],
    hash64(metaText)[1],
  );
  return toSealedFile([
    toBytes(head),
    toBytes(places),
    toBytes(keys),
    toBytes(postings),
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
  readonly #keyPages = new Map<number, Uint8Array>();
  readonly #start: Record<"places" | "keys" | "ids" | "meta" | "bodies", number>;
  readonly #metaBytes: number;

  constructor(source: PagedSource, path: string) {
    this.#source = source;
    this.#path = path;
    const head = this.#readWords(0, headBytes / 4);
    const [, metaBytes, records, keys, ids] = head;
    this.count = records;
    this.stamp = head[6];
    this.#metaBytes = metaBytes;
    const keysAt = headBytes + (records + 1) * 4;
    const idsAt = keysAt + keys * entryWords * 4;
    const metaAt = idsAt + ids * 4;
    this.#start = {
      places: headBytes,
      keys: keysAt,
      ids: idsAt,
      meta: metaAt,
      bodies: metaAt + metaBytes,
    };
    this.#keyCount = keys;
  }

  /** What the owner of the table wrote about it. */
  readMeta(): unknown {
    return toJson(this.#read(this.#start.meta, this.#metaBytes));
  }

  /** The records that have a key, in order. */
  find(key: string): number[] {
    const entry = this.#findEntry(key);
    if (entry === undefined) return [];
    return Array.from(this.#readWords(this.#start.ids + entry.first * 4, entry.count));
  }

  /** How many records have a key. */
  countOf(key: string): number {
    return this.#findEntry(key)?.count ?? 0;
  }

  /** A part of the record of that number. */
  read(id: number, part = 0): unknown {
    const [from, to] = this.#readWords(this.#start.places + id * 4, 2);
    return toJson(partOf(this.#read(this.#start.bodies + from, to - from), part));
  }

  /** All records in order, with all their parts. */
  *readAll(): Generator<unknown[]> {
    const places = this.#readWords(this.#start.places, this.count + 1);
    const bodies = this.#read(this.#start.bodies, places[this.count]);
    for (let id = 0; id < this.count; id++) {
      const body = decoder.decode(bodies.subarray(places[id], places[id + 1]));
      yield body.split("\n").map((part) => JSON.parse(part));
    }
  }

  [Symbol.dispose](): void {
    this.#source[Symbol.dispose]();
  }

  /** Hashes are spread evenly, so that a place can be guessed: a lookup reads a page or two. */
  #findEntry(key: string): { first: number; count: number } | undefined {
    const [high, low] = hash64(key);
    let [from, to] = [0, this.#keyCount];
    let [least, most] = [0, 2 ** 32];
    for (let tries = 0; from < to; tries++) {
      const share = tries < maxGuesses && most > least ? (high - least) / (most - least) : 0.5;
      const middle = Math.min(to - 1, from + Math.floor(share * (to - from)));
      const [entryHigh, entryLow, first, count] = this.#readEntry(middle);
      const order = entryHigh - high || entryLow - low;
      if (order === 0) return { first, count };
      if (order < 0) [from, least] = [middle + 1, entryHigh];
      else [to, most] = [middle, entryHigh];
    }
    return undefined;
  }

  /** One entry of the keys; pages of keys are read once. */
  #readEntry(at: number): Uint32Array {
    const offset = this.#start.keys + at * entryWords * 4;
    const bytes = new Uint8Array(entryWords * 4);
    for (let done = 0; done < bytes.length;) {
      const page = Math.floor((offset + done) / pageBytes);
      let kept = this.#keyPages.get(page);
      if (kept === undefined) {
        kept = this.#read(page * pageBytes, pageBytes);
        this.#keyPages.set(page, kept);
      }
      const start = offset + done - page * pageBytes;
      const part = kept.subarray(start, start + bytes.length - done);
      bytes.set(part, done);
      done += part.length;
    }
    return new Uint32Array(bytes.buffer);
  }

  #readWords(offset: number, count: number): Uint32Array {
    const bytes = this.#read(offset, count * 4);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, count);
  }

  #read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    return orDamage(this.#path, () => this.#source.read(offset, length));
  }
}

/** Opens a table, or returns undefined when there is none yet; throws TableDamage. */
export function openTable(files: Files, path: string): RecordTable | undefined {
  using opened = new DisposableStack();
  const reader = opened.use(files.openReader(path));
  if (reader === undefined || oldMagics.includes(readWord(reader, 0))) return undefined;
  const table = new RecordTable(
    orDamage(path, () => openSealedFile(reader, { label: path, magic })),
    path,
  );
  opened.move();
  return table;
}

function orDamage<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof IndexDamage ? new TableDamage(path, { cause: error }) : error;
  }
}

/** JSON has no line breaks of its own: they stand between parts. */
function partOf(body: Uint8Array, part: number): Uint8Array {
  let from = 0;
  for (let i = 0; i < part; i++) from = body.indexOf(10, from) + 1;
  const to = body.indexOf(10, from);
  return body.subarray(from, to < 0 ? body.length : to);
}

function toJson(bytes: Uint8Array): unknown {
  return JSON.parse(decoder.decode(bytes));
}

function toBytes(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
