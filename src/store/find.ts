// Looks ids up in the logs by their bytes: no index is needed, only rows that name an id are parsed.

import { tombstoneType } from "../core/entry.ts";
import type { Row, Snapshot } from "./snapshot.ts";

/** The state of an id: its row if it is there, and what later rows say of it. */
export interface Found {
  row?: Row;
  forgotten: boolean;
  superseded_by?: string;
}

/** Finds ids in one pass, with what other rows say of them. */
export function findIn(snapshot: Snapshot, ids: readonly string[]): Map<string, Found> {
  const found = new Map<string, Found>(ids.map((id) => [id, { forgotten: false }]));
  for (const row of snapshot.rows({ needles: toNeedles(ids) })) {
    const { entry } = row;
    if (entry.type === tombstoneType) {
      for (const id of entry.refs ?? []) {
        const target = found.get(id);
        if (target) target.forgotten = true;
      }
      continue;
    }
    const self = found.get(entry.id);
    if (self && !self.row) self.row = row;
    const older = entry.supersedes === undefined ? undefined : found.get(entry.supersedes);
    if (older) older.superseded_by = entry.id;
  }
  return found;
}

/** Names as they stand in a row; undefined (read every row) when one may be written with escapes. */
export function toNeedles(names: readonly string[]): string[] | undefined {
  return names.every((name) => /^[\w .:@+-]*$/.test(name))
    ? names.map((name) => JSON.stringify(name))
    : undefined;
}
