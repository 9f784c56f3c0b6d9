// Whether some lines may be known, without what it takes to say whose they are: for hooks, which ask before
// every edit and mostly learn that nothing is known. What came since the table was written is passed over.

import { IndexDamage } from "../../disk/byte_source.ts";
import type { Store } from "../../store/store.ts";
import { openRun } from "./line_files.ts";

/** How many of some lines, by their hashes, are in the table as it was last written. */
export function countKnown(
  store: Store,
  hashes: readonly (readonly [high: number, low: number])[],
): number {
  try {
    using run = openRun(store, { residentBytes: 0 });
    return run === undefined
      ? 0
      : hashes.filter(([high, low]) => run.find(high, low, 1).length > 0).length;
  } catch (error) {
    if (error instanceof IndexDamage) return 0;
    throw error;
  }
}
