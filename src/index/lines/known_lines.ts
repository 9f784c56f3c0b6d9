// Whether some lines may be known, without what it takes to say whose they are: for hooks, which ask before
// every edit and mostly learn that nothing is known. What came since the table was written is passed over.

import { IndexDamage } from "../../pages/byte_source.ts";
import { openSealedFile } from "../../pages/paged_file.ts";
import type { Store } from "../../store/store.ts";
import { lineMagic, linesPathOf } from "./line_format.ts";
import { LineRun } from "./line_run.ts";

/** How many of some lines, by their hashes, are in the table as it was last written. */
export function countKnown(
  { files, layout }: Store,
  hashes: readonly (readonly [high: number, low: number])[],
): number {
  const path = linesPathOf(layout);
  const reader = files.openReader(path);
  if (reader === undefined) return 0;
  using opened = new DisposableStack();
  opened.use(reader);
  try {
    const run = new LineRun(openSealedFile(reader, { label: path, magic: lineMagic }));
    return hashes.filter(([high, low]) => run.find(high, low, 1).length > 0).length;
  } catch (error) {
    if (error instanceof IndexDamage) return 0;
    throw error;
  }
}
