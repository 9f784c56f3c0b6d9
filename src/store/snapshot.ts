// The logs as they were at one moment, for readers that take no lock (invariants 2 and 11).
// The hot log is opened first and must still be the current one once the archive is open: rows
// move from hot to archive, so a reader may meet a moved row twice but never miss it; ids met
// before are passed over.

import { type Entry, type Pool, pools, tombstoneType } from "../core/entry.ts";
import { type FileReader, type Files, listedIn } from "../disk/files.ts";
import { checkDeadline } from "../core/deadline.ts";
import { cutStrings, type DamageKind, parseLine } from "./row.ts";
import { readLinesOf } from "../disk/lines.ts";
import type { Layout } from "../disk/layout.ts";
import { openTeam, type TeamReader } from "./team/team_reader.ts";

/** An entry and where its line is. */
export interface Row {
  entry: Entry;
  pool: Pool;
  offset: number;
  length: number;
  /** The line as it stands, when asked for and sound. A view: gone with the next row. */
  line?: Uint8Array;
}

/** What to read: which pools, from which byte on, and optionally only rows naming some ids. */
export interface RowOptions {
  pools?: readonly Pool[];
  from?: Partial<Record<Pool, number>>;
  to?: Partial<Record<Pool, number>>;
  needles?: string[];
  /** Whether rows bring their lines along. */
  lines?: boolean;
  /** For readers that show a line of each row: long strings are cut, and lines beyond all bounds left out. */
  isBrief?: boolean;
  onDamage?: (damage: Damage) => void;
}

/** A line that is not one sound row. */
export interface Damage {
  pool: Pool;
  offset: number;
  length: number;
  kind: DamageKind;
  saved: number;
}

/** How much is read at once, and how much of others in between. */
const blockBytes = 1 << 20;
const maxGapBytes = 16 << 10;

/** Brief readers cut the strings of longer lines to so many bytes, and pass over the longest lines. */
const longBytes = 32 << 10;
const stringBytes = 16 << 10;
const maxBriefBytes = 16 << 20;

/** The logs, where they are. */
export interface SnapshotReaders {
  archive?: FileReader;
  hot?: FileReader;
  team?: TeamReader;
}

/** Opens all logs; dispose of the snapshot to close them. */
export function openSnapshot(
  files: Files,
  layout: Pick<Layout, "history"> & { team?: string },
): Snapshot {
  const directory = layout.history.archive.replace(/\/[^/]*$/, "");
  while (true) {
    const hot = files.openReader(layout.history.hot);
    const isThere = listedIn(files, directory);
    const archive = isThere(layout.history.archive)
      ? files.openReader(layout.history.archive)
      : undefined;
    // Without an archive nothing can have moved.
    const steady = hot === undefined
      ? files.findSize(layout.history.hot) === undefined
      : archive === undefined || hot.isCurrent();
    if (steady) {
      const { team } = layout;
      const others = team !== undefined && isThere(team) ? openTeam(files, { team }) : undefined;
      return new Snapshot({ hot, archive, team: others });
    }
    hot?.[Symbol.dispose]();
    archive?.[Symbol.dispose]();
  }
}

/** All logs, open; what is appended or replaced later is not seen. */
export class Snapshot implements Disposable {
  readonly #readers: SnapshotReaders;
  #users = 1;

  constructor(readers: SnapshotReaders) {
    this.#readers = readers;
  }

