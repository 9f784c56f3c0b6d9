// The chronological window around an entry, across the border between hot and archive.

import type { Entry, Pool } from "../core/entry.ts";
import type { Place, Store } from "../store/store.ts";

/** A window of entries and whether there is more on either side. */
export interface TimelineWindow {
  rows: { entry: Entry; pool: Pool; position: number }[];
  total: number;
  has_more_before: boolean;
  has_more_after: boolean;
}

/** The entries around an anchor within its session, or among all entries. */
export function readTimeline(
  store: Store,
  anchor: Entry,
  options: { before: number; after: number; everySession: boolean },
): TimelineWindow {
  const places = options.everySession
    ? readAll(store)
    : store.readSession(anchor.session_id ?? null);
  const at = places.findIndex((place) => place.id === anchor.id);
  const from = Math.max(0, at - options.before);
  const to = Math.min(places.length, at + options.after + 1);
  const rows = [];
  for (let i = from; i < to; i++) {
    const entry = store.findRowAt(places[i]);
    if (entry) rows.push({ entry, pool: places[i].pool, position: i + 1 });
  }
  return {
    rows,
    total: places.length,
    has_more_before: from > 0,
    has_more_after: to < places.length,
  };
}

function readAll(store: Store): (Place & { ts: string })[] {
  const places: (Place & { ts: string })[] = [];
  for (const { entry, pool, offset, length } of store.entries()) {
    places.push({ id: entry.id, ts: entry.ts, pool, offset, length });
  }
  return places.sort((a, b) => a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0);
}
