// Where a segment's bytes come from: memory, or a file read by position. File bytes are checked
// page by page on the way in, so that a damaged index is noticed before it can answer anything.

import type { FileReader } from "./files.ts";
import { checkBlock, maxPages, wholeChecksum } from "./page_checksums.ts";

/** Bytes by position; dispose of them. Views may be shared: do not write into them. */
export interface ByteSource extends Disposable {
  read(offset: number, length: number): Uint8Array;
  /** Fills a buffer with the bytes from an offset on. */
  readInto(offset: number, target: Uint8Array): void;
}

/** An index file that cannot be trusted. It is bypassed and rebuilt, never a failure of a search. */
export class IndexDamage extends Error {
  override readonly name: string = "IndexDamage";

  /** By its name: what a prompt's hook loads has this class twice (build/merge_chunks.ts). */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && /^(?:IndexDamage|RowAltered)$/.test(value.name);
  }
}

/** Checked pages have this many bytes. */
export const pageBytes = 4096;

/** Bytes in memory; made by this process, so not checked. */
export class MemorySource implements ByteSource {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(offset: number, length: number): Uint8Array {
    return this.#bytes.subarray(offset, offset + length);
  }

  readInto(offset: number, target: Uint8Array): void {
    target.set(this.read(offset, target.length));
  }

  [Symbol.dispose](): void {}
}

/** A file of whole pages followed by a table with the checksum of each. */
export class PagedSource implements ByteSource {
  readonly #file: FileReader;
  readonly #table: Uint32Array;
  readonly #label: string;

  constructor(file: FileReader, expected: { label: string; bytes: number; checksum: number }) {
    this.#file = file;
    this.#label = expected.label;
    const pages = Math.floor(expected.bytes / (pageBytes + 4));
    if (file.size !== expected.bytes || pages * (pageBytes + 4) !== expected.bytes) {
      throw new IndexDamage(`${expected.label} has ${file.size} bytes, not ${expected.bytes}`);
    }
    const table = new Uint8Array(pages * 4);
    file.readAt(pages * pageBytes, table);
    if (wholeChecksum(table) !== expected.checksum) {
      throw new IndexDamage(`${expected.label} has a damaged page table`);
    }
    this.#table = new Uint32Array(table.buffer);
  }

  get size(): number {
    return this.#table.length * pageBytes;
  }

  /** A copy of checked bytes, alone in its buffer. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    this.#checkRange(offset, length);
    const wanted = new Uint8Array(length);
    this.readInto(offset, wanted);
    return wanted;
  }

  readInto(offset: number, target: Uint8Array): void {
    const { length } = target;
    if (length === 0) return;
    this.#checkRange(offset, length);
    const first = Math.floor(offset / pageBytes);
    const last = Math.floor((offset + length - 1) / pageBytes);
    for (let page = first; page <= last; page += maxPages) {
      const pages = this.#readChecked(page, Math.min(maxPages, last - page + 1));
      const start = page * pageBytes - offset;
      const inside = pages.subarray(Math.max(0, -start), length - start);
      target.set(inside, Math.max(0, start));
    }
  }

  #checkRange(offset: number, length: number): void {
    if (offset < 0 || length < 0 || offset + length > this.size) {
      throw new IndexDamage(`${this.#label} points outside itself`);
    }
  }

  /** Throws IndexDamage unless every page is what the table says. */
  verify(): void {
    for (let page = 0; page < this.#table.length; page += maxPages) {
      const count = Math.min(maxPages, this.#table.length - page);
      this.#readChecked(page, count);
    }
  }

  /** Up to `maxPages` pages, until the next ones are read. */
  #readChecked(first: number, count: number): Uint8Array {
    const { bytes, sound } = checkBlock(
      pageBytes,
      this.sums(first, count),
      (target) => this.readPages(first, target),
    );
    if (sound < count) this.rejectPage(first + sound);
    return bytes;
  }

  /** Fills a buffer with whole pages, unchecked: the caller compares with `sums`. */
  readPages(first: number, target: Uint8Array): void {
    const outside = first * pageBytes + target.length > this.size;
    if (outside || this.#file.readAt(first * pageBytes, target) < target.length) {
      throw new IndexDamage(`${this.#label} ends too early`);
    }
  }

  /** The checksums that some pages must have. */
  sums(first: number, count: number): Uint32Array {
    return this.#table.subarray(first, first + count);
  }

  /** A page has another checksum. */
  rejectPage(page: number): never {
    throw new IndexDamage(`${this.#label} is damaged at byte ${page * pageBytes}`);
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}
