// The chronological window around an entry, across the border between hot and archive.

import { compareText } from "../core/text.ts";
import { docType, type Entry, type Pool } from "../core/entry.ts";
import type { Place, Store } from "../store/store.ts";
import { askIndex, type IndexUse } from "../index/ask_index.ts";
import { getMessages, type SessionMessage } from "./session_messages.ts";
import { isSame, pickTimeWindow } from "./time_window.ts";

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
  if (!options.everySession && anchor.session_id !== undefined) {
    return inSession(await getMessages(store, anchor.session_id, options), anchor, options);
  }
  const isSection = typeof anchor.document === "string" && anchor.type === docType;
  const window = options.everySession || !isSection
    ? await findWindow(store, anchor, options)
    : undefined;
  if (window) return window;
  const places = options.everySession
    ? readAll(store)
    : isSection
    ? readDocument(store, anchor)
    : store.readSession(null);
  const at = places.findIndex(({ id, ...place }) =>
    id === anchor.id && isSame(store.findRowAt({ id, ...place }), anchor)
  );
  const { near, from, ...rest } = cutAround(places, at, options);
  const rows = near.flatMap((place, i) => {
    const entry = store.findRowAt(place);
    return entry ? [{ entry, pool: place.pool, position: from + i + 1 }] : [];
  });
  return { rows, ...rest };
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

/** The window among all entries, or among those of no session, through the index. */
async function findWindow(
  store: Store,
  anchor: Entry,
  options: { before: number; after: number; everySession: boolean } & IndexUse,
): Promise<TimelineWindow | undefined> {
  using snapshot = store.openSnapshot();
  const compare = options.everySession ? byTime : byTimeAndIndex;
  const window = await askIndex(store, snapshot, (index) => {
    const timed = index.times({ sessionless: !options.everySession });
    return timed && pickTimeWindow(timed, anchor, { ...options, compare });
  }, options);
  if (window === undefined) return undefined;
  const { rows, before, total } = window;
  return {
    rows: rows.map(({ entry, pool }, i) => ({ entry, pool, position: before + i + 1 })),
    total,
    has_more_before: before > 0,
    has_more_after: before + rows.length < total,
  };
}

function byTime(a: { ts: string }, b: { ts: string }): number {
  return compareText(a.ts, b.ts);
}

function byTimeAndIndex(a: Entry, b: Entry): number {
  return byTime(a, b) || (a.index ?? 0) - (b.index ?? 0);
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
function readDocument(store: Store, anchor: Entry): Place[] {
  const places: (Place & { index: number })[] = [];
  for (
    const { entry, pool, offset, length } of store.entries({ needles: [`"type":"${docType}"`] })
  ) {
    if (entry.document !== anchor.document || entry.collection !== anchor.collection) continue;
    places.push({ id: entry.id, pool, offset, length, index: entry.index ?? 0 });
  }
  return places.sort((a, b) => a.index - b.index);
}

function readAll(store: Store): (Place & { ts: string })[] {
  const places: (Place & { ts: string })[] = [];
  for (const { entry, pool, offset, length } of store.entries()) {
    places.push({ id: entry.id, ts: entry.ts, pool, offset, length });
  }
  return places.sort(byTime);
}
