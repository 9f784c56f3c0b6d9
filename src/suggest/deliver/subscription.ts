// Subscriptions as events in `subscriptions.ndjson`, append-only: made, ended, and how far a webhook
// has been served. A subscription is the fold of its events.

import { CtxError } from "../../core/errors.ts";
import type { Files } from "../../store/files/files.ts";
import type { Layout } from "../../store/files/layout.ts";
import { readLines } from "../../store/files/lines.ts";

/** What a pattern watches. */
export const patternTypes = ["file", "symbol", "topic", "entity"] as const;
/** One of `patternTypes`. */
export type PatternType = typeof patternTypes[number];

/** How a subscription is delivered. */
export const deliveryWays = ["poll", "sse", "webhook"] as const;
/** One of `deliveryWays`. */
export type DeliveryWay = typeof deliveryWays[number];

/** What to watch. */
export interface WatchPattern {
  type: PatternType;
  pattern: string;
}

/** A subscription as it was made. */
export interface SubscribedEvent {
  event: "subscribed";
  id: string;
  ts: string;
  patterns: WatchPattern[];
  via: DeliveryWay;
  url?: string;
  min_score: number;
  max: number;
  cooldown_ms: number;
  session_id?: string;
  /** Session this subscription is limited to; delivered by polling only. */
  pinned_session?: string;
  /** Where the log of suggestions ended when it was made: nothing before concerns it. */
  from: number;
}

/** A line of the log. */
export type SubscriptionEvent =
  | SubscribedEvent
  | { event: "unsubscribed"; id: string; ts: string }
  | { event: "delivered"; id: string; ts: string; cursor: number }
  | { event: "failed"; id: string; ts: string; cursor: number; attempts: number; error: string };

/** A subscription as it stands. */
export interface Subscription extends Omit<SubscribedEvent, "event"> {
  enabled: boolean;
  /** How far a webhook has been served. */
  cursor: number;
  delivered: number;
  /** Attempts in a row that failed, and why the last did. */
  failed_attempts: number;
  last_error?: string;
}

/** Every subscription ever made, in order. */
export function readSubscriptions(files: Files, layout: Layout): Map<string, Subscription> {
  const found = new Map<string, Subscription>();
  for (const { bytes } of readLines(files, layout.subscriptions)) {
    const event = parseEvent(bytes);
    if (event === undefined) continue;
    if (event.event === "subscribed") {
      const { event: _event, ...made } = event;
      found.set(event.id, {
        ...made,
        enabled: true,
        cursor: event.from,
        delivered: 0,
        failed_attempts: 0,
      });
      continue;
    }
    const known = found.get(event.id);
    if (known === undefined) continue;
    if (event.event === "unsubscribed") known.enabled = false;
    else if (event.event === "delivered") {
      known.cursor = event.cursor;
      known.delivered++;
      known.failed_attempts = 0;
      delete known.last_error;
    } else {
      known.failed_attempts = event.attempts;
      known.last_error = event.error;
    }
  }
  return found;
}

/** Active webhook subscriptions; scoped ones may not use webhooks. */
export function listWebhooks(files: Files, layout: Layout): (Subscription & { url: string })[] {
  return [...readSubscriptions(files, layout).values()].filter((item) =>
    item.enabled && item.via === "webhook" && item.pinned_session === undefined
  ).flatMap((item) => typeof item.url === "string" ? [{ ...item, url: item.url }] : []);
}

/** The subscription of that id; throws NOT_FOUND. */
export function getSubscription(files: Files, layout: Layout, id: string): Subscription {
  const found = readSubscriptions(files, layout).get(id);
  if (found !== undefined) return found;
  throw new CtxError("NOT_FOUND", `Cannot find the subscription "${id}"`, {
    hint: "ctx subscriptions",
  });
}

/** Reads `file:src/auth/**`; throws USAGE for another form. */
export function parsePattern(text: string): WatchPattern {
  const colon = text.indexOf(":");
  const type = patternTypes.find((name) => name === text.slice(0, colon));
  const pattern = text.slice(colon + 1).trim();
  if (type === "file" && leadsOut.test(pattern)) {
    throw new CtxError("USAGE", `Cannot watch "${text}": it leads out of the workspace`, {
      hint: "patterns are relative to the workspace, for example file:src/auth/**",
    });
  }
  if (type !== undefined && pattern !== "") return { type, pattern };
  throw new CtxError("USAGE", `Cannot watch "${text}": write TYPE:PATTERN`, {
    hint: `the types are ${patternTypes.join(", ")}; for example file:src/auth/**`,
  });
}

/** An absolute path, or a part that is `..`, also inside of braces. */
const leadsOut = /^[/~]|(?:^|[/{,])\.\.(?:$|[/},])/;

function parseEvent(bytes: Uint8Array): SubscriptionEvent | undefined {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value?.event === "string" && typeof value.id === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
