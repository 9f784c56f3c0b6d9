// Entries by id, through the index where the log is long; the answer is the same as `Store.find`'s.

import type { Entry } from "../core/entry.ts";
import type { LogIndex } from "../index/log_index.ts";
import { findWith, gatherFacts, type IdFacts } from "../store/find.ts";
import type { Found, Store } from "../store/store.ts";
import { askIndex, type IndexUse } from "../index/ask_index.ts";

/** Looks ids up with what later rows say of them. An id that the index lacks is sought in the logs. */
export async function findEntries(
  store: Store,
  ids: readonly string[],
  use: IndexUse = {},
): Promise<Map<string, Found>> {
  using snapshot = store.openSnapshot();
  const scan = (wanted: readonly string[]): Map<string, IdFacts> => gatherFacts(snapshot, wanted);
  const gather = (index: LogIndex) => (wanted: readonly string[]): Map<string, IdFacts> => {
    const facts = index.gatherFacts(wanted);
    const lost = wanted.filter((id) => facts.get(id)?.row === undefined);
    if (lost.length > 0) { for (const [id, known] of scan(lost)) facts.set(id, known); }
    return facts;
  };
  const ask = (index: LogIndex): Map<string, Found> => findWith(gather(index), ids, snapshot);
  return await askIndex(store, snapshot, ask, use) ?? findWith(scan, ids, snapshot);
}

/** The entries of some ids; those that are gone or forgotten are not among them. */
export async function readEntries(
  store: Store,
  ids: Iterable<string>,
): Promise<Map<string, Entry>> {
  const wanted = [...new Set(ids)];
  const found = wanted.length === 0 ? [] : await findEntries(store, wanted);
  return new Map(
    [...found].flatMap(([id, { row, forgotten }]) =>
      row && !forgotten ? [[id, row.entry] as const] : []
    ),
  );
}
