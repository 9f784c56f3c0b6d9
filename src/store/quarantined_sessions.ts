// Sessions that the user put aside: found by a search, but nothing of them, and nothing derived from
// them, is sent to agents or binds them until they are let back. Events in `sessions.ndjson` say so.

import type { Entry } from "../core/entry.ts";
import type { Files } from "../disk/files.ts";
import type { Layout } from "../disk/layout.ts";
import { readRecords } from "../disk/lines.ts";
import { isSessionEvent, orderEvents, type SessionEvent } from "./logs/session_log.ts";

export interface Quarantine {
  /** The sessions, in one text: another one once a session was put aside or let back. */
  mark: string;
  /** Whether an entry is of such a session, or was derived from it. */
  holds(entry: Pick<Entry, "session_id" | "refs">): boolean;
}

/** What of a store is read for it. */
interface Logs {
  files: Files;
  layout: Layout;
  entries(options: { needles: string[] }): Iterable<{ entry: Entry }>;
}

/** The sessions that are put aside, each with when. */
export function readQuarantined(store: Omit<Logs, "entries">): Map<string, string> {
  const { files, layout } = store;
  const read = readRecords(files, layout.sessions, isSessionEvent, { needles: ['"quarantined":'] });
  const sessions = new Map<string, string>();
  for (const { session_id, ts, quarantined } of orderEvents(store, [...read])) {
    if (quarantined === true) sessions.set(session_id, ts);
    else if (quarantined === false) sessions.delete(session_id);
  }
  return sessions;
}

/** What is put aside; undefined where nothing is. */
export function findQuarantine(store: Logs): Quarantine | undefined {
  const sessions = readQuarantined(store);
  if (sessions.size === 0) return undefined;
  let ids: Set<string> | undefined;
  return {
    mark: [...sessions.keys()].sort().join("\n"),
    holds: ({ session_id, refs = [] }) => {
      if (sessions.has(session_id ?? "")) return true;
      if (refs.length === 0) return false;
      ids ??= readIds(store, sessions);
      return refs.some((id) => ids?.has(id));
    },
  };
}

/** The event that puts a session aside, or lets it back. */
export function quarantineEvent(session_id: string, ts: string, isAside: boolean): SessionEvent {
  const event = isAside ? "quarantined" : "released";
  return { event, session_id, ts, quarantined: isAside };
}

function readIds(store: Logs, sessions: ReadonlyMap<string, string>): Set<string> {
  const needles = [...sessions.keys()].map((id) => JSON.stringify(id));
  const ids = new Set<string>();
  for (const { entry } of store.entries({ needles })) {
    if (sessions.has(entry.session_id ?? "")) ids.add(entry.id);
  }
  return ids;
}
