// An immutable file of JSON records with a hash index from keys to records: the one format behind
// the symbol graph, the git history and the mentions. Opening reads a few kilobytes; a lookup reads
// only what it needs, so that a hook stays near the bare start. Derived data: replaced, never edited.
// Every page has a checksum: damage is met as TableDamage, never as a wrong record.

import { hash64, hashStart } from "../../core/hash.ts";
import { IndexDamage, pageBytes, PagedSource } from "../../pages/byte_source.ts";
import { toPagedFile } from "../../pages/paged_file.ts";
import type { FileReader, Files } from "../../store/files/files.ts";
import { KeyStore } from "./key_store.ts";
import { entryWords, idBits, idMask } from "./posting_run.ts";
import { TableDamage } from "./table_damage.ts";

/** A record and the keys it is found by. */
export interface KeyedRecord {
  value: unknown;
  keys: Iterable<string>;
  /** Keys that come with a small number (1 to 255), as how often a term stands in a file. */
  counts?: ReadonlyMap<string, number>;
}

const magic = 0x32545843;
/** The format before there were checksums: made anew without a word. */
const oldMagic = 0x31545843;
const headBytes = 28;
/** At the end: the checksum of the page table, and the magic again. */
const tailBytes = 8;
const wholeKey = hashStart("");
/** After this many guesses a lookup halves what is left. */
const maxGuesses = 6;

/** Encodes records in order; `meta` is for the owner of the table. */
export function encodeTable(meta: unknown, records: KeyedRecord[]): Uint8Array {
  const store = new KeyStore();
  records.forEach((record, id) => {
    for (const key of record.keys) store.post(store.add(wholeKey, key), id);
    for (const [key, count] of record.counts ?? []) {
      store.post(store.add(wholeKey, key), (id | Math.min(255, count) << idBits) >>> 0);
    }
  });
  const { keys, postings } = store.toRun();
  return encodeSorted(meta, { values: records.map((record) => record.value), keys, postings });
}

/** A table whose keys are in order of their hash already. */
export interface SortedTable {
  values: unknown[];
  keys: Uint32Array;
  postings: Uint32Array;
  /** What only the owner of the table reads, and seldom; without it there is nothing to read. */
  tail?: Uint8Array;
}

/** Encodes records with their keys. */
export function encodeSorted(
  meta: unknown,
  { values, keys, postings, tail }: SortedTable,
): Uint8Array {
  const encoder = new TextEncoder();
  const bodies = values.map((value) => encoder.encode(JSON.stringify(value)));
  const metaText = JSON.stringify(meta);
  const metaBytes = encoder.encode(metaText);
  const places = new Uint32Array(values.length + 1);
  bodies.forEach((body, i) => places[i + 1] = places[i] + body.length);
  const head = Uint32Array.of(
    magic,
    metaBytes.length,
    values.length,
    keys.length / entryWords,
    postings.length,
    places[values.length],
    hash64(metaText)[1],
  );
  const { bytes, checksum } = toPagedFile([
    toBytes(head),
    toBytes(places),
    toBytes(keys),
    toBytes(postings),
    metaBytes,
    ...bodies,
    ...(tail === undefined ? [] : [toBytes(Uint32Array.of(tail.length)), tail]),
  ], tailBytes);
  bytes.set(toBytes(Uint32Array.of(checksum, magic)), bytes.length - tailBytes);
  return bytes;
}

/** An open table; close it. Reading a damaged page throws TableDamage. */
export class RecordTable implements Disposable {
  readonly count: number;
  /** A fingerprint of the table's meta, for files that belong to it. */
  readonly stamp: number;
  readonly #path: string;
  readonly #source: PagedSource;
  readonly #keyCount: number;
  readonly #postingCount: number;
  readonly #keyPages = new Map<number, Uint8Array>();
  readonly #start: Record<"places" | "keys" | "ids" | "meta" | "bodies" | "tail", number>;
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
      tail: metaAt + metaBytes + head[5],
    };
    this.#keyCount = keys;
    this.#postingCount = ids;
  }

  /** What the owner of the table wrote about it. */
  readMeta(): unknown {
    return toJson(this.#read(this.#start.meta, this.#metaBytes));
  }

  /** The records that have a key, in order. */
  find(key: string): number[] {
    const entry = this.#findEntry(key);
    if (entry === undefined) return [];
    return Array.from(this.#readPostings(entry), (posting) => posting & idMask);
  }

  /** The records that have a key in their `counts`, in order. */
  findCounts(key: string): { id: number; count: number }[] {
    const entry = this.#findEntry(key);
    if (entry === undefined) return [];
    return Array.from(this.#readPostings(entry), (posting) => ({
      id: posting & idMask,
      count: posting >>> idBits,
    }));
  }

  /** How many records have a key. */
  countOf(key: string): number {
    return this.#findEntry(key)?.count ?? 0;
  }

  /** The record of that number. */
  read(id: number): unknown {
    const [from, to] = this.#readWords(this.#start.places + id * 4, 2);
    return toJson(this.#read(this.#start.bodies + from, to - from));
  }

  /** All records in order. */
  *readAll(): Generator<unknown> {
    const places = this.#readWords(this.#start.places, this.count + 1);
    const bodies = this.#read(this.#start.bodies, places[this.count]);
    for (let id = 0; id < this.count; id++) {
      yield toJson(bodies.subarray(places[id], places[id + 1]));
    }
  }

  /** All keys and their postings, as they were given to `encodeSorted`. */
  readSorted(): { keys: Uint32Array; postings: Uint32Array } {
    return {
      keys: this.#readWords(this.#start.keys, this.#keyCount * entryWords),
      postings: this.#readWords(this.#start.ids, this.#postingCount),
    };
  }

  /** What stands behind the records, or undefined when nothing does. */
  readTail(): Uint8Array | undefined {
    // Where there is no tail there are zeros up to the end of the page, or the end.
    if (this.#start.tail + 4 > this.#source.size) return undefined;
    const length = new DataView(this.#read(this.#start.tail, 4).buffer).getUint32(0, true);
    return length === 0 ? undefined : this.#read(this.#start.tail + 4, length);
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

  #readPostings({ first, count }: { first: number; count: number }): Uint32Array {
    return this.#readWords(this.#start.ids + first * 4, count);
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
  if (reader === undefined || readWord(reader, 0) === oldMagic) return undefined;
  const table = new RecordTable(orDamage(path, () => openPages(reader, path)), path);
  opened.move();
  return table;
}

function openPages(reader: FileReader, path: string): PagedSource {
  const bytes = reader.size - tailBytes;
  if (bytes <= 0 || readWord(reader, bytes + 4) !== magic) {
    throw new IndexDamage(`${path} has no proper end`);
  }
  const pages: FileReader = {
    size: bytes,
    isCurrent: () => reader.isCurrent(),
    readAt: (offset, buffer) => reader.readAt(offset, buffer),
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
  return new PagedSource(pages, { label: path, bytes, checksum: readWord(reader, bytes) });
}

function orDamage<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof IndexDamage ? new TableDamage(path, { cause: error }) : error;
  }
}

function readWord(reader: FileReader, offset: number): number {
  const bytes = new Uint8Array(4);
  reader.readAt(offset, bytes);
  return new DataView(bytes.buffer).getUint32(0, true);
}

function toJson(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

function toBytes(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
