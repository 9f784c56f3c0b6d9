// A SQLite database as its last commit left it, read where it lies. Takes no lock, because a lock at
// the wrong moment keeps the owner from tidying up its own log; writes nothing. Instead of a lock
// there is a mark: when it is the same after reading as before, what was read belongs together. Over the
// pages of the file lie committed pages in its write-ahead log, or the pages that an unfinished transaction
// has put aside in its rollback journal: sqlite.org/fileformat2.html, sections 3 and 4.

import { isAbsent } from "../../../core/errors.ts";
import { readAt } from "./read_at.ts";

const magic = "SQLite format 3\0";
const headerBytes = 100;

/** One state of a database; dispose it to close its files. */
export class DatabaseImage implements Disposable {
  readonly #path: string;
  readonly #file: Deno.FsFile;
  readonly #mark: string;
  readonly #pageBytes: number = 512;
  readonly #log?: Deno.FsFile;
  readonly #overlay: Overlay = { offsets: new Map() };
  /** How large the database is, its log included. */
  readonly sizeBytes: number;

  /** Opens a database file; throws when it is none. */
  constructor(path: string) {
    this.#path = path;
    this.#mark = readMark(path);
    this.#file = Deno.openSync(path, { read: true });
    try {
      const { size } = this.#file.statSync();
      this.sizeBytes = size;
      if (size === 0) return;
      const header = new DataView(new ArrayBuffer(headerBytes));
      const found = readAt(this.#file, 0, new Uint8Array(header.buffer));
      if (found < headerBytes || textOf(header) !== magic) throw new Error("not a database");
      const said = header.getUint16(16);
      this.#pageBytes = said === 1 ? 65536 : said;
      if (said !== 1 && (said < 512 || (said & (said - 1)) !== 0)) {
        throw new Error("not a database: its page size is invalid");
      }
      const isWal = header.getUint8(18) === 2;
      const log = openPlain(`${path}${isWal ? "-wal" : "-journal"}`);
      if (log === undefined) return;
      this.#log = log;
      const readLog = (offset: number, bytes: Uint8Array): number => readAt(log, offset, bytes);
      this.#overlay = isWal
        ? readWal(readLog, this.#pageBytes)
        : readJournal(readLog, { pageBytes: this.#pageBytes, sizeBytes: log.statSync().size });
      this.sizeBytes = (this.#overlay.pageCount ?? size / this.#pageBytes) * this.#pageBytes;
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
    this.#log?.close();
  }

  /** Whether all that was read so far belongs to one state of the database. */
  isUnchanged(): boolean {
    return readMark(this.#path) === this.#mark;
  }

  /** Reads bytes at an offset; returns how many there are. */
  read(offset: number, into: Uint8Array): number {
    const wanted = Math.max(0, Math.min(into.length, this.sizeBytes - offset));
    let done = 0;
    while (done < wanted) {
      const at = offset + done;
      const inPage = at % this.#pageBytes;
      const piece = into.subarray(done, Math.min(wanted, done + this.#pageBytes - inPage));
      const over = this.#overlay.offsets.get(Math.floor(at / this.#pageBytes) + 1);
      const found = over === undefined || this.#log === undefined
        ? readAt(this.#file, at, piece)
        : readAt(this.#log, over + inPage, piece);
      done += found;
      if (found < piece.length) break;
    }
    hideLog(offset, into.subarray(0, done));
    return done;
  }
}

/** The log is in the image already: SQLite must not look for it (bytes 18 and 19 of the header). */
function hideLog(offset: number, bytes: Uint8Array): void {
  for (const at of [18, 19]) {
    if (at >= offset && at < offset + bytes.length) bytes[at - offset] = 1;
  }
}

/**
 * Changes when pages that were read may have been written over: with every commit and every move of
 * the log into the database. What is only added to the end of a log does not matter.
 */
function readMark(path: string): string {
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

function findInfo(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Opens a file that may be missing; a pipe in its place would keep us waiting for ever. */
function openPlain(path: string): Deno.FsFile | undefined {
  return findInfo(path)?.isFile ? Deno.openSync(path, { read: true }) : undefined;
}

function textOf(header: DataView): string {
  return new TextDecoder("latin1").decode(new Uint8Array(header.buffer, 0, magic.length));
}

/** Pages whose current bytes are in another file than the database, and how many pages there are. */
interface Overlay {
  /** By page number, where its bytes begin. */
  offsets: Map<number, number>;
  pageCount?: number;
}

/** Reads some bytes at an offset; fewer where the file ends. */
type ReadLog = (offset: number, bytes: Uint8Array) => number;

const walHeaderBytes = 32;
const frameHeaderBytes = 24;
const journalMagic = 0xd9d505f920a163d7n;

/** The committed pages of a write-ahead log: up to the last commit whose checksums hold. */
function readWal(readLog: ReadLog, pageBytes: number): Overlay {
  const overlay: Overlay = { offsets: new Map() };
  const header = new DataView(new ArrayBuffer(walHeaderBytes));
  if (readLog(0, new Uint8Array(header.buffer)) < walHeaderBytes) return overlay;
  const magic = header.getUint32(0);
  if ((magic & ~1) !== 0x377f0682 || header.getUint32(8) !== pageBytes) return overlay;
  const little = (magic & 1) === 0;
  let sums = addChecksum([0, 0], header, { from: 0, to: 24, little });
  if (sums[0] !== header.getUint32(24) || sums[1] !== header.getUint32(28)) return overlay;
  const frame = new DataView(new ArrayBuffer(frameHeaderBytes + pageBytes));
  const bytes = new Uint8Array(frame.buffer);
  let waiting = new Map<number, number>();
  for (let at = walHeaderBytes; readLog(at, bytes) === bytes.length; at += bytes.length) {
    if (frame.getUint32(8) !== header.getUint32(16)) break;
    if (frame.getUint32(12) !== header.getUint32(20)) break;
    sums = addChecksum(sums, frame, { from: 0, to: 8, little });
    sums = addChecksum(sums, frame, { from: frameHeaderBytes, to: bytes.length, little });
    if (sums[0] !== frame.getUint32(16) || sums[1] !== frame.getUint32(20)) break;
    waiting.set(frame.getUint32(0), at + frameHeaderBytes);
    const pageCount = frame.getUint32(4);
    if (pageCount === 0) continue;
    for (const [page, offset] of waiting) overlay.offsets.set(page, offset);
    overlay.pageCount = pageCount;
    waiting = new Map();
  }
  return overlay;
}

/** The pages as they were before the transaction that a rollback journal belongs to. */
function readJournal(
  readLog: ReadLog,
  options: { pageBytes: number; sizeBytes: number },
): Overlay {
  const { pageBytes, sizeBytes } = options;
  const overlay: Overlay = { offsets: new Map() };
  const record = new DataView(new ArrayBuffer(pageBytes + 8));
  const bytes = new Uint8Array(record.buffer);
  const header = new DataView(new ArrayBuffer(28));
  for (let at = 0; readLog(at, new Uint8Array(header.buffer)) === 28;) {
    if (header.getBigUint64(0) !== journalMagic || header.getUint32(24) !== pageBytes) break;
    overlay.pageCount ??= header.getUint32(16);
    const sectorBytes = Math.max(512, header.getUint32(20));
    const said = header.getUint32(8);
    at += sectorBytes;
    const count = said === 0xffffffff ? Math.floor((sizeBytes - at) / bytes.length) : said;
    for (let i = 0; i < count; i++, at += bytes.length) {
      if (readLog(at, bytes) < bytes.length) return overlay;
      const page = record.getUint32(0);
      if (recordSum(bytes, header.getUint32(12)) !== record.getUint32(pageBytes + 4)) {
        return overlay;
      }
      // The first copy is the oldest: that is the one from before the transaction.
      if (!overlay.offsets.has(page)) overlay.offsets.set(page, at + 4);
    }
    at = Math.ceil(at / sectorBytes) * sectorBytes;
  }
  return overlay;
}

function addChecksum(
  sums: [number, number],
  data: DataView,
  span: { from: number; to: number; little: boolean },
): [number, number] {
  let [a, b] = sums;
  for (let at = span.from; at < span.to; at += 8) {
    a = (a + data.getUint32(at, span.little) + b) >>> 0;
    b = (b + data.getUint32(at + 4, span.little) + a) >>> 0;
  }
  return [a, b];
}

/** The sum of a journal's record: its nonce and every 200th byte of the page, from its end. */
function recordSum(record: Uint8Array, nonce: number): number {
  let sum = nonce;
  for (let i = record.length - 8 - 200; i > 0; i -= 200) sum = (sum + record[4 + i]) >>> 0;
  return sum;
}
