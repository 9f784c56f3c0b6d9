// What counts again when a correction is forgotten: the entries that only it had corrected.

import { toNeedles } from "../find.ts";
import type { Store } from "../store.ts";

/** More ids than this are looked for by reading every row, not by their bytes. */
const maxNeedles = 50;

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
  const needles = candidates.size <= maxNeedles ? toNeedles([...candidates]) : undefined;
  const revived: string[] = [];
  for (const { entry } of store.entries({ needles })) {
    if (candidates.has(entry.id)) revived.push(entry.id);
  }
  return revived;
}
