// One conversation in several files: resumed, archived, copied with its directory. The file that went
// on last is the conversation. The others are copies: a message that only they have is taken, but
// what they say of a known message is old.

import { compareText } from "../../core/text.ts";
import type { SourceSession } from "../sources/source.ts";
import type { SessionMeta } from "../../store/logs/session_log.ts";

/** A conversation in a file, and whether another file has more of it. */
export interface ListedSession {
  session: SourceSession;
  isCopy: boolean;
}

/**
 * Tells conversations from their copies; conversations first, and the newest of them first: that is
 * what somebody looks for while the rest is read. The same file listed twice is one.
 */
export function splitCopies(sessions: readonly SourceSession[]): ListedSession[] {
  const places = new Map<string, SourceSession>();
  for (const session of sessions) places.set(`${session.id}\0${session.path}`, session);
  const newest = new Map<string, SourceSession>();
  for (const session of places.values()) {
    const other = newest.get(session.id);
    if (other === undefined || lastTime(session) > lastTime(other)) newest.set(session.id, session);
  }
  const listed = [...places.values()].map((session) => ({
    session,
    isCopy: newest.get(session.id) !== session,
  }));
  return listed.sort((a, b) =>
    Number(a.isCopy) - Number(b.isCopy) || compareText(lastTime(b.session), lastTime(a.session))
  );
}

/** The signatures of the copies that were read, by path. */
export function copiesOf(meta: SessionMeta | undefined): Record<string, string> {
  const copies = meta?.copies;
  return typeof copies === "object" && copies !== null ? copies as Record<string, string> : {};
}

function lastTime(session: SourceSession): string {
  return session.updated ?? session.started ?? "";
}
