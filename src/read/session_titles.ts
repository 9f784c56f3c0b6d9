// The titles of sessions, for screens that show entries of several, and what else rows tell of theirs.

import type { Store } from "../store/store.ts";
import { readSessionCatalog } from "./session_catalog.ts";
import { loadSessions } from "./session_messages.ts";

/**
 * The title of each session that has one, or at least of those that are wanted: the log of sessions
 * mostly has these, and is short. Only what has none there is called by its first prompt, which the
 * catalog of all sessions knows.
 */
export function readSessionTitles(
  store: Store,
  wanted?: readonly (string | null | undefined)[],
): Map<string, string> {
  const titles = new Map<string, string>();
  if (wanted !== undefined) {
    const metas = store.readSessions();
    for (const { session_id, title } of metas.values()) if (title) titles.set(session_id, title);
    const isUntold = (id: string): boolean => metas.get(id)?.title === undefined;
    if (!wanted.some((id) => id && isUntold(id))) return titles;
  }
  for (const { id, title, first_user_line } of readSessionCatalog(store).values()) {
    const shown = title ?? first_user_line;
    if (shown) titles.set(id, shown);
  }
  return titles;
}

/** One session, for its rows. */
export interface SessionFacts {
  title: string;
  tokens: number;
  project?: string;
  /** The numbers of its messages by the ids of their entries. */
  numbers: Map<string, number>;
}

/** The facts of some sessions by id. */
export async function readSessionFacts(
  store: Store,
  ids: Iterable<string>,
): Promise<Map<string, SessionFacts>> {
  const loaded = await loadSessions(store, [...new Set(ids)]);
  return new Map(loaded.map(({ session, messages }) => [session.id, {
    title: session.title ?? session.first_user_line ?? "",
    tokens: session.estimated_tokens,
    project: session.project,
    numbers: new Map(messages.map(({ number, entry }) => [entry.id, number])),
  }]));
}
