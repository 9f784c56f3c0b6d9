// The rows of what is suggested, and to whom it is told.

import * as z from "zod/mini";
import { deliveryWays, patternTypes, suggestionTypes, triggerTypes } from "../core/row_kinds.ts";
import { count, maybe, needed, time } from "./row_schema.ts";

const ts = needed(time, "when");
const pinned_session = maybe(z.string(), "the session that the writer was limited to");
const verdicts = z.enum(["used", "dismissed"]);

const item = {
  type: needed(z.enum(suggestionTypes), "the kind of suggestion"),
  entity_id: needed(z.string(), "the suggested entry, file or symbol"),
  relevance_score: needed(z.number().check(z.minimum(0), z.maximum(1)), "from 0 to 1"),
  kind: needed(z.string(), "the strongest kind of evidence; feedback applies to it"),
};

export const loggedItem = z.looseObject({
  ...item,
  reason: needed(z.string(), "the reason"),
  fingerprint: needed(z.string(), "changes when the item has something new"),
  title: maybe(
    z.string(),
    "if it is not an entry: its name; the text of entries is not copied here",
  ),
  summary: maybe(z.string(), "if it is not an entry: what it is"),
  action: maybe(z.string(), "the next command to run"),
});

export const trigger = z.looseObject({
  type: needed(
    z.enum([...triggerTypes, "file_change", "entry"]),
    "older versions wrote `file_change` for `file` and `entry` for `activity`",
  ),
  source: needed(z.string(), "which file, symbol or words"),
  pattern: maybe(z.string(), "for a subscription: the pattern that matched"),
  priority: maybe(z.int(), "its place among others"),
  hash: maybe(z.string(), "the state of what changed, so that each change is reported once"),
});

export const suggested = z.looseObject({
  event: needed(z.literal("suggested"), "something was suggested"),
  id: needed(z.string(), "`G-…`"),
  ts,
  session_id: maybe(z.string(), "the session that requested it"),
  subscription_id: maybe(z.string(), "the subscription that it is for"),
  trigger: needed(trigger, "what triggered it"),
  items: needed(z.array(loggedItem), "what was suggested"),
  latency_ms: needed(z.number(), "how long it took"),
  pinned_session,
});

export const feedback = z.looseObject({
  event: needed(z.literal("feedback"), "feedback on whether it was useful"),
  id: needed(z.string(), "the suggestion"),
  ts,
  verdict: needed(verdicts, "the feedback"),
  items: needed(
    z.array(
      z.looseObject({
        item: needed(z.int().check(z.minimum(1)), "its number, counted from 1"),
        ...item,
        replaces: maybe(verdicts, "the verdict that this one replaces"),
      }),
    ),
    "the items it applies to",
  ),
  pinned_session,
});

/** A row of `suggestions.ndjson`. */
export const suggestionEvent = z.discriminatedUnion("event", [suggested, feedback]);

export const watchPattern = z.looseObject({
  type: needed(z.enum(patternTypes), "what it watches"),
  pattern: needed(z.string(), "a glob, words or an id; between slashes a regular expression"),
  priority: maybe(z.int(), "its place among others; 1 when missing"),
});

const subscription = needed(z.string(), "the subscription");

export const subscribed = z.looseObject({
  event: needed(z.literal("subscribed"), "it was made"),
  id: needed(z.string(), "`B-…`"),
  ts,
  patterns: needed(z.array(watchPattern), "what is watched"),
  via: needed(z.enum(deliveryWays), "how it is delivered"),
  url: maybe(
    z.string(),
    "a request: only the user's own configuration ([CONFIG.md](CONFIG.md)) decides whether anything is sent there",
  ),
  min_score: needed(z.number(), "less relevant items are not delivered"),
  max: needed(z.int(), "the maximum number of items at once"),
  cooldown_ms: needed(z.number(), "the pause after each delivery"),
  session_id: maybe(z.string(), "the session that requested it"),
  pinned_session,
  from: needed(count, "where `suggestions.ndjson` ended at that time; earlier rows do not apply"),
});

const changed = z.looseObject({
  event: needed(z.enum(["paused", "resumed", "unsubscribed"]), "what happened to it"),
  id: subscription,
  ts,
  pinned_session,
});

const served = z.looseObject({
  event: needed(
    z.enum(["delivered", "read"]),
    "a webhook accepted it, or it was polled or streamed",
  ),
  id: subscription,
  ts,
  cursor: needed(count, "how far `suggestions.ndjson` was read"),
  pinned_session,
});

const failed = z.looseObject({
  event: needed(z.literal("failed"), "a webhook did not accept it"),
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
