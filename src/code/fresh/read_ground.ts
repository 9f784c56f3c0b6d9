// What of an entry's code is there today, for the row that confirms it.

import type { Entry } from "../../core/entry.ts";
import type { Store } from "../../store/store.ts";
import type { ConfirmedPart } from "./confirmation.ts";
import { findGlobal } from "./entry_edits.ts";
import { FreshnessReader } from "./freshness_reader.ts";
import { openCodeRows } from "./open_code_rows.ts";

/** Reads it; nothing where the entry stands on no code. */
export async function readGround(store: Store, entry: Entry): Promise<ConfirmedPart[]> {
  using rows = openCodeRows(store);
  const global = findGlobal(rows, entry);
  using reader = new FreshnessReader(store, rows, { isPatient: true });
  return global === undefined ? [] : await reader.findGround(entry, global);
}
