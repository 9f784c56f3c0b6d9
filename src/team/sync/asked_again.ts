// Rows of a good chain whose body was changed or is missing. A body may be gone because its author or
// the owner erased it, which a signed row must tell; else the server withholds it, and that is told
// once. Both are asked for again with every sync: when the server is put right, the writer is pulled
// anew, so that its log has every row in its place.

import { authorOf } from "../../core/entry.ts";
import { readCursors, writeCursors } from "../../store/team/team_log.ts";
import { toBase64Url } from "../trust/base64url.ts";
import { digestOf } from "../trust/chain.ts";
import { erasedNeedle } from "./erase_rows.ts";
import type { PullCursor, Pulled, RefusedRow } from "./pull_rows.ts";
import type { SyncSession } from "./sync_session.ts";

/** How many rows of a writer are asked for again at once. */
const maxAsked = 100;

/** Sorts out what is missing; returns whether a writer is to be pulled anew. */
export async function askAgain(session: SyncSession, pulled: Pulled): Promise<boolean> {
  const { store, believed, remote, warn } = session;
  const cursors = readCursors(store.files, store.layout) as Record<string, PullCursor>;
  const missing = Object.entries(cursors).filter(([writer, { refused = [] }]) =>
    refused.length > 0 && believed.has(writer)
  );
  if (missing.length === 0) return false;
  const erased = readErased(session);
  const changes = new Map<string, PullCursor | undefined>();
  for (const [writer, cursor] of missing) {
    const author = believed.get(writer)?.name ?? "";
    const isExplained = ({ id, reason }: RefusedRow): boolean =>
      reason === "withheld" &&
      (erased.get(id)?.has(author) || erased.get(id)?.has(owners) || false);
    const left = (cursor.refused ?? []).filter((row) => !isExplained(row));
    const isBack = await findBack(session, writer, left);
    if (isBack) {
      changes.set(writer, undefined);
      continue;
    }
    const awaited = left.flatMap(({ seq }) => remote.findAwaited(writer, seq) ?? []);
    if (awaited.length > 0) warn(sayAwaited(author, awaited, remote.place));
    const isUnderWay = ({ seq }: RefusedRow): boolean =>
      remote.findAwaited(writer, seq) !== undefined;
    for (const row of left) {
      if (row.reason !== "withheld" || row.told || isUnderWay(row)) continue;
      pulled.refused.push({ author, writer, seq: row.seq, id: row.id, reason: "withheld" });
    }
    const told = left.map((row) => isUnderWay(row) ? row : { ...row, told: true as const });
    if (JSON.stringify(told) === JSON.stringify(cursor.refused)) continue;
    changes.set(writer, { ...cursor, refused: told.length > 0 ? told : undefined });
  }
  if (changes.size === 0) return false;
  await store.write("sync", (into) => {
    const all = readCursors(into.files, into.layout);
    for (const [writer, cursor] of changes) {
      // Without a cursor it is pulled from the beginning; the log is kept until then.
      if (cursor === undefined) delete all[writer];
      else all[writer] = cursor;
    }
    writeCursors(into, all);
  });
  return [...changes.values()].includes(undefined);
}

/** Whoever may write there can name a file that never comes: it is said for as long as it is missing. */
function sayAwaited(author: string, files: readonly string[], place: string): string {
  const [file] = files;
  return `${place} has no text for ${files.length} of ${author}'s entries: "${file}", which is said to have erased it, has not arrived yet`;
}

const owners = Symbol("the owner");

/** Who has asked for each id to be gone, by the rows here. */
function readErased({ store, me, believed }: SyncSession): Map<string, Set<string | symbol>> {
  const ownerNames = new Set(
    [...believed.values()].filter(({ owner }) => owner).map(({ name }) => name),
  );
  const erased = new Map<string, Set<string | symbol>>();
  using snapshot = store.openSnapshot();
  for (const row of snapshot.rows({ needles: [erasedNeedle] })) {
    const { entry } = row;
    if (entry.erased !== true) continue;
    const author = authorOf(row) ?? me.name;
    for (const id of entry.refs ?? []) {
      const askers = erased.get(id) ?? new Set();
      askers.add(author);
      if (ownerNames.has(author)) askers.add(owners);
      erased.set(id, askers);
    }
  }
  return erased;
}

/** Whether the server has one of the bodies as it was signed. */
async function findBack(
  { remote }: SyncSession,
  writer: string,
  rows: readonly RefusedRow[],
): Promise<boolean> {
  if (rows.length === 0) return false;
  const digests = new Map(rows.slice(0, maxAsked).map(({ seq, digest }) => [seq, digest]));
  for (const { seq, body } of await remote.pullAt(writer, [...digests.keys()])) {
    if (body === null) continue;
    if (toBase64Url(digestOf(body)) === digests.get(seq)) return true;
  }
  return false;
}
