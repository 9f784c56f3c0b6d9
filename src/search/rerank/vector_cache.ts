// `index/rerank.bin`: vectors of rows that were once among the best of a search, so that the next one
// need not wait for them. Derived from the text of entries: whatever erases text removes `index/`, and
// a vector is only added to the very file that was there before its text was read, under the store's
// lock, so that none comes back. A damaged record is passed over and made anew.

import { checksum } from "../../core/checksum.ts";
import { hash64 } from "../../core/hash.ts";
import { concat } from "../../core/utf8.ts";
import type { FileReader } from "../../disk/files.ts";
import { tryTakeLock } from "../../disk/lock.ts";
import type { Store } from "../../store/store.ts";
import { cosine, quantize, type Quantized } from "../../index/vectors/vector_format.ts";
import { modelSha256 } from "./model_file.ts";

/** The name of the file, relative to `index/`. */
export const rerankName = "rerank.bin";

/** "CTXRR", the version of records and of what is embedded, then the first bytes of the model's hash. */
const head: Uint8Array = Uint8Array.from([
  ...new TextEncoder().encode("CTXRR001"),
  ...Uint8Array.fromHex(modelSha256.slice(0, 16)),
]);
const dimensions = 384;
const normAt = 20;
const valuesAt = 24;
/** Checksum of the rest, hash of the id, hash of the text, length, int8 values. */
const recordBytes = valuesAt + dimensions;
const readRecords = 2048;

/** A row and what of it was embedded. */
export interface CachedRow {
  id: string;
  text: string;
}

/** The vectors of one store; dispose of it. */
export class VectorCache implements Disposable {
  readonly #place: Pick<Store, "files" | "layout">;
  readonly #maxBytes: number;
  readonly #offsets = new Map<string, number>();
  #reader?: FileReader;
  #readTo = 0;

  constructor(place: Pick<Store, "files" | "layout">, options: { maxBytes: number }) {
    this.#place = place;
    this.#maxBytes = Math.max(options.maxBytes, head.length + 64 * recordBytes);
  }

  /**
   * Looks at the file as it is now and makes an empty one where there is none. Call it before the rows
   * of a search are read. False when there is no file to use: the lock is taken, or nothing can be
   * written here.
   */
  refresh(): boolean {
    if (this.#reader && !this.#reader.isCurrent()) this[Symbol.dispose]();
    try {
      this.#reader ??= this.#open() ?? this.#create();
    } catch {
      return false;
    }
    if (this.#reader === undefined) return false;
    this.#readOn(this.#reader);
    return true;
  }

  /** Whether a row has its vector. */
  has(row: CachedRow): boolean {
    return this.#offsets.has(keyOf(row));
  }

  /** The cosine of a row with a query. */
  find(row: CachedRow, query: Quantized): number | undefined {
    const offset = this.#offsets.get(keyOf(row));
    if (offset === undefined) return undefined;
    const record = new Uint8Array(recordBytes);
    if (this.#reader?.readAt(offset, record) !== recordBytes || !isSound(record)) {
      this.#offsets.delete(keyOf(row));
      return undefined;
    }
    const values = new Int8Array(record.buffer, valuesAt);
    let dot = 0;
    for (let i = 0; i < dimensions; i++) dot += values[i] * query.values[i];
    return cosine(dot, query.norm, new DataView(record.buffer).getFloat32(normAt, true));
  }

  /**
   * Keeps some vectors. False when the lock is taken: try again. They are dropped when the file is no
   * longer the one that was there before.
   */
  add(rows: readonly (CachedRow & { vector: Float32Array })[]): boolean {
    const { files, layout } = this.#place;
    using lock = tryTakeLock(layout.lock, holder());
    if (lock === undefined) return false;
    if (this.#reader?.isCurrent() !== true) return true;
    const records = rows.map(toRecord);
    const size = files.findSize(this.#path) ?? 0;
    const room = Math.floor((this.#maxBytes - head.length) / recordBytes);
    const isWhole = (size - head.length) % recordBytes === 0;
    if (isWhole && (size - head.length) / recordBytes + records.length <= room) {
      files.append(this.#path, concat(records), { sync: false });
    } else {
      // The oldest half goes, and half a record that a full disk may have left.
      const kept = this.#readNewest(this.#reader, Math.floor(room / 2));
      files.replace(this.#path, concat([head, ...kept, ...records]), { sync: false });
    }
    return true;
  }

  [Symbol.dispose](): void {
    this.#reader?.[Symbol.dispose]();
    this.#reader = undefined;
    this.#offsets.clear();
    this.#readTo = 0;
  }

  get #path(): string {
    return `${this.#place.layout.index}/${rerankName}`;
  }

  #open(): FileReader | undefined {
    const reader = this.#place.files.openReader(this.#path);
    if (reader === undefined) return undefined;
    const start = new Uint8Array(head.length);
    reader.readAt(0, start);
    if (start.every((byte, i) => byte === head[i])) return reader;
    reader[Symbol.dispose]();
    return undefined;
  }

  #create(): FileReader | undefined {
    const { files, layout } = this.#place;
    using lock = tryTakeLock(layout.lock, holder());
    if (lock === undefined) return undefined;
    files.makeDirectory(layout.index);
    files.replace(this.#path, head, { sync: false });
    return this.#open();
  }

  /** Takes over the places of what was added since. */
  #readOn(reader: FileReader): void {
    if (this.#readTo === 0) this.#readTo = head.length;
    const block = new Uint8Array(readRecords * recordBytes);
    while (true) {
      const count = Math.floor(reader.readAt(this.#readTo, block) / recordBytes);
      for (let i = 0; i < count; i++) {
        const record = block.subarray(i * recordBytes, (i + 1) * recordBytes);
        if (isSound(record)) this.#offsets.set(keyIn(record), this.#readTo + i * recordBytes);
      }
      this.#readTo += count * recordBytes;
      if (count < readRecords) return;
    }
  }

  #readNewest(reader: FileReader, count: number): Uint8Array[] {
    this.#readOn(reader);
    return [...this.#offsets.values()].sort((a, b) => a - b).slice(-count).map((offset) => {
      const record = new Uint8Array(recordBytes);
      reader.readAt(offset, record);
      return record;
    }).filter(isSound);
  }
}

function holder(): { pid: number; command: string; since: string } {
  return { pid: Deno.pid, command: "rerank", since: new Date().toISOString() };
}

function keyOf({ id, text }: CachedRow): string {
  return [...hash64(id), ...hash64(text)].join();
}

function keyIn(record: Uint8Array): string {
  const view = new DataView(record.buffer, record.byteOffset);
  return [4, 8, 12, 16].map((at) => view.getUint32(at, true)).join();
}

function toRecord({ id, text, vector }: CachedRow & { vector: Float32Array }): Uint8Array {
  const record = new Uint8Array(recordBytes);
  const view = new DataView(record.buffer);
  [...hash64(id), ...hash64(text)].forEach((word, i) => view.setUint32(4 + 4 * i, word, true));
  const { values, norm } = quantize(vector);
  view.setFloat32(normAt, norm, true);
  record.set(new Uint8Array(values.buffer, 0, dimensions), valuesAt);
  view.setUint32(0, checksum(record.subarray(4)), true);
  return record;
}

function isSound(record: Uint8Array): boolean {
  const view = new DataView(record.buffer, record.byteOffset);
  return view.getUint32(0, true) === checksum(record.subarray(4));
}
