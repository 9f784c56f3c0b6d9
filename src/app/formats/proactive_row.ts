// The rows of what is suggested, and to whom it is told.

import * as z from "zod/mini";
import {
  deliveryWays,
  patternTypes,
  type SubscribedEvent,
  type WatchPattern,
} from "../../recall/edit/deliver/subscription.ts";
import { suggestionTypes } from "../../recall/edit/signals/suggestion.ts";
import {
  type FeedbackEvent,
  type LoggedItem,
  type SuggestedEvent,
  type Trigger,
  triggerTypes,
} from "../../recall/edit/suggestion_log.ts";
import { count, maybe, needed, rowOf, time } from "./row_schema.ts";

const ts = needed(time, "when");
const pinned_session = maybe(z.string(), "the one session that the writer was held to");
const verdicts = z.enum(["used", "dismissed"]);

const item = {
  type: needed(z.enum(suggestionTypes), "the kind of suggestion"),
  entity_id: needed(z.string(), "the entry, file or symbol that is suggested"),
  relevance_score: needed(z.number().check(z.minimum(0), z.maximum(1)), "from 0 to 1"),
  kind: needed(z.string(), "the strongest kind of evidence: what feedback is about"),
};

const loggedItem = rowOf<LoggedItem>()({
  ...item,
  reason: needed(z.string(), "why, in words"),
  fingerprint: needed(z.string(), "changes when the item has something new to say"),
  title: maybe(
    z.string(),
    "for what is not an entry: its name. What an entry says is not copied here",
  ),
  summary: maybe(z.string(), "for what is not an entry: what it is"),
  action: maybe(z.string(), "the next command to run"),
});

const trigger = rowOf<Omit<Trigger, "type"> & { type: string }>()({
  type: needed(
    z.enum([...triggerTypes, "file_change", "entry"]),
    "older versions wrote `file_change` for `file` and `entry` for `activity`",
  ),
  source: needed(z.string(), "which file, symbol or words"),
  pattern: maybe(z.string(), "for a subscription: the pattern that matched"),
  priority: maybe(z.int(), "its place among others"),
  hash: maybe(z.string(), "the state of what changed, so that a change is told once"),
});

const suggested = rowOf<Omit<SuggestedEvent, "trigger">>()({
  event: needed(z.literal("suggested"), "something was suggested"),
  id: needed(z.string(), "`G-…`"),
  ts,
  session_id: maybe(z.string(), "the session that asked"),
  subscription_id: maybe(z.string(), "the subscription that it is for"),
  trigger: needed(trigger, "what it was made for"),
  items: needed(z.array(loggedItem), "what was suggested"),
  latency_ms: needed(z.number(), "how long it took"),
  pinned_session,
});

const feedback = rowOf<FeedbackEvent>()({
  event: needed(z.literal("feedback"), "somebody said whether it was of use"),
  id: needed(z.string(), "the suggestion"),
  ts,
  verdict: needed(verdicts, "what was said"),
  items: needed(
    z.array(
      rowOf<FeedbackEvent["items"][number]>()({
        item: needed(z.int().check(z.minimum(1)), "its number, counted from 1"),
        ...item,
        replaces: maybe(verdicts, "the verdict that this one takes back"),
      }),
    ),
    "the items it is on",
  ),
  pinned_session,
});

/** A row of `suggestions.ndjson`. */
export const suggestionEvent = z.discriminatedUnion("event", [suggested, feedback]);

const watchPattern = rowOf<WatchPattern>()({
  type: needed(z.enum(patternTypes), "what it watches"),
  pattern: needed(z.string(), "a glob, words or an id; between slashes a regular expression"),
  priority: maybe(z.int(), "its place among others; 1 when missing"),
});

const subscription = needed(z.string(), "the subscription");

const subscribed = rowOf<SubscribedEvent>()({
  event: needed(z.literal("subscribed"), "it was made"),
  id: needed(z.string(), "`B-…`"),
  ts,
  patterns: needed(z.array(watchPattern), "what is watched"),
  via: needed(z.enum(deliveryWays), "how it is delivered"),
  url: maybe(
    z.string(),
    "a wish: whether anything is sent there is decided by the user's own configuration ([CONFIG.md](CONFIG.md)), never by the store",
  ),
  min_score: needed(z.number(), "less relevant items are not delivered"),
  max: needed(z.int(), "the most items at once"),
  cooldown_ms: needed(z.number(), "the pause after each delivery"),
  session_id: maybe(z.string(), "the session that asked for it"),
  pinned_session,
  from: needed(count, "where `suggestions.ndjson` ended: nothing before concerns it"),
});

const changed = z.looseObject({
  event: needed(z.enum(["paused", "resumed", "unsubscribed"]), "what became of it"),
  id: subscription,
  ts,
  pinned_session,
});

const served = z.looseObject({
  event: needed(
    z.enum(["delivered", "read"]),
    "a webhook took it, or it was polled or streamed",
  ),
  id: subscription,
  ts,
  cursor: needed(count, "how far `suggestions.ndjson` was read"),
  pinned_session,
});

const failed = z.looseObject({
  event: needed(z.literal("failed"), "a webhook did not take it"),
  id: subscription,
  ts,
  cursor: needed(count, "how far `suggestions.ndjson` was read"),
  attempts: needed(count, "how many attempts in a row failed"),
  error: needed(z.string(), "why the last one failed"),
  pinned_session,
});

/** A row of `subscriptions.ndjson`. */
export const subscriptionEvent = z.discriminatedUnion("event", [
  subscribed,
  changed,
  served,
  failed,
]);
