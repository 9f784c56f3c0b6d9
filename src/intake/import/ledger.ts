// What the store already has of one agent: message keys, so that importing again adds nothing, and
// for agents that change messages in place the newest revision of each. Most of it is looked up in the
// agent's ledger file; what the logs got since that was written is read from them.

import { hash53 } from "../../core/hash.ts";
import { IndexDamage } from "../../disk/byte_source.ts";
import type { Store } from "../../store/store.ts";
import { findLedgerFile, type LedgerFile } from "./ledger_file.ts";
import {
  type Keyed,
  type LedgerRow,
  openOwnLogs,
  readAgentRows,
  readForgottenIds,
} from "./ledger_rows.ts";

/** A row that later revisions replace. */
export interface KnownRow {
  id: string;
  /** Empty for a row that was kept without one. */
  revision: string;
  index: number;
  /** The session of a row that was kept without a revision. */
  session_id?: string;
}

/** More rows than that are read faster all at once. */
const maxLines = 1000;

/** The known messages of one agent. Keys are 53-bit hashes: a million take about 40 MB. */
export class Ledger {
  readonly #known = new Set<number>();
  readonly #latest = new Map<number, KnownRow>();
  readonly #lastIndex = new Map<string, number>();
  readonly #forgotten: Set<string>;
  /** What is not in memory, and how to get it there. */
  #file: LedgerFile | undefined;
  readonly #readLogs: () => Ledger;
  #lines = 0;

  constructor(forgotten: Set<string>, file?: LedgerFile, readLogs: () => Ledger = () => this) {
    this.#forgotten = forgotten;
    this.#file = file;
    this.#readLogs = readLogs;
  }

  /** Whether a message without revisions is there. */
  has(key: number): boolean {
    return this.#known.has(key) ||
      this.#ask((file) => file.has("known", key), () => this.#known.has(key));
  }

  /** The newest row of a message with revisions. */
  findLatest(key: number): KnownRow | undefined {
    return this.#latest.get(key) ?? this.#ask((file) => {
      const row = file.findLatest(key);
      if (row === undefined) return undefined;
      if (++this.#lines > maxLines) throw new IndexDamage("too many rows for single reads");
      const { id, revision = "", index = 0 } = row;
      return { id, revision, index };
    }, () => this.#latest.get(key));
  }

  isForgotten(id: string): boolean {
    return this.#forgotten.has(id) ||
      this.#ask((file) => file.has("forgotten", hash53(id)), () => this.#forgotten.has(id));
  }

  /** The position after the last row of a session. */
  nextIndex(sessionId: string): number {
    const here = (): number => this.#lastIndex.get(sessionId) ?? 0;
    return 1 + this.#ask((file) => Math.max(here(), file.lastIndex(sessionId)), here);
  }

  /** Notes a row that is in the store, or will be. */
  note(key: number, row: Omit<LedgerRow, "source"> & { revision?: string }): void {
    this.#known.add(key);
    const index = row.index ?? 0;
    if (row.revision !== undefined) {
      const session = row.revision === "" ? { session_id: row.session_id } : {};
      this.#latest.set(key, { id: row.id, revision: row.revision, index, ...session });
    }
    if (row.session_id === undefined) return;
    const last = this.#lastIndex.get(row.session_id) ?? 0;
    if (index > last) this.#lastIndex.set(row.session_id, index);
  }

  /** Looks into the file, or into what is here, once a file that cannot be trusted was read past. */
  #ask<T>(look: (file: LedgerFile) => T, here: () => T): T {
    if (this.#file === undefined) return here();
    try {
      return look(this.#file);
    } catch (error) {
      if (!(error instanceof IndexDamage)) throw error;
      this.#file = undefined;
      this.#takeOver(this.#readLogs());
      return here();
    }
  }

  /** Adds what another ledger has and this one does not. */
  #takeOver(other: Ledger): void {
    for (const key of other.#known) this.#known.add(key);
    for (const id of other.#forgotten) this.#forgotten.add(id);
    for (const [key, row] of other.#latest) {
      if (!this.#latest.has(key)) this.#latest.set(key, row);
    }
    for (const [id, index] of other.#lastIndex) {
      this.#lastIndex.set(id, Math.max(index, this.#lastIndex.get(id) ?? 0));
    }
  }
}

/**
 * Reads the ledger of a source. `again` also keeps the rows without a revision, so that one that has a
 * revision by now can take their place; that, and a view of a part of the store, take it from the logs.
 */
export function readLedger(
  store: Store,
  source: Keyed,
  { again = false, isWhole = again || store.files.isScoped }: {
    again?: boolean;
    isWhole?: boolean;
  } = {},
): Ledger {
  using logs = openOwnLogs(store);
  const file = isWhole ? undefined : findLedgerFile(store, source, logs);
  const from = file?.covered;
  const forgotten = from === undefined
    ? store.readForgotten()
    : new Set(readForgottenIds(logs, { from }));
  const ledger = new Ledger(
    forgotten,
    file,
    () => readLedger(store, source, { again, isWhole: true }),
  );
  for (const row of readAgentRows(logs, source, { from })) {
    ledger.note(row.key, { ...row, revision: row.revision ?? (again ? "" : undefined) });
  }
  return ledger;
}
