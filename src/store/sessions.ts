// Session metadata as events in `sessions.ndjson`: opened, titled, imported, closed. The last value
// of a field wins. What a session contains is read from history, never from here.

import { isObject } from "../core/json.ts";
import type { Files } from "./files.ts";
import type { Layout } from "./layout.ts";
import { readLines } from "./lines.ts";

/** One line of `sessions.ndjson`; unknown fields are kept. */
export interface SessionEvent {
  event: "opened" | "titled" | "imported" | "closed";
  session_id: string;
  ts: string;
  title?: string;
  source?: string;
  project?: string;
  branch?: string;
  current?: boolean;
  [field: string]: unknown;
}

/** What the events say of one session. */
export interface SessionMeta {
  session_id: string;
  opened?: string;
  closed?: string;
  title?: string;
  source?: string;
  project?: string;
  branch?: string;
  [field: string]: unknown;
}

/** All session events in order; lines that are none are passed over (doctor reports them). */
export function readSessionEvents(
  files: Files,
  layout: Pick<Layout, "sessions">,
): SessionEvent[] {
  const events: SessionEvent[] = [];
  for (const line of readLines(files, layout.sessions)) {
    const event = parseSessionEvent(line.bytes);
    if (event) events.push(event);
  }
  return events;
}

/** Reads one line as an event, or returns undefined. */
export function parseSessionEvent(bytes: Uint8Array): SessionEvent | undefined {
  try {
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isSessionEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a parsed value is an event. */
export function isSessionEvent(value: unknown): value is SessionEvent {
  return isObject(value) && typeof value.session_id === "string" && typeof value.event === "string";
}

/** Folds events to one record per session, in order of first appearance. */
export function foldSessions(events: SessionEvent[]): Map<string, SessionMeta> {
  const sessions = new Map<string, SessionMeta>();
  for (const { event, session_id, ts, current: _current, ...fields } of events) {
    const meta = sessions.get(session_id) ?? { session_id };
    Object.assign(meta, fields);
    if (event === "opened") {
      meta.opened ??= ts;
      delete meta.closed;
    }
    if (event === "closed") meta.closed = ts;
    sessions.set(session_id, meta);
  }
  return sessions;
}

/** The session that was made current last and not closed since. */
export function currentSessionOf(events: SessionEvent[]): string | undefined {
  let current: string | undefined;
  for (const event of events) {
    if (event.event === "opened" && event.current !== false) current = event.session_id;
    if (event.event === "closed" && event.session_id === current) current = undefined;
  }
  return current;
}
