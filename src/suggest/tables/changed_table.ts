// A table on disk with the rows that changed since it was written: opened together, and given up
// together where it is of an older version.

import type { Files } from "../../store/files/files.ts";
import { readDelta } from "./delta_file.ts";
import { openTable, type RecordTable } from "./record_table.ts";

/** Opens both, or returns undefined when there is no table yet; throws TableDamage. */
export function openChanged<Row extends { path: string }, T>(
  files: Files,
  paths: { table: string; delta: string },
  make: (table: RecordTable, delta: Map<string, Row>) => T,
): T | undefined {
  const table = openTable(files, paths.table);
  if (table === undefined) return undefined;
  try {
    return make(table, readDelta<Row>(files, paths.delta, table.stamp));
  } catch (error) {
    table[Symbol.dispose]();
    throw error;
  }
}

/** What was opened, if its table says that it is of this version; closes it otherwise. */
export function ofVersion<T extends Disposable & { table: RecordTable }>(
  opened: T | undefined,
  version: number,
): T | undefined {
  let usable = false;
  try {
    const meta = opened?.table.readMeta() as { version: number } | undefined;
    usable = meta?.version === version;
  } finally {
    if (!usable) opened?.[Symbol.dispose]();
  }
  return usable ? opened : undefined;
}
