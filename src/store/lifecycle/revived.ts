// What counts again when a correction is forgotten: the entries that only it had corrected.

import { toFewNeedles } from "../find.ts";
import type { Store } from "../store.ts";

/** The entries that are shown as facts again once some ids are forgotten, in log order. */
export function findRevived(store: Store, ids: ReadonlySet<string>): string[] {
  const losing = new Set<string>();
  const corrected = new Set<string>();
  for (const { entry } of store.entries({ needles: ['"supersedes"'] })) {
    const { id, supersedes } = entry;
    if (supersedes === undefined || supersedes === id || ids.has(supersedes)) continue;
    (ids.has(id) ? losing : corrected).add(supersedes);
  }
  const candidates = new Set([...losing].filter((id) => !corrected.has(id)));
  if (candidates.size === 0) return [];
  return store.entries({ needles: toFewNeedles(candidates) }).map(({ entry }) => entry.id)
    .filter((id) => candidates.has(id)).toArray();
}
