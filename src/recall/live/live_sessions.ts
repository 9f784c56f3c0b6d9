// The sessions that are live in a repository and its worktrees: by their prompts that wait for a
// transcript, by what hooks did, by the edits of the last hour and by the log. Reads only.

import { readSessionCatalog, sessionTitle } from "../../store/session_catalog.ts";
import { type CaptureEvent, readCaptures } from "../../store/logs/capture_log.ts";
import { readHeld } from "../../store/logs/held_words.ts";
import type { Store } from "../../store/store.ts";
import { cleanWords } from "./clean_words.ts";
import { type LiveEdit, liveLog, liveMs, readLive } from "./live_log.ts";
import type { LiveFile, LiveSession } from "./live_session.ts";

const maxTitleChars = 60;

/** The live sessions, the one that was heard of last first. */
export function readLiveSessions(store: Store, nowMs: number): LiveSession[] {
  const since = new Date(nowMs - liveMs).toISOString();
  const edits = readLive(store.files, liveLog(store.layout), { nowMs });
  const last = new Map<string, string>();
  const hear = (conversation: string, ts: string): void => {
    if (ts >= since && ts > (last.get(conversation) ?? "")) last.set(conversation, ts);
  };
  const catalog = readSessionCatalog(store);
  const side = new Set<string>();
  for (const { conversation = "", session_id } of knownSessions(store)) {
    const { ended = "", closed, parent } = catalog.get(session_id) ?? {};
    // A sub-agent works for its session.
    if (parent !== undefined) side.add(conversation);
    else if (conversation !== "" && closed === undefined) hear(conversation, ended);
  }
  for (const { words } of readHeld(store)) if (words) hear(words.conversation, words.ts);
  for (const { conversation, event, ts } of readCaptures(store)) {
    if (conversation === undefined || event === "failed") continue;
    if (event === "ended") last.delete(conversation);
    else if (event === "live") hear(conversation, ts);
  }
  for (const { session, ts } of edits) hear(session, ts);
  const heard = [...last].filter(([conversation]) => !side.has(conversation));
  return heard.sort(([, a], [, b]) => a < b ? 1 : -1).map(([conversation, ts]) => {
    const own = edits.filter(({ session }) => session === conversation);
    const agent = own.findLast((edit) => edit.agent !== undefined)?.agent;
    const files = toFiles(own, store.layout.workspace);
    return { ...describeSession(store, { session: conversation, agent }), last: ts, files };
  });
}

/** What is known of a session by its agent's id. */
export function describeSession(
  store: Store,
  { session, agent }: { session: string; agent?: string },
): Pick<LiveSession, "conversation" | "id" | "agent" | "title"> {
  const known = knownSessions(store).find(({ conversation }) => conversation === session);
  const entry = known && readSessionCatalog(store).get(known.session_id);
  const held = readHeld(store).find(({ words }) =>
    words?.conversation === session && words.role === "user"
  )?.words;
  const whose = agent ?? known?.source ?? held?.agent ??
    readCaptures(store).findLast((event: CaptureEvent) => event.conversation === session)?.agent;
  const title = entry === undefined ? held?.text ?? "" : sessionTitle(entry);
  return {
    conversation: session,
    ...(known === undefined ? {} : { id: known.session_id }),
    agent: cleanWords(whose ?? "unknown agent", 30),
    title: cleanWords(title.slice(0, 1000), maxTitleChars),
  };
}

function knownSessions(
  store: Store,
): { session_id: string; source?: string; conversation?: string }[] {
  return [...store.readSessions().values()].flatMap(({ session_id, source, conversation }) =>
    typeof conversation === "string" ? [{ session_id, source, conversation }] : []
  );
}

function toFiles(edits: readonly LiveEdit[], workspace: string): LiveFile[] {
  const files = new Map<string, LiveFile & { spans: Set<string> }>();
  for (const { file, tree, ts, spans } of edits) {
    const key = `${tree}/${file}`;
    const known = files.get(key) ?? { path: file, lines: "", last: ts, spans: new Set<string>() };
    for (const { from, to } of spans) {
      known.spans.add(to - from > 1 ? `${from + 1}-${to}` : `${from + 1}`);
    }
    files.delete(key);
    files.set(key, {
      ...known,
      ...(tree === workspace ? {} : { worktree: tree }),
      last: ts,
      lines: [...known.spans].slice(-maxRanges).join(", "),
    });
  }
  return [...files.values()].reverse().map(({ spans: _, ...file }) => file);
}

const maxRanges = 5;
