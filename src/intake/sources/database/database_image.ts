// A SQLite database as its last commit left it, read where it lies. Takes no lock, because a lock at
// the wrong moment keeps the owner from tidying up its own log; writes nothing. Instead of a lock
// there is a mark: when it is the same after reading as before, what was read belongs together.

import { isAbsent } from "../../../core/errors.ts";
import { type Overlay, readJournal, readWal } from "./database_overlay.ts";
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
      if (found < headerBytes || textOf(header) !== magic) throw new Error("it is no database");
      const said = header.getUint16(16);
      this.#pageBytes = said === 1 ? 65536 : said;
      if (said !== 1 && (said < 512 || (said & (said - 1)) !== 0)) {
        throw new Error("it is no database: its page size is impossible");
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
