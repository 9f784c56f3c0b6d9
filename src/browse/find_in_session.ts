// Stores that others wrote have entries of several sessions with one id: the first is the id's own, the
// others only the logs know.

import { tombstoneType } from "../core/entry.ts";
import { toNeedles } from "../store/find.ts";
import type { Row, Store } from "../store/store.ts";

/** The entry of an id in a session, where the id's own is in another. */
export function findInSession(store: Store, id: string, session: string): Row | undefined {
  for (const row of store.rows({ needles: toNeedles([id]) })) {
    const { entry } = row;
    if (entry.id === id && entry.session_id === session && entry.type !== tombstoneType) return row;
  }
  return undefined;
}
