// Titles that were ended because something of their session was forgotten: they leave the events too.
// Apart from session_log.ts, which every start loads.

import { foldSessions, type SessionEvent, type SessionMeta } from "./session_log.ts";

/** The events without the titles that were ended: those are text of what was forgotten. */
export function withoutEndedTitles(events: SessionEvent[]): SessionEvent[] {
  const sessions = foldSessions(events);
  return events.map((event) =>
    hasEndedTitle(event, sessions.get(event.session_id)) ? withoutTitle(event) : event
  );
}

/** Whether an event has a title of a session that was untitled, other than the one it has now. */
export function hasEndedTitle(event: SessionEvent, meta: SessionMeta | undefined): boolean {
  return meta?.untitled === true && event.title !== undefined && event.title !== meta.title;
}

export function withoutTitle(event: SessionEvent): SessionEvent {
  const { title: _title, title_from: _from, ...rest }: SessionEvent = event;
  return rest;
}
