// Holds the index against its own checksums and against the logs, byte by byte. Reads only; what is
// wrong with it never makes an answer wrong (search leaves it out), so everything here is a warning.

import { type Pool, pools, tombstoneType } from "../core/entry.ts";
import { type Check, check } from "../store/lifecycle/inspect.ts";
import { countUncovered } from "../store/index_lag.ts";
import { edgesOf, logNameOf } from "../store/log_files.ts";
import { Forgotten, tombstoneNeedle } from "../store/snapshot.ts";
import type { Row, Store } from "../store/store.ts";
import { IndexDamage } from "../disk/byte_source.ts";
import { LogReader } from "./log_reader.ts";
import {
  coveredBytes,
  fromGaps,
  type ManifestFault,
  type ManifestReading,
  readManifest,
  type SegmentRecord,
} from "./manifest.ts";
import { openIndexFile, openSealed, soundSegments } from "./sealed.ts";
import type { Segment } from "./segment/segment.ts";
import { idHashOf, lineSum } from "./segment/segment_format.ts";
import { VectorColumn } from "./vectors/vector_column.ts";

/** Every search reads what comes after the last segment; with more than this it becomes slow. */
const longTailBytes = 16 << 20;

/** What can be wrong, the worst first, with how it is said. */
type Fault = { kind: "damaged" | "stale"; detail: string };

/** Where a pool's rows are compared with its segments. */
interface Cursor {
  records: SegmentRecord[];
  /** The segment being compared, and how many of its rows were met. */
  open?: { record: SegmentRecord; segment: Segment; dead: ReadonlySet<number>; row: number };
  /** Set when something did not fit: nothing after it is compared. */
  lost: boolean;
}

/** Looks at the index while the rows of the store go by; dispose of it. */
export class IndexInspector implements Disposable {
  readonly #store: Store;
  readonly #read: ManifestReading;
  readonly #cursors: Record<Pool, Cursor>;
  readonly #forgotten = new Forgotten();
  #fault?: Fault;
  #moved?: string;
  /** Why rows were not compared, where they were not. */
  #uncompared?: string;
  /** How many rows are in their places with other bytes, and the first of them. */
  readonly #altered: { rows: number; first?: string } = { rows: 0 };

  constructor(store: Store) {
    this.#store = store;
    this.#read = readManifest(store.files, store.layout);
    const segments = "manifest" in this.#read ? this.#read.manifest.segments : [];
    const sound = this.#soundOf(segments);
    const cursorOf = (pool: Pool): Cursor => ({
      records: sound.filter((record) => record.pool === pool),
      lost: false,
    });
    this.#cursors = { archive: cursorOf("archive"), hot: cursorOf("hot"), team: cursorOf("team") };
    this.#checkFiles(segments);
    // Of a rewritten log nothing is known but its rows.
    if (sound.length < segments.length) return;
    const covered = coveredBytes(sound);
    for (const row of store.rows({ needles: [tombstoneNeedle], to: covered })) {
      if (row.entry.type === tombstoneType) this.#forgotten.add(row);
    }
  }

  see(row: Row): void {
    const cursor = this.#cursors[row.pool];
    if (cursor.lost) return;
    try {
      this.#compare(cursor, row);
    } catch (error) {
      if (!(error instanceof IndexDamage)) throw error;
      cursor.lost = true;
      this.#note("damaged", error.message);
    }
  }

