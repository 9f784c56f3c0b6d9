// A file of another program as SQLite sees it: read where it lies, without a lock, because a lock at the
// wrong moment keeps the owner from tidying up its own log. What SQLite writes, such as the pages of an
// unfinished transaction that it rolls back, stays in memory.

import { findInfo } from "../../../disk/outside_files.ts";
import { readAt } from "./read_at.ts";

const sectorBytes = 4096;

/** An open file; dispose it to close it. Without a file of its own it begins empty. */
export class PrivateFile implements Disposable {
  readonly #file?: Deno.FsFile;
  readonly #written = new Map<number, Uint8Array>();
  /** Up to here the bytes on disk count, where nothing is written over them. */
  #fromFile: number;
  #size: number;

  constructor(file?: Deno.FsFile) {
    this.#file = file;
    this.#fromFile = file?.statSync().size ?? 0;
    this.#size = this.#fromFile;
  }

  get size(): number {
    return this.#size;
  }

  [Symbol.dispose](): void {
    this.#file?.close();
  }

  /** Reads bytes at an offset; returns how many there are. */
  read(offset: number, into: Uint8Array): number {
    const wanted = into.subarray(0, Math.max(0, Math.min(into.length, this.#size - offset)));
    const onDisk = wanted.subarray(0, Math.max(0, this.#fromFile - offset));
    const found = this.#file === undefined ? 0 : readAt(this.#file, offset, onDisk);
    if (this.#written.size === 0 && this.#size <= this.#fromFile) return found;
    wanted.fill(0, found);
    for (const [at, from, to] of sectorsOf(offset, wanted.length)) {
      const sector = this.#written.get(at);
      if (sector) wanted.set(sector.subarray(from - at, to - at), from - offset);
    }
    return wanted.length;
  }

  /** Writes over the file, in memory. */
  write(offset: number, bytes: Uint8Array): void {
    for (const [at, from, to] of sectorsOf(offset, bytes.length)) {
      const sector = this.#written.get(at) ?? new Uint8Array(sectorBytes);
      if (!this.#written.has(at)) this.read(at, sector);
      sector.set(bytes.subarray(from - offset, to - offset), from - at);
      this.#written.set(at, sector);
    }
    this.#size = Math.max(this.#size, offset + bytes.length);
  }

  /** Sets the size. What is cut off does not come back: a file that grows again has zeros there. */
  truncate(size: number): void {
    for (const [at, sector] of this.#written) {
      if (at >= size) this.#written.delete(at);
      else if (at + sectorBytes > size) sector.fill(0, size - at);
    }
    this.#fromFile = Math.min(this.#fromFile, size);
    this.#size = size;
  }
}

/** The sectors that a range of bytes touches: where each begins, and the part of the range in it. */
function* sectorsOf(offset: number, length: number): Generator<[number, number, number]> {
  const end = offset + length;
  for (let at = offset - offset % sectorBytes; at < end; at += sectorBytes) {
    yield [at, Math.max(at, offset), Math.min(at + sectorBytes, end)];
  }
}

/** Opens a file that may be missing; a pipe in its place would keep us waiting for ever. */
export function openPlain(path: string): Deno.FsFile | undefined {
  return findInfo(path)?.isFile ? Deno.openSync(path, { read: true }) : undefined;
}

/**
 * A mark that changes when pages that were read may have been written over: with every commit and every
 * move of the log into the database. When it is the same after reading as before, what was read belongs
 * together. What is only added to the end of a log does not matter.
 */
export function readMark(path: string): string {
  const info = findInfo(path);
  const journal = findInfo(`${path}-journal`);
  return [
    `${info?.dev}:${info?.ino}:${info?.size}:${info?.mtime?.getTime()}`,
    headOf(path, 24, 4),
    `${journal?.ino}:${journal?.size}:${journal?.mtime?.getTime()}`,
    headOf(`${path}-wal`, 0, 32),
  ].join("/");
}

function headOf(path: string, offset: number, length: number): string {
  using file = openPlain(path);
  if (file === undefined) return "-";
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, readAt(file, offset, bytes)).join();
}
