// Others' logs by hand: what a sync leaves in `team/`.

import type { Entry } from "../../src/core/entry.ts";
import { rowOf } from "./temp_store.ts";

/** Writers in the order of their names. */
export const writerIds = [1, 2, 3, 4, 5, 6, 7, 8].map((n) =>
  `${String(n).repeat(8)}-0000-4000-8000-000000000000`
);

/** A row as a member's store pushed it. */
export function teamLine(fields: Partial<Entry>, author: string, seq: number): string {
  return JSON.stringify({ ...rowOf(fields, seq - 1, author), author, seq });
}

/** A member's log. */
export function teamLog(author: string, rows: (Partial<Entry> | string)[]): string {
  const toFields = (row: Partial<Entry> | string) => typeof row === "string" ? { text: row } : row;
  return rows.map((row, i) => teamLine(toFields(row), author, i + 1) + "\n").join("");
}

/** The files of several members' logs, for `tempStore({ files })`. */
export function teamFiles(
  logs: Record<string, (Partial<Entry> | string)[]>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(logs).map(([author, rows], i) => [
      `team/${writerIds[i]}.ndjson`,
      teamLog(author, rows),
    ]),
  );
}
