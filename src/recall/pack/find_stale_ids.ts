// Which of some entries speak of code that has changed since. Loads nothing where none may.

import { readEntries } from "../../read/find_entries.ts";
import { type FreshnessName, isStale } from "../../code/fresh/freshness.ts";
import { maySpeakOfCode } from "../../code/fresh/may_speak_of_code.ts";
import type { Store } from "../../store/store.ts";

/** The ids of those whose code drifted, is gone or was reverted. */
export async function findStaleIds(store: Store, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await findStaleNames(store, ids)).keys());
}

/** The same, with which of these it is. */
export async function findStaleNames(
  store: Store,
  ids: readonly string[],
): Promise<Map<string, FreshnessName>> {
  if (ids.length === 0) return new Map();
  const entries = [...(await readEntries(store, ids)).values()];
  if (!maySpeakOfCode(store, entries)) return new Map();
  const { tellFreshness } = await import("../../code/fresh/tell_freshness.ts");
  const told = await tellFreshness(store, entries, { isBrief: true });
  return new Map(
    [...told].flatMap(([id, { freshness }]) => isStale(freshness) ? [[id, freshness]] : []),
  );
}
