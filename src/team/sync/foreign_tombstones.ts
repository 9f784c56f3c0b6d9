// A tombstone may name what its own member wrote; only the space's owner may take away what others
// wrote. One that reaches further is refused whole, also when what it names comes later. Readers may
// then believe every tombstone that lies beside others' rows.

import { authorOf, type Entry, tombstoneType } from "../../core/entry.ts";
import { rewriteTeam } from "../../store/lifecycle/rewrite_team.ts";
import { parseLine } from "../../store/row.ts";
import type { Writer } from "../../store/writer.ts";
import type { SharedEntry } from "../trust/row_payload.ts";
import type { SyncSession } from "./sync_session.ts";

/** A row that came, and whose it is. */
export interface CameRow {
  writer: string;
  entry: SharedEntry;
}

/** Tombstones that reach too far, and what the others name that nobody here knows yet. */
export interface Judged {
  foreign: CameRow[];
  /** By writer: ids whose author shows when they come. */
  open: Map<string, Set<string>>;
}

/** Judges the tombstones among rows that came. */
export function judgeTombstones(
  { store, believed, me }: SyncSession,
  rows: readonly CameRow[],
): Judged {
  const judged: Judged = { foreign: [], open: new Map() };
  const asked = rows.filter(({ entry, writer }) =>
    entry.type === tombstoneType && !believed.get(writer)?.owner && (entry.refs ?? []).length > 0
  );
  if (asked.length === 0) return judged;
  const authors = new Map(rows.map(({ entry }) => [entry.id, entry.author]));
  const found = store.find([...new Set(asked.flatMap(({ entry }) => entry.refs ?? []))]);
  for (const [id, { row }] of found) {
    if (row !== undefined) authors.set(id, authorOf(row) ?? me.name);
  }
  for (const row of asked) {
    const { refs = [], author } = row.entry;
    if (refs.some((id) => (authors.get(id) ?? author) !== author)) judged.foreign.push(row);
    else {
      const unknown = refs.filter((id) => !authors.has(id));
      if (unknown.length === 0) continue;
      judged.open.set(
        row.writer,
        (judged.open.get(row.writer) ?? new Set()).union(new Set(unknown)),
      );
    }
  }
  return judged;
}

/** Under the lock: takes tombstones out again that named what turned out to be another's. */
export function dropForeign(into: Writer, claims: readonly { id: string; by: string }[]): void {
  if (claims.length === 0) return;
  const isForeign = (entry: Entry): boolean =>
    entry.type === tombstoneType &&
    claims.some(({ id, by }) => entry.author === by && (entry.refs ?? []).includes(id));
  rewriteTeam(into, (bytes) => parseLine(bytes).entries.some(isForeign) ? "drop" : "keep");
}
