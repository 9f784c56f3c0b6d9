// What hooks did, one line each: `captures.ndjson`, rotated by size, appended without a lock. Tells
// which of an agent's sessions is live, when it was last captured, and what went wrong. Holds ids and
// messages of errors, never the words of a conversation.

import { isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { appendRow } from "./append_row.ts";
import { type BoundedLog, readRows } from "./rotate_log.ts";
import type { capture } from "../../formats/log_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

/** One line: a session was seen alive, ended, was captured, or could not be. */
export type CaptureEvent = RowOf<typeof capture>;

interface StorePlace {
  files: Files;
  layout: Layout;
}

const maxProblemChars = 500;
/** A session that has not been heard of for so long is taken for ended: it was killed. */
const liveMs = 12 * 3_600_000;

function boundedLog({ captures: path }: Layout): BoundedLog {
  return { path, fileBytes: 256 << 10, kept: 1 };
}

/** Appends one line; what cannot be written is told by the caller's own failure, not by this. */
export async function logCapture(
  { files, layout }: StorePlace,
  { now, ...event }: Omit<CaptureEvent, "ts"> & { now: number },
): Promise<void> {
  const problem = event.problem?.slice(0, maxProblemChars);
  try {
    const ts = new Date(now).toISOString();
    await appendRow(files, boundedLog(layout), { ...event, ts, problem });
  } catch {
    // A capture is worth more than its line.
  }
}

/** All events, oldest first. */
export function readCaptures({ files, layout }: StorePlace): CaptureEvent[] {
  return [...readRows(files, boundedLog(layout), isCaptureEvent)];
}

/** The conversation of an agent that was heard of last and has not ended. */
export function findLiveConversation(
  events: readonly CaptureEvent[],
  { agent, now }: { agent: string; now: number },
): { conversation: string; since: string } | undefined {
  const live = new Map<string, { since: string; last: string }>();
  for (const { event, ts, agent: whose, conversation } of events) {
    const isNews = event === "live" || event === "ended";
    if (!isNews || whose !== agent || conversation === undefined) continue;
    const since = live.get(conversation)?.since ?? ts;
    live.delete(conversation);
    if (event === "live") live.set(conversation, { since, last: ts });
  }
  const [conversation, found] = [...live].at(-1) ?? [];
  if (conversation === undefined || found === undefined) return undefined;
  return now - Date.parse(found.last) < liveMs ? { conversation, since: found.since } : undefined;
}

export interface CaptureState {
  agent: string;
  /** The last time that a hook of it brought something in. */
  last?: CaptureEvent;
  /** When a hook of it was called last. */
  heard: string;
  /** The last failure, unless its conversation, or all since one started, was captured since. */
  failure?: CaptureEvent;
}

/** The state of every agent that has called, by name. */
export function captureStates(events: readonly CaptureEvent[]): CaptureState[] {
  const states = new Map<string, CaptureState>();
  const failures = new Map<string, CaptureEvent>();
  for (const event of events) {
    const { agent } = event;
    const state = states.get(agent) ?? { agent, heard: event.ts };
    states.set(agent, state);
    if (event.hook !== importHook) state.heard = event.ts;
    if (event.event === "captured") {
      // A hook that found nothing new says that all is well, not that something came in.
      if ((event.entries ?? 0) > 0) state.last = event;
      for (const [key, failure] of failures) if (isMended(failure, event)) failures.delete(key);
    } else if (event.event === "failed") {
      const key = `${agent}\0${event.conversation ?? ""}`;
      failures.delete(key);
      failures.set(key, event);
    }
  }
  for (const failure of failures.values()) {
    const state = states.get(failure.agent);
    if (state !== undefined) state.failure = failure;
  }
  return [...states.values()].sort((a, b) => a.agent < b.agent ? -1 : 1);
}

/** Whether a capture brought in what an earlier one could not: the start of a session looks at all. */
function isMended(failure: CaptureEvent, captured: CaptureEvent): boolean {
  return failure.agent === captured.agent &&
    (failure.conversation === undefined || failure.conversation === captured.conversation ||
      isLookAtAll(captured));
}

/** Whether a capture looked at all sessions of its agent that changed since one started last. */
export function isLookAtAll({ hook }: CaptureEvent): boolean {
  return /^sessionStart$/i.test(hook ?? "") || hook === importHook;
}

/** Notes that an import by hand took over everything, where a hook had failed before. */
export async function noteImport(
  store: StorePlace,
  { agent, now }: { agent: string; now: number },
): Promise<void> {
  const state = captureStates(readCaptures(store)).find((state) => state.agent === agent);
  if (state?.failure === undefined) return;
  await logCapture(store, { event: "captured", agent, hook: importHook, entries: 0, now });
}

/** Stands in the place of a hook's name where `ctx import` was run. */
const importHook = "ctx import";

function isCaptureEvent(value: unknown): value is CaptureEvent {
  return isObject(value) && typeof value.event === "string" && typeof value.ts === "string" &&
    typeof value.agent === "string" &&
    (value.conversation === undefined || typeof value.conversation === "string");
}
