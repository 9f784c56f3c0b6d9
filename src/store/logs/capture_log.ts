// What hooks did, one line each: `captures.ndjson`, rotated by size, appended without a lock. Tells
// which of an agent's sessions is live, when it was last captured, and what went wrong. Holds ids and
// messages of errors, never the words of a conversation.

import { isObject } from "../../core/json.ts";
import { isoTime } from "../../core/iso_time.ts";
import { redactValue } from "../../core/redact/redact.ts";
import { encodeExact } from "../../core/utf8.ts";
import type { Files } from "../files/files.ts";
import type { Layout } from "../files/layout.ts";
import { readRecords } from "../files/lines.ts";
import { type BoundedLog, rotatedPaths, rotateLog } from "./rotate_log.ts";

/** One line: a session was seen alive, ended, was captured, or could not be. */
export interface CaptureEvent {
  event: "live" | "ended" | "captured" | "failed";
  ts: string;
  agent: string;
  /** The agent's name of the hook. */
  hook?: string;
  conversation?: string;
  entries?: number;
  problem?: string;
}

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
export function logCapture(
  { files, layout }: StorePlace,
  { now, ...event }: Omit<CaptureEvent, "ts"> & { now: number },
): void {
  const line = redactValue({
    ...event,
    ts: isoTime(now),
    ...(event.problem === undefined ? {} : { problem: event.problem.slice(0, maxProblemChars) }),
  }).value;
  const log = boundedLog(layout);
  try {
    const size = files.append(log.path, encodeExact(`${JSON.stringify(line)}\n`), { sync: false });
    if (!files.isScoped) rotateLog(files, log, size);
  } catch {
    // A capture is worth more than its line.
  }
}

/** All events, oldest first. */
export function readCaptures({ files, layout }: StorePlace): CaptureEvent[] {
  return rotatedPaths(boundedLog(layout)).reverse().flatMap((path) => [
    ...readRecords(files, path, isCaptureEvent),
  ]);
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

/** How the captures of one agent went. */
export interface CaptureState {
  agent: string;
  /** The last time that a hook of it brought something in. */
  last?: CaptureEvent;
  /** When a hook of it was called last. */
  heard: string;
  /** The last failure, unless a capture went well since. */
  failure?: CaptureEvent;
}

/** The state of every agent that has called, by name. */
export function captureStates(events: readonly CaptureEvent[]): CaptureState[] {
  const states = new Map<string, CaptureState>();
  for (const event of events) {
    const state = states.get(event.agent) ?? { agent: event.agent, heard: event.ts };
    states.set(event.agent, state);
    state.heard = event.ts;
    if (event.event === "captured") {
      // A hook that found nothing new says that all is well, not that something came in.
      if ((event.entries ?? 0) > 0) state.last = event;
      delete state.failure;
    } else if (event.event === "failed") state.failure = event;
  }
  return [...states.values()].sort((a, b) => a.agent < b.agent ? -1 : 1);
}

function isCaptureEvent(value: unknown): value is CaptureEvent {
  return isObject(value) && typeof value.event === "string" && typeof value.ts === "string" &&
    typeof value.agent === "string" &&
    (value.conversation === undefined || typeof value.conversation === "string");
}
