// Where the messages of a session are, kept while a server runs: a page that scrolls asks for a few
// messages again and again, and their numbers take reading the whole session. Kept for a few sessions
// of a store until something is written to it; a row must still have its id.

import { pools } from "../../core/entry.ts";
import type { Store } from "../../store/store.ts";
import type { SessionMessage } from "../session_messages.ts";

/** A message's number and where its row is. */
export type MessagePlace = Omit<SessionMessage, "entry"> & { id: string };

/** A session, in the store that stays open and in the view that is read. */
export interface SessionAt {
  store: Store;
  view: Store;
  id: string;
}

interface Kept {
  mark: string;
  places: readonly MessagePlace[];
}

const kept = new WeakMap<Store, Map<string, Kept>>();
const mostSessions = 4;

export function findPlaces({ store, view, id }: SessionAt): readonly MessagePlace[] | undefined {
  const known = kept.get(store)?.get(id);
  return known?.mark === markOf(view) ? known?.places : undefined;
}

/** Keeps where messages are. */
export function keepPlaces(
  { store, view, id }: SessionAt,
  messages: readonly SessionMessage[],
): readonly MessagePlace[] {
  const places = messages.map(({ entry, ...place }) => ({ id: entry.id, ...place }));
  const sessions = kept.get(store) ?? new Map();
  kept.set(store, sessions);
  // The oldest goes; one that is kept again becomes the newest.
  sessions.delete(id);
  sessions.set(id, { mark: markOf(view), places });
  for (const [oldest] of sessions) {
    if (sessions.size <= mostSessions) break;
    sessions.delete(oldest);
  }
  return places;
}

/** The messages at some places; undefined when another row is there by now. */
export function readPlaces(
  view: Store,
  places: readonly MessagePlace[],
): SessionMessage[] | undefined {
  using snapshot = view.openSnapshot();
  const found: SessionMessage[] = [];
  for (const pool of pools) {
    const here = places.filter((place) => place.pool === pool)
      .sort((a, b) => a.offset - b.offset);
    let at = 0;
    for (const entries of snapshot.readEach(here)) {
      const place = here[at++];
      const entry = entries.find(({ id }) => id === place.id);
      if (entry === undefined) return undefined;
      found.push({ ...place, entry });
    }
  }
  const order = new Map(places.map(({ id }, i) => [id, i]));
  return found.sort((a, b) => (order.get(a.entry.id) ?? 0) - (order.get(b.entry.id) ?? 0));
}

/** How long the logs and the events of sessions are, and how often they were written to. */
function markOf(view: Store): string {
  using snapshot = view.openSnapshot();
  const { files, layout } = view;
  return JSON.stringify([
    view.readState().revision,
    ...pools.map((pool) => snapshot.sizeOf(pool)),
    files.findSize(layout.sessions),
  ]);
}
