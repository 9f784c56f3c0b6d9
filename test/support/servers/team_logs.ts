// Others' logs by hand: what a sync leaves in `team/`.

import type { Entry } from "../../../src/core/entry.ts";
import { rowOf } from "../stores/temp_store.ts";

/** `remote.json` of a store that is Ada's in a space that is not hers. */
export const remoteOfAda: string = JSON.stringify({
  version: 1,
  space: "acme",
  writer: "0b6c6a4e-9d5f-4a86-9d2c-0f5b6f6f0001",
  name: "ada",
  owner: false,
  encrypted: false,
});

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
