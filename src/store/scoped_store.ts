// A store that shows only some of its entries and takes no writes: how an agent is kept to a
// collection, a session or a project. Every read goes through `rows` and `findRowAt`, so no
// command can look past it.

import { type Entry, tombstoneType } from "../core/entry.ts";
import { CtxError } from "../core/errors.ts";
import type { SessionMeta } from "./sessions.ts";
import { type Place, type Row, type RowOptions, Store } from "./store.ts";

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

  override *rows(options: RowOptions = {}): Generator<Row> {
    for (const row of super.rows(options)) {
      if (row.entry.type === tombstoneType || this.#scope.allows(row.entry)) yield row;
    }
  }

  override findRowAt(place: Omit<Place, "id"> & { id?: string }): Entry | undefined {
    const entry = super.findRowAt(place);
    return entry !== undefined && this.#scope.allows(entry) ? entry : undefined;
  }

  override readSessions(): Map<string, SessionMeta> {
    const sessions = [...super.readSessions()];
    return new Map(sessions.filter(([, session]) => this.#scope.allowsSession(session)));
  }

  override write<T>(command: string): Promise<T> {
    return Promise.reject(
      new CtxError("DENIED", `Cannot run ${command}: this view of the store is read-only`),
    );
  }
}
