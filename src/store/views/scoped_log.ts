// The lines of an append-only file that belong to one session, kept in memory and brought up to the
// file as it grows. Reads only; a file that was replaced (gc) is read again from its start.

import { type Entry, type OwnPool, ownPools, tombstoneType } from "../../core/entry.ts";
import { encodeExact } from "../../core/utf8.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { findTailOf, fingerprintOf, readLines } from "../../disk/lines.ts";
import { parseLine } from "../row.ts";
import type { LogCount } from "../state.ts";

/** One log, filtered line by line. */
export class ScopedLog {
  readonly #cursor: Cursor;
  readonly #kept = new ByteBuffer();
  readonly #keep: (bytes: Uint8Array) => boolean;

  constructor(
    files: Files,
    path: string,
    options: { needle: string; keep: (bytes: Uint8Array) => boolean },
  ) {
    this.#cursor = new Cursor(files, path, [options.needle]);
    this.#keep = options.keep;
  }

  /** The lines as they are now; undefined when there are none, whether or not the file exists. */
  read(): Uint8Array | undefined {
    const lines = this.#cursor.advance(() => this.#kept.clear());
    for (const line of lines ?? []) if (this.#keep(line)) this.#kept.addLine(line);
    return this.#kept.length === 0 ? undefined : this.#kept.bytes();
  }
}

/** Both pools of history, filtered row by row; tombstones name only ids of the session. */
export class ScopedHistory {
  readonly #layout: Layout;
  readonly #sessionId: string;
  readonly #ids = new Set<string>();
  readonly #logs: Record<OwnPool, { cursor: Cursor; kept: ByteBuffer; count: LogCount }>;

  constructor(files: Files, layout: Layout, sessionId: string) {
    this.#layout = layout;
    this.#sessionId = sessionId;
    const needles = [JSON.stringify(sessionId), `"type":"${tombstoneType}"`];
    const open = (pool: OwnPool) => ({
      cursor: new Cursor(files, layout.history[pool], needles),
      kept: new ByteBuffer(),
      count: { bytes: 0, rows: 0, tombstones: 0 },
    });
    this.#logs = { archive: open("archive"), hot: open("hot") };
  }

  /** The pool a path is the log of, if it is one. */
  poolOf(path: string): OwnPool | undefined {
    return ownPools.find((pool) => this.#layout.history[pool] === path);
  }

  /** The rows of a pool as they are now; an archive without any does not exist. */
  read(pool: OwnPool): Uint8Array | undefined {
    this.#advance();
    const { kept } = this.#logs[pool];
    return pool === "archive" && kept.length === 0 ? undefined : kept.bytes();
  }

  owns(id: string): boolean {
    if (!this.#ids.has(id)) this.#advance();
    return this.#ids.has(id);
  }

  /** Tells of an entry that is about to be written, so that later rows may refer to it. */
  expect(id: string): void {
    this.#ids.add(id);
  }

  /** What the state would say of the logs. */
  counts(): Record<OwnPool, LogCount> {
    this.#advance();
    return { archive: { ...this.#logs.archive.count }, hot: { ...this.#logs.hot.count } };
  }

  /** Reads what is new in both pools: first all entries, then the tombstones that name them. */
  #advance(): void {
    const fresh: { pool: OwnPool; entry: Entry; bytes?: Uint8Array }[] = [];
    for (const pool of ownPools) {
      const log = this.#logs[pool];
      const lines = log.cursor.advance(() => this.#reset(pool));
      for (const line of lines ?? []) {
        const { entries, damage } = parseLine(line);
        for (const entry of entries) {
          const tombstone = entry.type === tombstoneType;
          if (!tombstone && entry.session_id !== this.#sessionId) continue;
          if (!tombstone) this.#ids.add(entry.id);
          const whole = damage === undefined && !tombstone;
          fresh.push({ pool, entry, ...(whole ? { bytes: line } : {}) });
        }
      }
    }
    for (const { pool, entry, bytes } of fresh) this.#add(pool, entry, bytes);
  }

  #add(pool: OwnPool, entry: Entry, bytes: Uint8Array | undefined): void {
    const { kept, count } = this.#logs[pool];
    let row = entry;
    if (entry.type === tombstoneType) {
      const refs = (entry.refs ?? []).filter((id) => this.#ids.has(id));
      if (refs.length === 0) return;
      row = { id: entry.id, ts: entry.ts, role: entry.role, type: entry.type, text: "", refs };
      count.tombstones++;
    }
    kept.addLine(bytes ?? encodeExact(JSON.stringify(row)));
    count.rows++;
    count.bytes = kept.length;
  }

  /** Ids stay known: a row moves between pools, and an id is never used again for another entry. */
  #reset(pool: OwnPool): void {
    this.#logs[pool].kept.clear();
    Object.assign(this.#logs[pool].count, { bytes: 0, rows: 0, tombstones: 0 });
  }
}

/** How far a file was read, and whether it is still the same file. */
class Cursor {
  readonly #files: Files;
  readonly #path: string;
  readonly #needles: string[];
  #offset = 0;
  /** The fingerprint of the file at the offset. */
  #tail: string | undefined = "";

  constructor(files: Files, path: string, needles: string[]) {
    this.#files = files;
    this.#path = path;
    this.#needles = needles;
  }

  /** The matching whole lines since the last call; undefined when there is no file. */
  advance(onReplaced: () => void): Uint8Array[] | undefined {
    using reader = this.#files.openReader(this.#path);
    if (reader === undefined) {
      if (this.#offset > 0) this.#restart(onReplaced);
      return undefined;
    }
    if (fingerprintOf(reader, this.#offset) !== this.#tail) this.#restart(onReplaced);
    if (reader.size === this.#offset) return [];
    const end = findTailOf(reader)?.offset ?? reader.size;
    const range = { from: this.#offset, to: end, needles: this.#needles };
    const lines = readLines(this.#files, this.#path, range).map(({ bytes }) => bytes.slice());
    const found = lines.toArray();
    this.#offset = end;
    this.#tail = fingerprintOf(reader, end);
    return found;
  }

  #restart(onReplaced: () => void): void {
    this.#offset = 0;
    this.#tail = "";
    onReplaced();
  }
}

class ByteBuffer {
  #bytes = new Uint8Array(1024);
  length = 0;

  addLine(line: Uint8Array): void {
    const needed = this.length + line.length + 1;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.length));
      this.#bytes = larger;
    }
    this.#bytes.set(line, this.length);
    this.#bytes[needed - 1] = 10;
    this.length = needed;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  /** Starts anew; bytes handed out before stay as they are. */
  clear(): void {
    this.#bytes = new Uint8Array(1024);
    this.length = 0;
  }
}
