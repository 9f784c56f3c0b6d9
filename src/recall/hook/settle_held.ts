// What becomes of held words after an import: those that their conversation's transcript has are
// dropped. Words that have waited for a day without it are taken as turns of that conversation's
// session: nothing is lost because an agent was killed before it wrote.

import { cutRecalled } from "../../core/rows/fence.ts";
import type { Draft, Entry } from "../../core/entry.ts";
import { makeId } from "../../core/id.ts";
import { isTitleTalk } from "../../core/voice/not_the_user.ts";
import { findAgentSessions, toSessionEvent } from "../../store/agent_sessions.ts";
import { type HeldWords, readHeld } from "../../store/logs/held_words.ts";
import type { SessionEvent, SessionMeta } from "../../store/logs/session_log.ts";
import type { Store } from "../../store/store.ts";

/** How long words wait for their transcript. */
export const heldMs = 24 * 3_600_000;
/** Clocks of a hook and of its agent's transcript are the same machine's, but not the same moment. */
const slackMs = 10_000;

/** Settles the words of an agent; returns how many turns were taken. */
export async function settleHeld(
  store: Store,
  { agent, now }: { agent: string; now: number },
): Promise<number> {
  const held = readHeld(store).filter(({ words }) => words === undefined || words.agent === agent);
  if (held.length === 0) return 0;
  const sessions = findAgentSessions(store, agent);
  const transcripts = new Map<string, Entry[]>();
  const gone: string[] = [];
  const late: HeldWords[] = [];
  for (const { path, words } of held) {
    if (words === undefined || isTitleTalk(words)) {
      gone.push(path);
      continue;
    }
    const session = sessions.get(words.conversation)?.session_id;
    if (session !== undefined && !transcripts.has(session)) {
      transcripts.set(session, readTranscript(store, session));
    }
    const isTold = hasWords(transcripts.get(session ?? "") ?? [], words);
    const isLate = now - Date.parse(words.ts) > heldMs;
    if (!isTold && isLate) late.push(words);
    if (isTold || isLate) gone.push(path);
  }
  const taken = await takeTurns(store, late, sessions);
  for (const path of gone) store.files.remove(path);
  return taken;
}

/** What of a session came from its transcript: not what was saved into it. */
function readTranscript(store: Store, session: string): Entry[] {
  return store.readSession(session).flatMap((place) => store.findRowAt(place) ?? [])
    .filter(({ source }) => source?.message !== undefined);
}

/** Whether a transcript has the words, or has gone on after them: then what it has is what counts. */
function hasWords(transcript: Entry[], { ts, role, text }: HeldWords): boolean {
  const from = Date.parse(ts) - slackMs;
  // Some agents give all rows of a conversation one time.
  const isTimed = new Set(transcript.map((entry) => entry.ts)).size > 1;
  const said = toPlain(text);
  return transcript.some((entry) => {
    const isLater = !isTimed || Date.parse(entry.ts) >= from;
    if (!isLater) return false;
    const told = toPlain(entry.text);
    const isSame = told.startsWith(said) || (told !== "" && said.endsWith(told));
    if (entry.role === role && isSame) return true;
    return isTimed && entry.ts > ts;
  });
}

function toPlain(text: string): string {
  return cutRecalled(text).text.replace(/\s+/g, " ").trim();
}

async function takeTurns(
  store: Store,
  late: HeldWords[],
  sessions: ReadonlyMap<string, SessionMeta>,
): Promise<number> {
  /** Sessions that only these words tell of. */
  const begun = new Map<string, SessionEvent>();
  const sessionOf = (words: HeldWords): string => {
    const known = sessions.get(words.conversation) ?? begun.get(words.conversation);
    if (known !== undefined) return known.session_id;
    const event = toSessionEvent(words);
    begun.set(words.conversation, event);
    return event.session_id;
  };
  const drafts = late.map((words) => toDraft(words, sessionOf(words)))
    .filter(({ text }) => text !== "");
  if (drafts.length === 0) return 0;
  return await store.write("hook", (writer) => {
    // Under the lock: another hook may settle the same words.
    const known = store.find(drafts.map(({ id }) => id));
    const fresh = drafts.filter(({ id }) => known.get(id)?.row === undefined);
    if (fresh.length === 0) return 0;
    writer.appendSessionEvents([...begun.values()]);
    writer.append(fresh);
    return fresh.length;
  });
}

function toDraft({ ts, agent, conversation, role, text }: HeldWords, session_id: string) {
  const draft = {
    id: makeId("H", Date.parse(ts) || 0, `${agent}\0${conversation}\0held\0${role}\0${text}`),
    ts,
    role,
    type: "turn",
    text: cutRecalled(text).text,
    session_id,
    source: { agent, conversation },
  };
  return draft satisfies Draft;
}
