// A store that shows only some of its entries and takes no writes: how an agent is kept to a
// collection, a session or a project. Every read of the logs goes through a snapshot,
// so no command can look past it.

import { type Entry, type Pool, tombstoneType } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import type { SessionMeta } from "../logs/session_log.ts";
import { type Row, type RowOptions, Snapshot } from "../snapshot.ts";
import { Store, type StoreView } from "../store.ts";

/** What may be seen. */
export interface StoreScope {
  allows(entry: Entry): boolean;
  allowsSession(session: SessionMeta): boolean;
}

/** A read-only view of a store. */
export class ScopedStore extends Store {
  readonly #scope: StoreScope;

  constructor(store: Store, scope: StoreScope) {
    super({
      workspace: store.layout.workspace,
      files: store.files,
      now: () => 0,
      random: () => "",
      warn: () => {},
    });
    this.#scope = scope;
  }

  override narrow(snapshot: Snapshot): Snapshot {
    return new ScopedSnapshot(snapshot, this.#scope);
  }

  override openView(): StoreView {
    const view = super.openView();
    view.readSessions = () => this.readSessions();
    return view;
  }

  override readSessions(): Map<string, SessionMeta> {
    const sessions = [...super.readSessions()];
    return new Map(sessions.filter(([, session]) => this.#scope.allowsSession(session)));
  }

  override write<T>(command: string): Promise<T> {
    return Promise.reject(
      new CtxError("DENIED", `Cannot run ${command}: the store is read-only here`),
    );
  }
}

/** Both logs without the rows that may not be seen; tombstones stay, they only hide. */
class ScopedSnapshot extends Snapshot {
  readonly #whole: Snapshot;
  readonly #scope: StoreScope;

  constructor(whole: Snapshot, scope: StoreScope) {
    super({});
    this.#whole = whole;
    this.#scope = scope;
  }

  override [Symbol.dispose](): void {
    this.#whole[Symbol.dispose]();
  }

  override share(): Snapshot {
    this.#whole.share();
    return this;
  }

  override writerOf(place: { pool: Pool; offset: number }): string | undefined {
    return this.#whole.writerOf(place);
  }

  override readAt(place: { pool: Pool; offset: number; length: number }): Entry[] {
    return this.#whole.readAt(place).filter((entry) => this.#scope.allows(entry));
  }

  override *readEach(places: Parameters<Snapshot["readEach"]>[0]): Generator<Entry[]> {
    for (const entries of this.#whole.readEach(places)) {
      yield entries.filter((entry) => this.#scope.allows(entry));
    }
  }

  override sizeOf(pool: Pool): number {
    return this.#whole.sizeOf(pool);
  }

  override *rows(options: RowOptions = {}): Generator<Row> {
    for (const row of this.#whole.rows(options)) {
      if (row.entry.type === tombstoneType || this.#scope.allows(row.entry)) yield row;
    }
  }
}
