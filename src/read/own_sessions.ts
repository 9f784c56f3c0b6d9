// The sessions that a person held here and can continue: the only definition. Not those of sub-agents,
// of other members or in quarantine, nor what was imported from other memory tools.

import { memorySources } from "../core/entry.ts";
import type { Store } from "../store/store.ts";
import { readSessionList, type SessionRow } from "./session_list.ts";

/** These sessions, newest first. */
export async function readOwnSessions(store: Store): Promise<SessionRow[]> {
  const quarantine = await store.findQuarantine();
  return readSessionList(store).filter(({ id, parent, author, message_count, source = "" }) =>
    parent === undefined && author === undefined && message_count > 0 &&
    !memorySources.has(source) && !quarantine?.holds({ session_id: id })
  );
}
