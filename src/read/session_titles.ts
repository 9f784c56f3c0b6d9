// The titles of sessions, for screens that show entries of several, and what else rows tell of theirs.

import type { CatalogSession } from "../store/catalog_sessions.ts";
import { findSessions, readSessionCatalog, sessionTitle } from "../store/session_catalog.ts";
import type { Store } from "../store/store.ts";
import { loadSessions } from "./session_messages.ts";

/** The title of each session that has one. */
export function readSessionTitles(store: Store): Map<string, string> {
  return toTitles(readSessionCatalog(store).values());
}

export async function findSessionTitles(
  store: Store,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = findSessions(store, ids)?.values() ??
    (await loadSessions(store, ids, { orNone: true, minBytes: 0 })).map(({ session }) => session);
  return toTitles(found);
}

function toTitles(sessions: Iterable<CatalogSession>): Map<string, string> {
  return new Map(
    [...sessions].map((session) => [session.id, sessionTitle(session)] as const)
      .filter(([, title]) => title !== ""),
  );
}

export interface SessionFacts {
  title: string;
  tokens: number;
  project?: string;
  /** The numbers of its messages by the ids of their entries. */
  numbers: Map<string, number>;
}

export async function readSessionFacts(
  store: Store,
  ids: Iterable<string>,
): Promise<Map<string, SessionFacts>> {
  const loaded = await loadSessions(store, [...new Set(ids)]);
  return new Map(loaded.map(({ session, messages }) => [session.id, {
    title: sessionTitle(session),
    tokens: session.estimated_tokens,
    project: session.project,
    numbers: new Map(messages.map(({ number, entry }) => [entry.id, number])),
  }]));
}
