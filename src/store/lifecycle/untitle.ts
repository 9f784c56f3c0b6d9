// Titles go with what they were made of. An agent makes its title from the whole conversation, so a
// session of which something is forgotten has none of its agent's from then on: an `untitled` event
// ends those that were written, and those that importing again would bring. The user's own title
// stays, unless it says what was forgotten.

import type { Lost, LostSession } from "./lost.ts";
import { hasEndedTitle, withoutTitle } from "../logs/ended_titles.ts";
import {
  foldSessions,
  parseSessionEvent,
  readSessionEvents,
  type SessionEvent,
  type SessionMeta,
} from "../logs/session_log.ts";
import { decodeLossy } from "../../core/utf8.ts";
import { rewriteFile } from "../rewrite.ts";
import type { Writer } from "../writer.ts";

/** Ends the titles of sessions that lose entries; hidden at once, the bytes go with `dropTitles`. */
export function untitle(writer: Writer, { sessions }: Pick<Lost, "sessions">): void {
  if (sessions.size === 0) return;
  const known = foldSessions(readSessionEvents(writer.files, writer.layout));
  const ended = new Map<string, string | undefined>();
  for (const [id, lost] of sessions) {
    const meta = known.get(id);
    const kept = keptTitle(meta, lost);
    if (isEnded(meta, kept, lost)) ended.set(id, kept);
  }
  // A sub-session's title comes from its parent's text, so it goes too.
  for (const { session_id: id, parent, title, title_from } of known.values()) {
    const lost = sessions.get(typeof parent === "string" ? parent : "");
    if (lost === undefined || title === undefined || title_from === undefined) continue;
    if (!ended.has(id) && lost.words.areIn(title)) ended.set(id, undefined);
  }
  endTitles(writer, ended);
}

/** Whether there is a title to end, now or when its agent is imported again. */
function isEnded(
  meta: SessionMeta | undefined,
  kept: string | undefined,
  lost: LostSession,
): boolean {
  if (meta?.untitled === true && kept === meta.title) return false;
  return lost.imported || meta?.source !== undefined || kept !== meta?.title;
}

/** Appends the events that end titles; the title given for a session stays. */
export function endTitles(
  writer: Writer,
  ended: ReadonlyMap<string, string | undefined>,
): void {
  const ts = writer.timestamp();
  // A view of one session says nothing of others.
  const own = writer.files.isScoped ? writer.state.session_id : undefined;
  writer.appendSessionEvents(
    [...ended].filter(([id]) => own === undefined || id === own).map(([session_id, title]) => ({
      event: "untitled",
      session_id,
      ts,
      ...(title === undefined ? {} : { title }),
    })),
  );
}

/**
 * Removes the bytes of ended titles, and the events of sessions of which nothing is left, except that
 * they were untitled; the current one only loses its title. Returns how many lines changed.
 */
export function dropTitles(writer: Writer, gone: ReadonlySet<string>, { words }: Lost): number {
  const known = foldSessions(readSessionEvents(writer.files, writer.layout));
  const marked = new Set<string>();
  return rewriteFile(writer, writer.layout.sessions, ({ bytes }) => {
    const event = parseSessionEvent(bytes);
    if (event === undefined) return words.areQuotedIn(decodeLossy(bytes)) ? "drop" : "keep";
    const { session_id: id, title } = event;
    if (!gone.has(id)) {
      return hasEndedTitle(event, known.get(id)) ? { rows: [withoutTitle(event)] } : "keep";
    }
    if (id !== writer.state.session_id && !isFirstMark(event, marked)) return "drop";
    return title === undefined ? "keep" : { rows: [withoutTitle(event)] };
  });
}

function isFirstMark({ event, session_id }: SessionEvent, marked: Set<string>): boolean {
  if (event !== "untitled" || marked.has(session_id)) return false;
  marked.add(session_id);
  return true;
}

/** A title by hand that does not say what is forgotten. */
function keptTitle(meta: SessionMeta | undefined, lost: LostSession): string | undefined {
  if (meta?.title === undefined) return undefined;
  const isByHand = meta.title_from === undefined || meta.title_from === "custom";
  return isByHand && !lost.words.areAllOf(meta.title) ? meta.title : undefined;
}
