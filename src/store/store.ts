// The store of one workspace: reading without a lock, writing in transactions under it. The only
// writer of `.contextfs/`. Everything in `index/` can be rebuilt from what is read here.

import { type Entry, type Pool, pools, tombstoneType } from "../core/entry.ts";
import { CtxError } from "../core/errors.ts";
import type { Files } from "./files.ts";
import { holdsStore, type Layout, layoutOf, refuseLinks } from "./layout.ts";
import { readLines } from "./lines.ts";
import { takeLock } from "./lock.ts";
import { type DamageKind, parseLine } from "./row.ts";
import { foldSessions, readSessionEvents, type SessionMeta } from "./sessions.ts";
import { readState, refuseNewer, type State, writeState } from "./state.ts";
import { Writer } from "./writer.ts";

/** An entry and where its line is. */
export interface Row {
  entry: Entry;
  pool: Pool;
  offset: number;
  length: number;
}

/** Where the line of an entry is. */
export interface Place {
  id: string;
  pool: Pool;
  offset: number;
  length: number;
}

/** What a store is opened with. */
export interface StoreOptions {
  workspace: string;
  files: Files;
  now: () => number;
  random: () => string;
  warn: (message: string) => void;
  sync?: boolean;
  lockTimeoutMs?: number;
}

/** What to read: which pools, from which byte on, and optionally only rows naming some ids. */
export interface RowOptions {
  pools?: readonly Pool[];
  from?: Partial<Record<Pool, number>>;
  to?: Partial<Record<Pool, number>>;
  needles?: string[];
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

/** The state of an id: its row if it is there, and what later rows say of it. */
export interface Found {
  row?: Row;
  forgotten: boolean;
  superseded_by?: string;
}

/** One workspace's memory. */
export class Store {
  readonly layout: Layout;
  readonly files: Files;
  readonly #options: StoreOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.files = options.files;
    this.layout = layoutOf(options.workspace);
  }

  /** The state as the logs are now; never writes. */
  readState(): State {
    return readState(this.files, this.layout).state;
  }

  /** Rows in log order, archive first; damaged lines give what can be saved of them. */
  *rows(options: RowOptions = {}): Generator<Row> {
    for (const pool of options.pools ?? pools) {
      const range = {
        from: options.from?.[pool],
        to: options.to?.[pool],
        needles: options.needles,
      };
      for (const line of readLines(this.files, this.layout.history[pool], range)) {
        const { entries, damage } = parseLine(line.bytes);
        const place = { pool, offset: line.offset, length: line.bytes.length };
        if (damage) options.onDamage?.({ ...place, kind: damage, saved: entries.length });
        for (const entry of entries) yield { entry, ...place };
      }
    }
  }

  /** Rows that are entries: no tombstones, nothing forgotten, each id once. */
  *entries(options: RowOptions = {}): Generator<Row> {
    const forgotten = this.readForgotten();
    const seen = new Set<string>();
    for (const row of this.rows(options)) {
      const { id, type } = row.entry;
      if (type === tombstoneType || forgotten.has(id) || seen.has(id)) continue;
      seen.add(id);
      yield row;
    }
  }

  /** The ids that tombstones name. */
  readForgotten(): Set<string> {
    const forgotten = new Set<string>();
    const { logs } = this.readState();
    for (const pool of pools) {
      if (logs[pool].tombstones === 0) continue;
      const needles = [JSON.stringify(tombstoneType)];
      for (const { entry } of this.rows({ pools: [pool], needles })) {
        if (entry.type !== tombstoneType) continue;
        for (const id of entry.refs ?? []) forgotten.add(id);
      }
    }
    return forgotten;
  }

  /** Looks ids up in one pass over the bytes, with what later rows say of them. */
  find(ids: readonly string[]): Map<string, Found> {
    const found = new Map<string, Found>(ids.map((id) => [id, { forgotten: false }]));
    for (const row of this.rows({ needles: toNeedles(ids) })) {
      const { entry } = row;
      if (entry.type === tombstoneType) {
        for (const id of entry.refs ?? []) {
          const target = found.get(id);
          if (target) target.forgotten = true;
        }
        continue;
      }
      const self = found.get(entry.id);
      if (self && !self.row) self.row = row;
      const older = entry.supersedes === undefined ? undefined : found.get(entry.supersedes);
      if (older) older.superseded_by = entry.id;
    }
    return found;
  }

  /** The entry at a place found earlier, or undefined when the log has changed there. */
  findRowAt(place: Omit<Place, "id"> & { id?: string }): Entry | undefined {
    const reader = this.files.openReader(this.layout.history[place.pool]);
    if (reader === undefined) return undefined;
    try {
      const bytes = new Uint8Array(place.length);
      if (reader.readAt(place.offset, bytes) < place.length) return undefined;
      const { entries } = parseLine(bytes);
      return place.id === undefined ? entries[0] : entries.find(({ id }) => id === place.id);
    } finally {
      reader.close();
    }
  }

  /**
   * Where the entries of a session are, oldest first: by time, then by their own index, then as
   * they stand in the log. `null` means the entries that belong to no session.
   */
  readSession(sessionId: string | null): (Place & { ts: string })[] {
    const needles = sessionId === null ? undefined : toNeedles([sessionId]);
    const found: (Place & { ts: string; index?: number })[] = [];
    for (const { entry, pool, offset, length } of this.entries({ needles })) {
      if ((entry.session_id ?? null) !== sessionId) continue;
      found.push({ id: entry.id, ts: entry.ts, index: entry.index, pool, offset, length });
    }
    return found.sort((a, b) =>
      a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : (a.index ?? 0) - (b.index ?? 0)
    );
  }

  /** What the session events say, by session id. */
  readSessions(): Map<string, SessionMeta> {
    return foldSessions(readSessionEvents(this.files, this.layout));
  }

  /** Runs a transaction under the lock; the state is written when it ends. */
  async write<T>(command: string, action: (writer: Writer) => T | Promise<T>): Promise<T> {
    const { files, layout } = this;
    const { now, random, warn, sync = true, lockTimeoutMs = 10_000 } = this.#options;
    refuseLinks(layout);
    const holder = { pid: Deno.pid, command, since: new Date(now()).toISOString() };
    using _lock = await takeLock(layout.lock, { holder, timeoutMs: lockTimeoutMs });
    refuseNewer(files, layout);
    const writer = new Writer({ files, layout, sync, now, random, warn });
    const result = await action(writer);
    writer.state.revision++;
    saveState(writer, warn);
    return result;
  }
}

/** Opens the store of a workspace; throws STORE_MISSING when there is none. */
export function openStore(options: StoreOptions): Store {
  const store = new Store(options);
  if (!holdsStore(options.workspace)) {
    throw new CtxError("STORE_MISSING", `Cannot find a store in "${options.workspace}" or above`, {
      hint: "ctx init",
    });
  }
  refuseLinks(store.layout);
  refuseNewer(store.files, store.layout);
  return store;
}

/** Names as they stand in a row; undefined (read every row) when one may be written with escapes. */
function toNeedles(names: readonly string[]): string[] | undefined {
  return names.every((name) => /^[\w .:@+-]*$/.test(name))
    ? names.map((name) => JSON.stringify(name))
    : undefined;
}

/** The log is already synced, so a state that cannot be written is a warning: it is rebuilt later. */
function saveState(writer: Writer, warn: (message: string) => void): void {
  try {
    writeState(writer.files, writer.layout, writer.state);
  } catch (error) {
    warn(`state.json was not updated (${error instanceof Error ? error.message : error})`);
  }
}
