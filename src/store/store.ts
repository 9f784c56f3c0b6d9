// The store of one workspace: reading without a lock, writing in transactions under it. The only
// writer of `.contextfs/`. Everything in `index/` can be rebuilt from what is read here.

import { type Entry, ownPools, type Pool, pools } from "../core/entry.ts";
import { CtxError } from "../core/errors.ts";
import { conflictWarning, countConflicts } from "../disk/conflicts.ts";
import type { Files } from "../disk/files.ts";
import { type Layout, layoutOf, refuseLinks } from "../disk/layout.ts";
import { findUnreadable, tolerateIndex } from "../disk/index_files.ts";
import { findWith, type Found, gatherFacts, toNeedles } from "./find.ts";
import { findFingerprint } from "../disk/lines.ts";
import {
  foldSessions,
  hasQuarantined,
  readSessionEvents,
  type SessionEvent,
  type SessionMeta,
} from "./logs/session_log.ts";
import {
  type Forgotten,
  openSnapshot,
  type Row,
  type RowOptions,
  type Snapshot,
} from "./snapshot.ts";
import { readSessionId, readState, refuseNewer, type State } from "./state.ts";
import type { Quarantine } from "./quarantined_sessions.ts";
import type { StoreOptions } from "./transact.ts";
import type { Writer } from "./writer.ts";

/** Where the line of an entry is. */
export interface Place {
  id: string;
  pool: Pool;
  offset: number;
  length: number;
}

export type { Found } from "./find.ts";
export type { Damage, Row, RowOptions } from "./snapshot.ts";

/** One workspace's memory. Disposing of it closes what readers keep open; it can be used again. */
export class Store implements Disposable {
  readonly layout: Layout;
  readonly files: Files;
  readonly #options: StoreOptions;
  readonly #view?: View;
  /** What readers keep open between reads, by name; closed with the store. */
  readonly kept = new Map<string, Disposable>();
  readonly #toldConflicts = new Set<string>();
  /** The session events as they were read last: hooks and imports ask for them again and again. */
  #events?: { mark: string; events: SessionEvent[] };

  constructor(options: StoreOptions, view?: View) {
    this.#options = options;
    this.#view = view;
    this.layout = layoutOf(options.workspace);
    this.files = tolerateIndex(options.files, this.layout);
  }

  /** Says something the user should know that is not a result. */
  warn(message: string): void {
    this.#options.warn(message);
  }