  /** What was found, once all rows have gone by. */
  finish(): Check[] {
    for (const pool of pools) {
      const cursor = this.#cursors[pool];
      if (!cursor.lost) this.#endSegments(cursor, Infinity);
    }
    this.#noteAltered();
    const now = readManifest(this.#store.files, this.#store.layout);
    if (now.text !== this.#read.text) {
      const detail = "the index was changed by another process during this check";
      return [check("index", "ok", detail, 6), check("rows", "ok", detail, 1)];
    }
    return [this.#toIndexCheck(), this.#toRowsCheck()];
  }

  [Symbol.dispose](): void {
    for (const pool of pools) this.#cursors[pool].open?.segment[Symbol.dispose]();
  }

  #toRowsCheck(): Check {
    if (this.#moved !== undefined) return check("rows", "warning", this.#moved, 1, true);
    // By ctx itself, as a rule: then the state knows it, and `logs` is sound.
    if (this.#uncompared !== undefined) return check("rows", "ok", this.#uncompared, 1);
    return check("rows", "ok", "every indexed row is unchanged", 1);
  }

  #toIndexCheck(): Check {
    const read = this.#read;
    const unreadable = this.#store.findUnreadable();
    if (unreadable !== undefined) {
      const detail = `"${unreadable}" cannot be read: move it away; search works without the index`;
      return check("index", "warning", detail, 6);
    }
    if ("fault" in read && read.fault !== "missing") {
      return check("index", "warning", faults[read.fault], 6, read.fault !== "newer");
    }
    const { files, layout } = this.#store;
    const lag = this.#lag();
    if ("fault" in read) {
      if (files.listTree(layout.root).includes(layout.index)) {
        const detail = `index is a file, not a directory: move "${layout.index}" away; ` +
          "search works without it";
        return check("index", "warning", detail, 6);
      }
      if (files.list(layout.index).some((name) => /\.(seg|vec)$/.test(name))) {
        return check("index", "warning", "index/ has segments but no manifest", 6, true);
      }
      if (lag <= longTailBytes) {
        return check("index", "ok", "no index yet; it is built when needed", 6);
      }
      return check("index", "warning", `no index: every search reads ${lag} bytes`, 6, true);
    }
    if (this.#fault) return check("index", "warning", this.#fault.detail, 6, true);
    if (lag > longTailBytes) {
      return check("index", "warning", `the index is ${lag} bytes behind the logs`, 6, true);
    }
    const { segments } = read.manifest;
    const rows = segments.reduce((sum, segment) => sum + segment.rows, 0);
    const vectors = segments.length > 0 && segments.every((segment) => segment.vectors)
      ? "with vectors"
      : "without vectors";
    const detail = `${rows} rows in ${segments.length} segments, ${vectors}, ${lag} bytes behind`;
    return check("index", "ok", detail, 6);
  }

  #lag(): number {
    const segments = "manifest" in this.#read ? this.#read.manifest.segments : [];
    return countUncovered(this.#store, coveredBytes(segments));
  }

  /** The segments whose log still begins and ends as it did. */
  #soundOf(segments: SegmentRecord[]): SegmentRecord[] {
    using log = new LogReader(this.#store);
    const sound = soundSegments(log, segments);
    const changed = segments.find((segment) => edgesOf(log, segment) !== segment.edges);
    if (changed !== undefined) {
      const { pool, from, to } = changed;
      const where = `${this.#nameOf(pool)}, bytes ${from} to ${to}`;
      this.#uncompared = `the logs were rewritten since they were indexed (${where})`;
      this.#note("stale", this.#uncompared);
    }
    return sound;
  }

  /** Every page of every file against its checksum. */
  #checkFiles(segments: SegmentRecord[]): void {
    for (const record of segments) {
      try {
        verifyFile(this.#store, record);
        if (record.vectors === undefined) continue;
        verifyFile(this.#store, record.vectors);
        using _column = new VectorColumn(openIndexFile(this.#store, record.vectors), record.rows);
      } catch (error) {
        if (!(error instanceof IndexDamage)) throw error;
        this.#note("damaged", error.message);
        this.#cursors[record.pool].lost = true;
      }
    }
  }

  #compare(cursor: Cursor, row: Row): void {
    this.#endSegments(cursor, row.offset);
    if (cursor.lost) return;
    const open = cursor.open ??= this.#openNext(cursor);
    if (open === undefined) return;
    const { segment, record } = open;
    const next = open.row < segment.rows ? segment.place(open.row).offset : Infinity;
    // Merging left rows out that were forgotten, or were there twice.
    if (record.purged && next > row.offset) return;
    if (next !== row.offset || segment.idHash(open.row) !== idHashOf(row.entry.id)) {
      this.#lose(cursor, `the ${row.pool} log no longer matches the index at byte ${row.offset}`);
      return;
    }
    if (segment.sum(open.row) !== lineSum(row)) this.#addAltered(row);
    const isHidden = open.dead.has(open.row) || row.entry.type === tombstoneType;
    if (this.#forgotten.hides(row) && !isHidden) {
      this.#note("damaged", `${record.name} shows a forgotten entry: ${row.entry.id}`);
    }
    open.row++;
  }

  /** Goes on to the segment that covers an offset; those before it must have met all their rows. */
  #endSegments(cursor: Cursor, offset: number): void {
    while (!cursor.lost) {
      const open = cursor.open ??= this.#openNext(cursor);
      if (open === undefined || offset < open.record.to) return;
      const { segment, record, row } = open;
      cursor.open = undefined;
      segment[Symbol.dispose]();
      if (row === segment.rows) continue;
      this.#lose(cursor, `the ${record.pool} log lacks rows that were indexed before ${record.to}`);
    }
  }

  #openNext(cursor: Cursor): Cursor["open"] {
    const record = cursor.records.shift();
    if (record === undefined) return undefined;
    const segment = openSealed(this.#store, record, { resident: false });
    return { record, segment, dead: fromGaps(record.dead), row: 0 };
  }

  #lose(cursor: Cursor, detail: string): void {
    cursor.lost = true;
    this.#moved ??= detail;
    this.#note("stale", detail);
  }

  /** The row is read as it stands now, but found and ranked by what it said before. */
  #addAltered({ entry, pool, offset }: Row): void {
    this.#altered.rows++;
    this.#altered.first ??= `${entry.id} at byte ${offset} of ${this.#nameOf(pool)}`;
  }

  #nameOf(pool: Pool): string {
    return logNameOf(this.#store.layout, pool);
  }

  #noteAltered(): void {
    const { rows, first } = this.#altered;
    if (rows === 0) return;
    const detail = rows === 1
      ? `a row was edited after it was indexed: ${first}`
      : `${rows} rows were edited after they were indexed; the first is ${first}`;
    this.#moved ??= `${detail}; if you made this change on purpose, run: ctx reindex --full`;
    this.#note("stale", detail);
  }

  #note(kind: Fault["kind"], detail: string): void {
    if (this.#fault === undefined || (kind === "damaged" && this.#fault.kind === "stale")) {
      this.#fault = { kind, detail: `${detail}; search works without the index` };
    }
  }
}

const faults: Record<Exclude<ManifestFault, "missing">, string> = {
  damaged: "index/manifest.json is damaged: search works without the index",
  newer: "the index was written by a newer version of ctx: search works without it",
  older: "the index was written by an older version of ctx: search works without it",
};

function verifyFile(store: Store, facts: { name: string; bytes: number; checksum: number }): void {
  using source = openIndexFile(store, facts);
  source.verify();
}
