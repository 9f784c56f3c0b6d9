// What an export has beside its entries, in lines that are no entries: the events of their sessions
// (titles above all) and the pins. Older exports have none.

import { compareText } from "../../core/text.ts";
import { findJson, isObject } from "../../core/json.ts";
import { decodeLossy } from "../../core/utf8.ts";
import type { Files } from "../../disk/files.ts";
import { findTornTail, readLines } from "../../disk/lines.ts";
import { withoutEndedTitles } from "../logs/ended_titles.ts";
import { parsePins, type Pin, readPinsText } from "../logs/pins.ts";
import { isSessionEvent, readSessionEvents, type SessionEvent } from "../logs/session_log.ts";
import type { Store } from "../store.ts";

/** A line of an export that is no entry. */
export type ExtraLine = { session_event: SessionEvent } | { pin: Pin };

/** The extra lines of an export, and where they stand. */
export interface Extras {
  events: SessionEvent[];
  pins: Pin[];
  offsets: ReadonlySet<number>;
}

/** The extra lines that go with some entries. */
export function listExtras(
  store: Store,
  wanted: { sessions: ReadonlySet<string>; isWanted: (pin: Pin) => boolean },
): ExtraLine[] {
  const all = withoutEndedTitles(readSessionEvents(store.files, store.layout));
  const events = inOrder(all.filter((event) => wanted.sessions.has(event.session_id)))
    .map((event) => ({ session_event: toForeignEvent(event) }));
  const pins = parsePins(readPinsText(store)).filter(wanted.isWanted).map((pin) => ({ pin }));
  return [...events, ...pins];
}

/**
 * By time, then by session: an import writes them session by session, and exports the same bytes.
 * Those of one session stay as they followed each other, also where a clock went back.
 */
function inOrder(events: SessionEvent[]): SessionEvent[] {
  const latest = new Map<string, string>();
  const timed = events.map((event) => {
    const { session_id: session, ts } = event;
    const before = latest.get(session) ?? ts;
    const time = before > ts ? before : ts;
    latest.set(session, time);
    return { event, time };
  });
  timed.sort((a, b) =>
    compareText(a.time, b.time) || compareText(a.event.session_id, b.event.session_id)
  );
  return timed.map(({ event }) => event);
}

export function readExtras(files: Files, path: string): Extras {
  const offsets = new Set<number>();
  const events: SessionEvent[] = [];
  const pins: Pin[] = [];
  const take = ({ offset, bytes }: { offset: number; bytes: Uint8Array }): void => {
    const extra = findExtra(bytes);
    if (extra === undefined) return;
    offsets.add(offset);
    if ("pin" in extra) pins.push(extra.pin);
    else events.push(extra.session_event);
  };
  for (const line of readLines(files, path, { needles: ['"session_event":', '"pin":'] })) {
    take(line);
  }
  const tail = findTornTail(files, path);
  if (tail !== undefined) take(tail);
  return { events, pins, offsets };
}

/** An event as another store takes it: how far an agent was read and what is open stay behind. */
export function toForeignEvent(
  { resume: _resume, copies: _copies, ...event }: SessionEvent,
): SessionEvent {
  return event.event === "opened" ? { ...event, current: false } : event;
}

function findExtra(bytes: Uint8Array): ExtraLine | undefined {
  const value = findJson(decodeLossy(bytes));
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  const { session_event: event, pin } = value;
  if (isSessionEvent(event)) return { session_event: event };
  return isPin(pin) ? { pin: { ...pin, text: pin.text.split(/[\r\n]/)[0] } } : undefined;
}

function isPin(value: unknown): value is Pin {
  return isObject(value) && typeof value.text === "string" &&
    (value.id === undefined || (typeof value.id === "string" && value.id !== ""));
}