  [Symbol.dispose](): void {
    if (--this.#users > 0) return;
    for (const pool of pools) this.#readers[pool]?.[Symbol.dispose]();
  }

  /** The same snapshot for one more user, who disposes of it too. */
  share(): Snapshot {
    this.#users++;
    return this;
  }

  /** Whether the logs still are the files that were opened. */
  isCurrent(): boolean {
    return pools.every((pool) => this.#readers[pool]?.isCurrent() ?? true);
  }

  sizeOf(pool: Pool): number {
    return this.#readers[pool]?.size ?? 0;
  }

  /** Whose log a row is in: the writer of others' rows; one's own have none. */
  writerOf({ pool, offset }: { pool: Pool; offset: number }): string | undefined {
    return pool === "team" ? this.#readers.team?.writerAt(offset) : undefined;
  }

  /** Rows in log order, archive first; damaged lines give what can be saved of them. */
  *rows(options: RowOptions = {}): Generator<Row> {
    for (const pool of options.pools ?? pools) {
      const reader = this.#readers[pool];
      if (reader === undefined) continue;
      const range = {
        from: options.from?.[pool],
        to: options.to?.[pool],
        needles: options.needles,
        maxBytes: options.isBrief ? maxBriefBytes : undefined,
      };
      for (const { offset, bytes } of readLinesOf(reader, range)) {
        checkDeadline();
        const isLong = options.isBrief && bytes.length > longBytes;
        const { entries, damage } = parseLine(isLong ? cutStrings(bytes, stringBytes) : bytes);
        const place = { pool, offset, length: bytes.length };
        if (damage) options.onDamage?.({ ...place, kind: damage, saved: entries.length });
        const line = options.lines && damage === undefined ? { line: bytes } : undefined;
        for (const entry of entries) yield { entry, ...place, ...line };
      }
    }
  }

  /** Rows that are entries: no tombstones, nothing forgotten, each id once in a session. */
  *entries(options: RowOptions & { forgotten: Forgotten }): Generator<Row> {
    /** The session of the first row of each id, and the keys of later ones, which are few. */
    const seen = new Map<string, string | undefined>();
    const keys = new Set<string>();
    /** One copy of each session's id: every row brings its own. */
    const sessions = new Map<string | undefined, string | undefined>();
    for (const row of this.rows(options)) {
      const { id, type, session_id } = row.entry;
      if (type === tombstoneType || options.forgotten.hides(row)) continue;
      if (!seen.has(id)) {
        if (!sessions.has(session_id)) sessions.set(session_id, session_id);
        seen.set(id, sessions.get(session_id));
      } else {
        const key = repeatKey(row.entry);
        if (row.pool === "team" || session_id === seen.get(id) || keys.has(key)) continue;
        keys.add(key);
      }
      yield row;
    }
  }

  /** What tombstones name, in the pools that have any. */
  readForgotten(inPools: readonly Pool[]): Forgotten {
    const forgotten = new Forgotten();
    for (const row of this.rows({ pools: inPools, needles: [tombstoneNeedle] })) {
      if (row.entry.type === tombstoneType) forgotten.add(row);
    }
    return forgotten;
  }

  /** The entries in the line at a place; none when the log is shorter. */
  readAt(place: { pool: Pool; offset: number; length: number }): Entry[] {
    const bytes = new Uint8Array(place.length);
    const count = this.#readers[place.pool]?.readAt(place.offset, bytes) ?? 0;
    return count < place.length ? [] : parseLine(bytes).entries;
  }

  /** The same of many places of one log, ascending: neighbours are read at once. */
  *readEach(places: readonly { pool: Pool; offset: number; length: number }[]): Generator<Entry[]> {
    let block: { from: number; to: number; bytes: Uint8Array } = {
      from: 0,
      to: 0,
      bytes: new Uint8Array(),
    };
    for (const [i, { pool, offset, length }] of places.entries()) {
      if (offset < block.from || offset + length > block.to) {
        let to = offset + length;
        for (let next = i + 1; next < places.length; next++) {
          const end = places[next].offset + places[next].length;
          if (places[next].offset - to > maxGapBytes || end - offset > blockBytes) break;
          to = end;
        }
        block = { from: offset, to, bytes: this.readBytes(pool, offset, to - offset) };
      }
      const bytes = block.bytes.subarray(offset - block.from, offset - block.from + length);
      yield bytes.length < length ? [] : parseLine(bytes).entries;
    }
  }

  /** Some bytes of a log as they are; fewer when it is shorter. A filtered snapshot has none. */
  readBytes(pool: Pool, offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, this.#readers[pool]?.readAt(offset, bytes) ?? 0);
  }
}

/**
 * What two rows of one entry have in common, as after a move between the logs. Stores that others wrote
 * use one id in several sessions: there it names an entry of each.
 */
export function repeatKey({ id, session_id }: Pick<Entry, "id" | "session_id">): string {
  return JSON.stringify([id, session_id]);
}

/** What every tombstone's line contains. */
export const tombstoneNeedle = JSON.stringify(tombstoneType);

/** Whether two rows are of one entry. An id of one's own, or of the team, names one entry only. */
export function isRepeat(a: Pick<Row, "entry" | "pool">, b: Pick<Row, "entry" | "pool">): boolean {
  if (a.pool === "team" || b.pool === "team") return a.entry.id === b.entry.id;
  return repeatKey(a.entry) === repeatKey(b.entry);
}

/** What tombstones name: one's own hide any row, those of others only rows of others. */
export class Forgotten {
  readonly ids = new Set<string>();
  /** The ids that tombstones of others name. */
  readonly inTeam = new Set<string>();

  /** Adds what a tombstone names. */
  add({ entry, pool }: Pick<Row, "entry" | "pool">): void {
    const target = pool === "team" ? this.inTeam : this.ids;
    for (const id of entry.refs ?? []) target.add(id);
  }

  /** Whether a row no longer counts. */
  hides({ entry, pool }: Pick<Row, "entry" | "pool">): boolean {
    return this.ids.has(entry.id) || pool === "team" && this.inTeam.has(entry.id);
  }
}
