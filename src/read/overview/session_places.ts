// Where the messages of a session are, kept while a server runs: a page that scrolls asks for a few
// messages again and again, and their numbers take reading the whole session. Kept for a few sessions
// of a store until one of them gets a row or a log is rewritten; a row must still have its id.

import { type Pool, pools } from "../../core/entry.ts";
import { hashHex } from "../../core/hash.ts";
import { readLines } from "../../disk/lines.ts";
import { toNeedles } from "../../store/find.ts";
import { type Snapshot, tombstoneNeedle } from "../../store/snapshot.ts";
import type { Store } from "../../store/store.ts";
import type { SessionMessage } from "../session_messages.ts";

/** A message's number and where its row is. */
export interface MessagePlace {
  number: number;
  id: string;
  pool: Pool;
  offset: number;
  length: number;
}

/** A session, in the store that stays open and in the view that is read. */
export interface SessionAt {
  store: Store;
  view: Store;
  id: string;
}

interface Kept {
  mark: Mark;
  places: readonly MessagePlace[];
}

const kept = new WeakMap<Store, Map<string, Kept>>();
const mostSessions = 4;

/** The places that are known of a session as it is now. */
export function findPlaces({ store, view, id }: SessionAt): readonly MessagePlace[] | undefined {
  const known = kept.get(store)?.get(id);
  if (known === undefined || !holds(known.mark, view, id)) return undefined;
  known.mark = markOf(view);
  return known.places;
}

/** Keeps where messages are. */
export function keepPlaces(
  { store, view, id }: SessionAt,
  messages: readonly SessionMessage[],
): readonly MessagePlace[] {
  const places = messages.map(({ number, entry, pool, offset, length }) => ({
    number,
    id: entry.id,
    pool,
    offset,
    length,
  }));
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

/** How long the logs and the events of sessions are, and how they end there. */
interface Mark {
  logs: Record<Pool, { size: number; end: string }>;
  events: number;
}

function markOf(view: Store): Mark {
  using snapshot = view.openSnapshot();
  const end = (pool: Pool) => {
    const size = snapshot.sizeOf(pool);
    return { size, end: endAt(snapshot, pool, size) };
  };
  return {
    logs: { archive: end("archive"), hot: end("hot"), team: end("team") },
    events: view.files.findSize(view.layout.sessions) ?? 0,
  };
}

/** Whether nothing was rewritten since, nothing forgotten and nothing added that names a session. */
function holds({ logs, events }: Mark, view: Store, id: string): boolean {
  using snapshot = view.openSnapshot();
  const needles = toNeedles([id]);
  const isSame = pools.every((pool) => {
    const { size, end } = logs[pool];
    if (snapshot.sizeOf(pool) < size || endAt(snapshot, pool, size) !== end) return false;
    const added = { pools: [pool], from: { [pool]: size } };
    return needles !== undefined &&
      snapshot.rows({ ...added, needles: [...needles, tombstoneNeedle] }).next().done === true;
  });
  const { files, layout } = view;
  return isSame && (files.findSize(layout.sessions) ?? 0) >= events &&
    readLines(files, layout.sessions, { from: events, needles }).next().done === true;
}

function endAt(snapshot: Snapshot, pool: Pool, size: number): string {
  const from = Math.max(0, size - 96);
  return hashHex(String.fromCharCode(...snapshot.readBytes(pool, from, size - from)));
}
