// What the store already has of one agent: message keys, so that importing again adds nothing, and
// for agents that change messages in place the newest revision of each.

import { ownPools } from "../../core/entry.ts";
import { hash53 } from "../../core/hash.ts";
import type { Source } from "../sources/source.ts";
import { readLines } from "../../disk/lines.ts";
import type { Store } from "../../store/store.ts";

/** A row that later revisions replace. */
export interface KnownRow {
  id: string;
  /** Empty for a row that was kept without one. */
  revision: string;
  index: number;
  /** The session of a row that was kept without a revision. */
  session_id?: string;
}

/** The known messages of one agent. Keys are 53-bit hashes: a million take about 40 MB. */
export class Ledger {
  readonly #known = new Set<number>();
  readonly #latest = new Map<number, KnownRow>();
  readonly #lastIndex = new Map<string, number>();
  readonly #forgotten: ReadonlySet<string>;

  constructor(forgotten: ReadonlySet<string>) {
    this.#forgotten = forgotten;
  }

  /** Whether a message without revisions is there. */
  has(key: number): boolean {
    return this.#known.has(key);
  }

  /** The newest row of a message with revisions. */
  findLatest(key: number): KnownRow | undefined {
    return this.#latest.get(key);
  }

  isForgotten(id: string): boolean {
    return this.#forgotten.has(id);
  }

  /** The position after the last row of a session. */
  nextIndex(sessionId: string): number {
    return (this.#lastIndex.get(sessionId) ?? 0) + 1;
  }

  /** Notes a row that is in the store, or will be. */
  note(
    key: number,
    row: { id: string; revision?: string; index?: number; session_id?: string },
  ): void {
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
}

/** The key of a message: in its conversation, or in all of the agent's history. */
export function keyOf(
  source: Pick<Source, "name" | "idScope">,
  conversation: string,
  message: string,
): number {
  const scope = source.idScope === "agent" ? "" : conversation;
  return hash53(`${source.name}\0${scope}\0${message}`);
}

/**
 * Reads the ledger of a source from the logs. `again` also keeps the rows without a revision, so that
 * one that has a revision by now can take their place.
 */
export function readLedger(
  store: Store,
  source: Pick<Source, "name" | "idScope">,
  { again = false }: { again?: boolean } = {},
): Ledger {
  const ledger = new Ledger(store.readForgotten());
  const needles = [`"agent":${JSON.stringify(source.name)}`];
  const decoder = new TextDecoder();
  for (const pool of ownPools) {
    for (const line of readLines(store.files, store.layout.history[pool], { needles })) {
      const row = parseRow(decoder, line.bytes);
      if (row?.source?.agent !== source.name || row.source.message === undefined) continue;
      const key = keyOf(source, row.source.conversation ?? "", row.source.message);
      ledger.note(key, { ...row, revision: row.source.revision ?? (again ? "" : undefined) });
    }
  }
  return ledger;
}

interface LedgerRow {
  id: string;
  session_id?: string;
  index?: number;
  source?: { agent: string; conversation?: string; message?: string; revision?: string };
}

/** Imported rows begin with their identity: a short prefix is enough to know them. */
function parseRow(decoder: TextDecoder, bytes: Uint8Array): LedgerRow | undefined {
  const head = decoder.decode(bytes.subarray(0, headBytes));
  const end = identity.exec(head);
  try {
    return JSON.parse(end ? `${end[0]}}` : decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

const headBytes = 1024;
const identity =
  /^\{"id":"[^"\\]*","ts":"[^"\\]*","session_id":"[^"\\]*","index":\d+,"source":\{(?:"[a-z]+":"(?:[^"\\]|\\.)*",?)+\}/;
