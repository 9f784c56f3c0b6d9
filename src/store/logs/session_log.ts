// Session metadata as events in `sessions.ndjson`: opened, titled, imported, untitled, distilled,
// asked, quarantined, released, closed. The last value of a field wins. What a session contains is read from history, never
// from here.

import { isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import { isVersioned } from "../../disk/conflicts.ts";
import type { Layout } from "../../disk/layout.ts";
import { findRecord, readLines, readRecords } from "../../disk/lines.ts";
import type { sessionEvent } from "../../formats/log_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

/** One line of `sessions.ndjson`; unknown fields are kept. */
export type SessionEvent = RowOf<typeof sessionEvent> & Record<string, unknown>;

/** What the events say of one session. */
export interface SessionMeta {
  session_id: string;
  opened?: string;
  closed?: string;
  title?: string;
  title_from?: string;
  /** Whether something of it was forgotten: its agent's titles, made of the whole, do not count. */
  untitled?: boolean;
  source?: string;
  project?: string;
  branch?: string;
  [field: string]: unknown;
}

/**
 * All session events in order; lines that are none are passed over (doctor reports them). `onDamage` is
 * called if there are lines that are not JSON.
 */
export function readSessionEvents(
  files: Files,
  layout: Pick<Layout, "sessions" | "gitattributes">,
  onDamage?: () => void,
): SessionEvent[] {
  const values = parseLines(files.findBytes(layout.sessions) ?? new Uint8Array());
  if (values === undefined) onDamage?.();
  const events = values?.filter(isSessionEvent) ??
    [...readRecords(files, layout.sessions, isSessionEvent)];
  return orderEvents({ files, layout }, events);
}

/** The values of whole lines, all parsed at once; undefined if one is not JSON. */
function parseLines(bytes: Uint8Array): unknown[] | undefined {
  const whole = bytes.subarray(0, Math.max(0, bytes.lastIndexOf(newline)));
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(whole);
    const values = JSON.parse(`[${text.replaceAll("\n", ",")}]`);
    // Lines that are only JSON together are not these.
    return values.length === (text === "" ? 0 : text.split("\n").length) ? values : undefined;
  } catch {
    return undefined;
  }
}

const newline = 10;

/** Whether a session was ever put aside. */
export function hasQuarantined({ files, layout }: { files: Files; layout: Layout }): boolean {
  return !readLines(files, layout.sessions, { needles: ['"quarantined":'] }).next().done;
}

/** Events of a log in the order that counts: where git merges it, that of lines says nothing of time. */
export function orderEvents(
  { files, layout }: { files: Files; layout: Pick<Layout, "gitattributes"> },
  events: SessionEvent[],
): SessionEvent[] {
  if (!isVersioned(files, layout)) return events;
  return events.sort((a, b) => a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0);
}

/** Reads one line as an event, or returns undefined. */
export function parseSessionEvent(bytes: Uint8Array): SessionEvent | undefined {
  return findRecord(bytes, isSessionEvent);
}

export function isSessionEvent(value: unknown): value is SessionEvent {
  return isObject(value) && typeof value.session_id === "string" && typeof value.event === "string";
}

/** Folds events to one record per session, in order of first appearance. */
export function foldSessions(events: SessionEvent[]): Map<string, SessionMeta> {
  const sessions = new Map<string, SessionMeta>();
  for (const line of events) {
    const {
      event,
      session_id,
      ts,
      current: _current,
      title: _title,
      title_from: _from,
      ...fields
    } = line;
    const meta = sessions.get(session_id) ?? { session_id };
    Object.assign(meta, fields);
    applyTitle(meta, line);
    if (event === "opened") {
      meta.opened ??= ts;
      delete meta.closed;
    }
    if (event === "closed") meta.closed = ts;
    sessions.set(session_id, meta);
  }
  return sessions;
}

/**
 * Takes over what an event says of the title. `untitled` ends the titles before it, except one that
 * it repeats; its agent's titles do not count from then on, nor after one of the user's own.
 */
export function applyTitle(
  meta: Pick<SessionMeta, "title" | "title_from" | "untitled">,
  event: SessionEvent,
): void {
  const { title } = event;
  // Older versions did not say where an imported title came from.
  const from = event.title_from ?? (event.event === "imported" ? "prompt" : undefined);
  if (event.event === "untitled") {
    meta.untitled = true;
    delete meta.title;
  } else if (typeof title !== "string") return;
  else if (from !== undefined && (meta.untitled || isOwnTitle(meta))) return;
  delete meta.title_from;
  if (typeof title === "string") meta.title = title;
  if (typeof title === "string" && from !== undefined) meta.title_from = from;
}

function isOwnTitle({ title, title_from }: Pick<SessionMeta, "title" | "title_from">): boolean {
  return title !== undefined && title_from === undefined;
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
