// Links sessions to those that started them, whichever of the two was read first.

import type { SessionEvent, SessionMeta } from "../../store/logs/session_log.ts";

/** The events that link the sessions of one agent whose parent is known by now, but was not then. */
export function linkParents(
  known: ReadonlyMap<string, SessionMeta>,
  { source, now }: { source: string; now: number },
): SessionEvent[] {
  const ts = new Date(now).toISOString();
  return [...known.values()].flatMap(({ session_id, parent, parent_conversation }) => {
    const found = known.get(String(parent_conversation ?? ""))?.session_id;
    return parent !== undefined || found === undefined || found === session_id
      ? []
      : [{ event: "imported", session_id, ts, source, parent: found }];
  });
}
