// Sessions by the beginning of their id, by their agent's own id of the conversation, and by title.

import { readSessionCatalog, sessionTitle } from "../../store/session_catalog.ts";
import type { Store } from "../../store/store.ts";
import { type Candidate, isAbout, preferWhole } from "./candidate.ts";

/** A session, with its agent's own id of it. */
export interface KnownSession extends Candidate {
  conversation?: string;
}

/** Shorter beginnings of an agent's id would be met by chance. */
const minConversation = 8;

/** The sessions that a word may mean: those of an id before those of a conversation or a title. */
export function findSessionCandidates(
  sessions: readonly KnownSession[],
  word: string,
  { isTitled }: { isTitled: boolean },
): Candidate[] {
  const named = preferWhole(sessions.filter(isAbout(word, "S")), word);
  if (named.length > 0) return named;
  const said = word.toLowerCase();
  const held = sessions.filter(({ conversation }) =>
    conversation === word ||
    said.length >= minConversation && conversation?.toLowerCase().startsWith(said)
  );
  if (held.length > 0 || !isTitled) return held;
  const titled = sessions.filter(({ title }) => title.toLowerCase().includes(said));
  const same = titled.filter(({ title }) => title.toLowerCase() === said);
  return same.length > 0 ? same : titled;
}

/** All sessions, with what people know of them. */
export function listSessions(store: Store): KnownSession[] {
  const metas = store.readSessions();
  return [...readSessionCatalog(store).values()].map((session) => {
    const conversation = metas.get(session.id)?.conversation;
    return {
      id: session.id,
      ts: session.ended ?? session.opened ?? "",
      title: sessionTitle(session),
      ...(typeof conversation === "string" ? { conversation } : {}),
    };
  });
}