  /** What in `index/` cannot be read, which to readers of `files` looks damaged. */
  findUnreadable(): string | undefined {
    return findUnreadable(this.#options.files, this.layout);
  }

  [Symbol.dispose](): void {
    for (const open of this.kept.values()) open[Symbol.dispose]();
    this.kept.clear();
  }

  /** The state as the logs are now; never writes. Says once where git left a conflict. */
  readState(): State {
    const { state } = readState(this.files, this.layout);
    for (const pool of ownPools) {
      if (state.logs[pool].conflicts) this.#tellConflict(this.layout.history[pool]);
    }
    return state;
  }

  /** Says once that git left a conflict in the log of sessions. */
  tellEventConflict(): void {
    const { sessions } = this.layout;
    if (countConflicts(this.files, sessions) > 0) this.#tellConflict(sessions);
  }

  #tellConflict(path: string): void {
    if (this.#toldConflicts.has(path)) return;
    this.#toldConflicts.add(path);
    this.warn(conflictWarning(path.slice(this.layout.root.length + 1)));
  }

  /** The session that is open, or undefined. */
  readSessionId(): string | undefined {
    return readSessionId(this.files, this.layout);
  }

  /** Both logs as they are now, for several reads that must agree; dispose of it. */
  openSnapshot(): Snapshot {
    return this.narrow(this.openWhole());
  }

  /** The same for an index, which knows rows by their places and shows them by its own filters. */
  openWhole(): Snapshot {
    return this.#view?.snapshot.share() ?? openSnapshot(this.files, this.layout);
  }

  /** A snapshot with what may be seen of it here; disposing of either closes it. */
  narrow(snapshot: Snapshot): Snapshot {
    return snapshot;
  }

  /**
   * The store as it is now, for reads that hand places to each other: offsets found in a view stay
   * true in it, whatever compact and gc do meanwhile. Dispose of it; do not write through it.
   */
  openView(): StoreView {
    const buried = this.#poolsWithTombstones();
    return new StoreView(this.#options, { snapshot: this.openSnapshot(), buried });
  }

  /** Rows in log order, archive first; damaged lines give what can be saved of them. */
  *rows(options: RowOptions = {}): Generator<Row> {
    using snapshot = this.openSnapshot();
    yield* snapshot.rows(options);
  }

  /** Rows that are entries: no tombstones, nothing forgotten, each id once in a session. */
  *entries(options: RowOptions = {}): Generator<Row> {
    const buried = this.#poolsWithTombstones();
    using snapshot = this.openSnapshot();
    yield* snapshot.entries({ ...options, forgotten: snapshot.readForgotten(buried) });
  }

  /** The ids that one's own tombstones name. */
  readForgotten(): Set<string> {
    return this.readHidden().ids;
  }

  /** What tombstones name, those of others too. */
  readHidden(): Forgotten {
    const buried = this.#poolsWithTombstones();
    using snapshot = this.openSnapshot();
    return snapshot.readForgotten(buried);
  }

  /** Asked before a snapshot is opened: what is buried later was not forgotten when we began. */
  #poolsWithTombstones(): Pool[] {
    if (this.#view) return this.#view.buried;
    const { logs } = this.readState();
    return pools.filter((pool) => logs[pool].tombstones > 0);
  }

  /** Looks ids up in one pass over the bytes, with what later rows say of them. */
  find(ids: readonly string[]): Map<string, Found> {
    using snapshot = this.openSnapshot();
    return findWith((wanted) => gatherFacts(snapshot, wanted), ids, snapshot);
  }

  /** The entry at a place found earlier; when its log was rewritten since, wherever it is now. */
  findRowAt(place: Omit<Place, "id"> & { id?: string }): Entry | undefined {
    return this.findRowsAt([place])[0];
  }

  /** The same of several, without those that are gone. */
  findRowsAt(places: readonly (Omit<Place, "id"> & { id?: string })[]): Entry[] {
    using snapshot = this.openSnapshot();
    return places.flatMap((place): Entry[] => {
      const { id } = place;
      const entry = snapshot.readAt(place).find((found) => id === undefined || found.id === id);
      if (entry !== undefined) return [entry];
      const moved = id === undefined ? undefined : this.find([id]).get(id);
      return moved?.row === undefined || moved.forgotten ? [] : [moved.row.entry];
    });
  }

  /**
   * Where the entries of a session are, oldest first: by time, then by their own index, then as
   * they stand in the log.
   */
  readSession(sessionId: string): (Place & { ts: string })[] {
    return this.readSessionPlaces([sessionId]).get(sessionId) ?? [];
  }

  /** The same of several sessions: the logs are read once. */
  readSessionPlaces(sessionIds: readonly string[]): Map<string, (Place & { ts: string })[]> {
    const found = new Map<string, (Place & { ts: string; index?: number })[]>(
      sessionIds.map((id) => [id, []]),
    );
    if (found.size === 0) return found;
    const needles = toNeedles(sessionIds);
    for (const { entry, pool, offset, length } of this.entries({ needles })) {
      const { id, ts, index, session_id = "" } = entry;
      found.get(session_id)?.push({ id, ts, index, pool, offset, length });
    }
    for (const places of found.values()) {
      places.sort((a, b) => a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : (a.index ?? 0) - (b.index ?? 0));
    }
    return found;
  }

  /** Another one once a session was opened, named or closed. */
  markSessions(): string {
    const { sessions } = this.layout;
    const size = this.files.findSize(sessions) ?? 0;
    // The log only grows; a rewritten one ends otherwise.
    return `${size}:${findFingerprint(this.files, sessions, size)}`;
  }

  /** What the session events say, by session id. */
  readSessions(): Map<string, SessionMeta> {
    const mark = this.markSessions();
    if (this.#events?.mark !== mark) {
      const tell = (): void => this.tellEventConflict();
      this.#events = { mark, events: readSessionEvents(this.files, this.layout, tell) };
    }
    return foldSessions(this.#events.events);
  }

  /** What the user put aside; nothing is loaded for it where nothing ever was. */
  async findQuarantine(): Promise<Quarantine | undefined> {
    if (!hasQuarantined(this)) return undefined;
    return (await import("./quarantined_sessions.ts")).findQuarantine(this);
  }

  /** Runs a transaction under the lock; the state is written when it ends. */
  async write<T>(command: string, action: (writer: Writer) => T | Promise<T>): Promise<T> {
    // Most commands only read, and need not load what writes.
    const { transact } = await import("./transact.ts");
    return await transact({ ...this.#options, files: this.files }, command, action);
  }
}

/** What a view holds on to: both logs, and the pools that had tombstones before they were opened. */
interface View {
  snapshot: Snapshot;
  buried: Pool[];
}

/** A store whose reads all see one moment. */
export class StoreView extends Store {
  readonly #snapshot: Snapshot;

  constructor(options: StoreOptions, view: View) {
    super(options, view);
    this.#snapshot = view.snapshot;
  }

  override [Symbol.dispose](): void {
    super[Symbol.dispose]();
    this.#snapshot[Symbol.dispose]();
  }
}

/** Opens the store of a workspace; throws STORE_MISSING when there is none. */
export function openStore(options: StoreOptions): Store {
  const store = new Store(options);
  if (!refuseLinks(store.layout)) {
    throw new CtxError(
      "STORE_MISSING",
      `Cannot find a store in "${options.workspace}" or any parent directory`,
      {
        hint: "ctx start",
      },
    );
  }
  refuseNewer(store.files, store.layout);
  return store;
}
