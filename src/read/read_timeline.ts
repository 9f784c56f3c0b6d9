// The chronological window around an entry, across the border between hot and archive.

import { docType, type Entry, type Pool } from "../core/entry.ts";
import type { TimedRows } from "../index/log_index.ts";
import type { Store } from "../store/store.ts";
import { askIndex, type IndexUse } from "../index/ask_index.ts";
import { getMessages, type SessionMessage } from "./session_messages.ts";
import { maxNear, pickTimeWindow, type TimeWindow } from "./time_window.ts";

/** A window of entries and whether there is more on either side. */
export interface TimelineWindow {
  rows: { entry: Entry; pool: Pool; position: number }[];
  total: number;
  has_more_before: boolean;
  has_more_after: boolean;
}

/** The entries around an anchor within its session or document, or among all entries. */
export async function readTimeline(
  store: Store,
  anchor: Entry,
  options: { before: number; after: number; everySession: boolean } & IndexUse,
): Promise<TimelineWindow> {
  if (options.everySession) return await inTime(store, anchor, options);
  if (anchor.session_id !== undefined) {
    return inSession(await getMessages(store, anchor.session_id, options), anchor, options);
  }
  const isSection = typeof anchor.document === "string" && anchor.type === docType;
  return isSection ? inDocument(store, anchor, options) : await inTime(store, anchor, options);
}

/** The part of a list around a place, where it starts, and whether there is more. */
function cutAround<T>(
  items: T[],
  at: number,
  options: { before: number; after: number },
): { near: T[]; from: number } & Omit<TimelineWindow, "rows"> {
  const from = Math.max(0, at - options.before);
  const to = Math.min(items.length, at + options.after + 1);
  return {
    near: items.slice(from, to),
    from,
    total: items.length,
    has_more_before: from > 0,
    has_more_after: to < items.length,
  };
}

/** The window among all entries, or among those of no session, through the index where there is one. */
async function inTime(
  store: Store,
  anchor: Entry,
  options: { before: number; after: number; everySession: boolean } & IndexUse,
): Promise<TimelineWindow> {
  const sessionless = !options.everySession;
  const compare = (a: Entry, b: Entry): number => sessionless ? (a.index ?? 0) - (b.index ?? 0) : 0;
  const pick = (timed: TimedRows, most?: number): TimeWindow | undefined =>
    pickTimeWindow(timed, anchor, { ...options, compare, most });
  using snapshot = store.openSnapshot();
  const known = await askIndex(store, snapshot, (index) => {
    const timed = index.times({ sessionless });
    return timed && pick(timed, maxNear);
  }, options);
  const { rows, before, total } = known ?? pick(readTimes(store, sessionless)) ??
    { rows: [], before: 0, total: 0 };
  return {
    rows: rows.map(({ entry, pool }, i) => ({ entry, pool, position: before + i + 1 })),
    total,
    has_more_before: before > 0,
    has_more_after: before + rows.length < total,
  };
}

/** The times of the rows as the index would tell them, from the logs. */
function readTimes(store: Store, sessionless: boolean): TimedRows {
  const rows = [...store.entries()].filter(({ entry }) =>
    !sessionless || entry.session_id === undefined && entry.type !== docType
  );
  return {
    times: Float64Array.from(rows, ({ entry }) => Date.parse(entry.ts)),
    read: (at) => rows[at],
  };
}

/** Within a session the positions are the numbers that `read` and `scan` take. */
function inSession(
  messages: SessionMessage[],
  anchor: Entry,
  options: { before: number; after: number },
): TimelineWindow {
  const same = messages.findIndex(({ entry }) => entry.id === anchor.id);
  const at = same >= 0 ? same : messages.findIndex(({ number }) => number === anchor.index);
  const { near, from: _from, ...rest } = cutAround(messages, at, options);
  return { rows: near.map(({ number, ...row }) => ({ ...row, position: number })), ...rest };
}

/** The sections of the anchor's document, in its order. */
function inDocument(
  store: Store,
  anchor: Entry,
  options: { before: number; after: number },
): TimelineWindow {
  const rows = [...store.entries({ needles: [`"type":"${docType}"`] })]
    .filter(({ entry }) =>
      entry.document === anchor.document && entry.collection === anchor.collection
    )
    .sort((a, b) => (a.entry.index ?? 0) - (b.entry.index ?? 0));
  const at = rows.findIndex(({ entry }) => entry.id === anchor.id);
  const { near, from, ...rest } = cutAround(rows, at, options);
  return {
    rows: near.map(({ entry, pool }, i) => ({ entry, pool, position: from + i + 1 })),
    ...rest,
  };
}
