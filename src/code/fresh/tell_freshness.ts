// What is told of some entries, for readers that do not search. Nothing is opened where no entry may
// speak of code, and a damaged index only means that nothing is told.

import type { Entry } from "../../core/entry.ts";
import { IndexDamage } from "../../disk/byte_source.ts";
import type { Store } from "../../store/store.ts";
import type { ConfirmedPart } from "./confirmation.ts";
import type { Freshness } from "./freshness.ts";
import { findGlobal } from "./entry_edits.ts";
import { FreshnessReader, type ReaderOptions } from "./freshness_reader.ts";
import { openCodeRows } from "./open_code_rows.ts";
import { mayNameCode, mayStandOnCode } from "./may_speak_of_code.ts";

/** The freshness of entries by id; of those that do not speak of code there is none. */
export async function tellFreshness(
  store: Store,
  entries: readonly Entry[],
  { isBrief = false, ...options }: ReaderOptions & { isBrief?: boolean } = {},
): Promise<Map<string, Freshness>> {
  const found = new Map<string, Freshness>();
  const wanted = entries.filter((entry) => mayStandOnCode(entry) || mayNameCode(entry));
  if (wanted.length === 0) return found;
  try {
    using rows = await openCodeRows(store);
    using reader = new FreshnessReader(store, rows, options);
    for (const entry of wanted) {
      const global = findGlobal(rows, entry);
      if (global === undefined) continue;
      // Whoever says it in a word needs no commit.
      const told = await (isBrief ? reader.find(entry, global) : reader.explain(entry, global));
      if (told !== undefined) found.set(entry.id, told);
    }
  } catch (error) {
    if (!(error instanceof IndexDamage)) throw error;
  }
  return found;
}

/** What of an entry's code is there today, for the row that confirms it; nothing of one without code. */
export async function readGround(store: Store, entry: Entry): Promise<ConfirmedPart[]> {
  using rows = await openCodeRows(store);
  const global = findGlobal(rows, entry);
  using reader = new FreshnessReader(store, rows, { isPatient: true });
  return global === undefined ? [] : await reader.findGround(entry, global);
}
