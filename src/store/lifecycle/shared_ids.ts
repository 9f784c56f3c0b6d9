// Ids that more than one row has. Tombstones and corrections name ids: where stores that others wrote
// use one in several sessions, acting on it would reach an entry that was not meant, so it is refused.

import type { Entry } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { rowsOf } from "../find.ts";
import type { Found, Store } from "../store.ts";

/** The ids that more than one row has. */
export function findRepeatedIds(store: Store): Set<string> {
  const repeated = new Set<string>();
  const seen = new Set<string>();
  for (const { entry: { id } } of store.rows()) {
    if (seen.has(id)) repeated.add(id);
    seen.add(id);
  }
  return repeated;
}

/** What is to be done to entries, and which of them are meant; of those that share an id, none unless told. */
interface Acting {
  action: string;
  isMeant?: (entry: Entry) => boolean;
}

/** Refuses to act on entries that were picked when others, which were not, have one of their ids. */
export function refuseSharing(store: Store, ids: Iterable<string>, acting: Acting): void {
  const picked = new Set(ids);
  if (picked.size === 0) return;
  const repeated = [...findRepeatedIds(store)].filter((id) => picked.has(id));
  if (repeated.length === 0) return;
  for (const [id, found] of store.find(repeated)) refuseShared(id, found, acting);
}

/** Refuses to act on an id that names entries of several sessions, unless all are meant. */
export function refuseShared(
  id: string,
  found: Found | undefined,
  { action, isMeant = () => false }: Acting,
): void {
  const entries = rowsOf(found).map(({ entry }) => entry);
  if (entries.length < 2 || entries.every(isMeant)) return;
  const sessions = entries.slice(0, 5).map(({ session_id }) => session_id ?? "no session");
  throw new CtxError(
    "USAGE",
    `Cannot ${action} "${id}": entries of ${entries.length} sessions have that id (${
      sessions.join(", ")
    })`,
    { hint: "nothing was changed; to give each entry its own id, run: ctx doctor --fix" },
  );
}
