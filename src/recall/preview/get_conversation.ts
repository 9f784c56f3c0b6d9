// The conversation that a preview is for.

import { CtxError } from "../../core/errors.ts";
import { readGiven, readSessionsOf } from "../../store/logs/injection_log.ts";
import type { Store } from "../../store/store.ts";
import { readSuggestionEvents } from "../edit/suggestion_log.ts";

/** The agent's id of a conversation that is kept as a session, or that a hook told something. */
export function getConversation(store: Store, session: string): string {
  const meta = store.readSessions().get(session);
  if (meta !== undefined) {
    return typeof meta.conversation === "string" ? meta.conversation : session;
  }
  const isKnown = readSessionsOf(store, session).size > 0 ||
    readGiven(store).some(({ conversation }) => conversation === session) ||
    wasSuggested(store, session);
  if (isKnown) return session;
  throw new CtxError("NOT_FOUND", `Cannot preview for "${session}": there is no such session`, {
    hint: "ctx sessions; without --session it is what a new one is told",
  });
}

function wasSuggested({ files, layout }: Store, session: string): boolean {
  const needles = [JSON.stringify(session)];
  return readSuggestionEvents(files, layout, { needles })
    .some(({ event }) => event.event === "suggested" && event.session_id === session);
}
