// Subscriptions as events in `subscriptions.ndjson`, append-only: made, paused, ended, and how far they
// have been served. A subscription is the fold of its events.

import { CtxError } from "../../../core/errors.ts";
import type { Files } from "../../../disk/files.ts";
import type { Layout } from "../../../disk/layout.ts";
import { readLines } from "../../../disk/lines.ts";
import type { Store } from "../../../store/store.ts";
import { type deliveryWays, patternTypes } from "../../../core/row_kinds.ts";
import type {
  subscribed,
  subscriptionEvent,
  watchPattern,
} from "../../../formats/proactive_row.ts";
import type { RowOf } from "../../../formats/row_schema.ts";

/** One of `patternTypes`. */
export type PatternType = typeof patternTypes[number];

/** One of `deliveryWays`. */
export type DeliveryWay = typeof deliveryWays[number];

export type WatchPattern = RowOf<typeof watchPattern>;

export type SubscribedEvent = RowOf<typeof subscribed>;

/** A line of the log. */
export type SubscriptionEvent = RowOf<typeof subscriptionEvent>;

export interface Subscription extends Omit<SubscribedEvent, "event"> {
  /** Neither paused nor ended. */
  enabled: boolean;
  ended: boolean;
  /** How far it has been served. */
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
        ended: false,
        cursor: event.from,
        delivered: 0,
        failed_attempts: 0,
      });
      continue;
    }
    const known = found.get(event.id);
    if (known === undefined) continue;
    if (event.event === "unsubscribed") known.ended = true;
    if (event.event === "unsubscribed" || event.event === "paused") known.enabled = false;
    else if (event.event === "resumed") known.enabled = !known.ended;
    else if (event.event === "read") known.cursor = Math.max(known.cursor, event.cursor);
    else if (event.event === "delivered") {
      known.cursor = event.cursor;
      known.delivered++;
      known.failed_attempts = 0;
      delete known.last_error;
    } else if (event.event === "failed") {
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
    hint: "ctx suggest subscriptions",
  });
}

/** Notes how far somebody has read; that it cannot be written is no reason to tell them nothing. */
export async function noteRead(
  store: Store,
  { id, cursor }: Pick<Subscription, "id" | "cursor">,
  read: { cursor: number; now: number },
): Promise<void> {
  if (read.cursor <= cursor) return;
  const ts = new Date(read.now).toISOString();
  const event: SubscriptionEvent = { event: "read", id, ts, cursor: read.cursor };
  try {
    await store.write("poll", (writer) => writer.appendRows(store.layout.subscriptions, [event]));
  } catch {
    // It is told again as unread: what was to be told is in the other log.
    return;
  }
}

/** The source of the regular expression that a pattern is, or undefined: `/…/`. */
export function findRegex(pattern: string): string | undefined {
  return pattern.length > 2 && pattern.startsWith("/") && pattern.endsWith("/")
    ? pattern.slice(1, -1)
    : undefined;
}

export function showPattern({ type, pattern, priority }: WatchPattern): string {
  return `${type}${priority === undefined || priority === 1 ? "" : `@${priority}`}:${pattern}`;
}

/** Reads `file:src/auth/**` or `topic@2:words`; throws USAGE for another form. */
export function parsePattern(text: string): WatchPattern {
  if (text.length > maxPatternChars) {
    throw new CtxError(
      "USAGE",
      `Cannot watch "${text.slice(0, 60)}…": it is longer than ${maxPatternChars} characters`,
      { hint: "write several shorter patterns" },
    );
  }
  const colon = text.indexOf(":");
  const [, name, place] = /^(\w+)(?:@(\d{1,6}))?$/.exec(text.slice(0, Math.max(0, colon))) ?? [];
  const type = patternTypes.find((one) => one === name);
  const pattern = text.slice(colon + 1).trim();
  const priority = place === undefined ? 1 : Number(place);
  if (type === "file" && findRegex(pattern) === undefined && leadsOut.test(pattern)) {
    throw new CtxError("USAGE", `Cannot watch "${text}": it is outside the workspace`, {
      hint: "patterns are relative to the workspace, for example file:src/auth/**",
    });
  }
  if (type !== undefined && pattern !== "") return { type, pattern, priority };
  throw new CtxError("USAGE", `Cannot watch "${text}": write TYPE:PATTERN`, {
    hint: `the types are ${patternTypes.join(", ")}; for example file:src/auth/**`,
  });
}

/** Longer ones nobody writes. */
const maxPatternChars = 1000;

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
