// `ctx subscribe` and `ctx unsubscribe`: what to be told of, and how.

import { deliveryWays } from "../../core/row_kinds.ts";
import { CtxError } from "../../core/errors.ts";
import { makeId } from "../../core/id.ts";
import {
  findRegex,
  getSubscription,
  parsePattern,
  type SubscribedEvent,
} from "../../recall/edit/deliver/subscription.ts";
import { type Context, define } from "../../command/command.ts";
import { readConsent, recordConsent } from "../../command/consent.ts";
import * as s from "../../command/shape.ts";
import { findNamedSession } from "../../command/session_scope.ts";
import { noteWaiting, subscriptionTerms } from "../../recall/edit/deliver/subscription_terms.ts";

/** Each is matched against every change. */
const maxPatterns = 100;

export const subscribe = define({
  name: "subscribe",
  summary: "Subscribe to suggestions about files, symbols, topics or entities.",
  description:
    "While `ctx suggest watch` runs, suggestions are made when a file matching a pattern changes, and when a new decision, note or document is about a matching file, symbol, topic or entity. A topic matches by its words, and by meaning with the local embedder. Read the suggestions with `ctx suggest poll`, as server-sent events from `ctx suggest watch --port`, or have them posted to a webhook, signed with suggest.webhook_secret (docs/WEBHOOKS.md). A webhook you give on the command line is approved; one that an agent adds waits for `ctx trust URL`.",
  input: {
    patterns: s.someOf(
      "What to watch: file:GLOB, symbol:GLOB, topic:WORDS or entity:NAME (an entry id, symbol or file); /REGEX/ works in each; file@2:GLOB has lower priority.",
    ),
    via: s.optional(
      s.oneOf(deliveryWays, "Delivery method (default: webhook with --url, else poll)."),
    ),
    url: s.optionalText("The webhook's URL."),
    min_score: s.optionalNumber("Minimum relevance score.", { min: 0, max: 1 }),
    max: s.optionalInteger("Maximum items per change.", { min: 1, max: 50 }),
    cooldown_ms: s.optionalInteger("Minimum time between suggestions for a file.", {
      min: 0,
      max: 86_400_000,
    }),
    session: s.naming(
      "S or new",
      s.optionalText("The session it belongs to (an id, or current)."),
    ),
    paused: s.flag("Create it paused (ctx suggest resume starts it)."),
  },
  output: {
    id: s.text(),
    session_id: s.optional(s.text()),
    ...subscriptionTerms,
    enabled: s.boolean(),
    approved: s.optional(s.boolean()),
    cursor: s.number(),
    notes: s.optional(s.listOf(s.text())),
  },
  positional: ["patterns"],
  flags: { patterns: "pattern" },
  effect: "write",
  tool: "context_subscribe",
  question({ url }) {
    if (url === undefined) return undefined;
    return `Suggestions about this workspace will be posted to ${JSON.stringify(url)}. Continue?`;
  },
  examples: [
    {
      argv: ["suggest", "subscribe", "file:src/auth/**", "topic:authentication"],
      about: "Get suggestions about authentication.",
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const config = await context.readConfig();
    if (input.patterns.length > maxPatterns) {
      throw new CtxError(
        "USAGE",
        `Cannot subscribe to ${input.patterns.length} patterns: at most ${maxPatterns} in one subscription`,
        { hint: "run ctx suggest subscribe several times, or use a wider pattern" },
      );
    }
    const patterns = input.patterns.map(parsePattern);
    const via = input.via ?? (input.url === undefined ? "poll" : "webhook");
    const { makeTest } = await import("../../recall/edit/deliver/match_pattern.ts");
    for (const { type, pattern } of patterns) {
      if (type !== "topic" || findRegex(pattern) !== undefined) makeTest(pattern);
    }
    await checkTarget({ via, url: input.url }, context);
    const approved = await settleConsent(input.url, store.layout.workspace, context);
    const session = findNamedSession(input.session, store, context);
    const made = {
      patterns,
      via,
      ...(input.url === undefined ? {} : { url: input.url }),
      min_score: input.min_score ?? config.get("suggest.min_relevance_score"),
      max: input.max ?? config.get("suggest.max_suggestions"),
      cooldown_ms: input.cooldown_ms ?? config.get("suggest.cooldown_ms"),
    };
    return await store.write("subscribe", (writer) => {
      const from = store.files.findSize(store.layout.suggestions) ?? 0;
      const id = makeId("B", context.now(), context.random());
      const event: SubscribedEvent = {
        event: "subscribed",
        id,
        ts: new Date(context.now()).toISOString(),
        ...made,
        ...(session === undefined ? {} : { session_id: session }),
        from,
      };
      const paused = input.paused ? [{ event: "paused", id, ts: event.ts }] : [];
      writer.appendRows(store.layout.subscriptions, [event, ...paused]);
      const of = session === undefined ? {} : { session_id: session };
      const notes = noteWaiting([{ url: input.url, ...approved }]);
      return { id, ...of, ...made, enabled: !input.paused, ...approved, cursor: from, ...notes };
    });
  },
  render: (data) => `${data.id}\n`,
  note(data) {
    if (data.via === "webhook") {
      return `suggestions are posted to ${data.url} by \`ctx suggest watch\``;
    }
    const how = data.via === "poll"
      ? `ctx suggest poll ${data.id}`
      : `ctx suggest watch --port 4578, then GET /events?subscription=${data.id}`;
    return `suggestions are made while \`ctx suggest watch\` runs; read them with: ${how}`;
  },
});

export const unsubscribe = define({
  name: "unsubscribe",
  summary: "End a subscription.",
  input: { subscription: s.naming("B", s.text("The subscription's id (B-…).", 1)) },
  output: { id: s.text(), ended: s.boolean() },
  positional: ["subscription"],
  effect: "write",
  tool: "context_unsubscribe",
  examples: [{
    argv: ["suggest", "unsubscribe", "B-1m45p0q40xmpks002"],
    about: "End a subscription.",
  }],
  async run(input, context) {
    const store = await context.openStore();
    return await store.write("unsubscribe", (writer) => {
      const { id, ended } = getSubscription(store.files, store.layout, input.subscription);
      const event = { event: "unsubscribed", id, ts: new Date(context.now()).toISOString() };
      if (!ended) writer.appendRows(store.layout.subscriptions, [event]);
      return { id, ended: !ended };
    });
  },
  render: (data) => data.ended ? `${data.id} ended.\n` : `${data.id} had already ended.\n`,
});

/** Whoever types the URL approves of it; what an agent asks for waits for the user. */
async function settleConsent(
  target: string | undefined,
  workspace: string,
  context: Context,
): Promise<{ approved?: boolean }> {
  if (target === undefined) return {};
  if (context.surface !== "cli") {
    return { approved: (await readConsent(context, workspace))(target) };
  }
  await recordConsent(context, { workspace, target, trusted: true });
  return { approved: true };
}

async function checkTarget(
  input: { via: string; url?: string },
  context: Context,
): Promise<void> {
  if (context.scopedSession !== undefined && input.via !== "poll") {
    throw new CtxError(
      "DENIED",
      `Cannot deliver by ${input.via}: this view is scoped to one session`,
      {
        hint: "subscribe with via set to poll",
      },
    );
  }
  if (input.via !== "webhook") {
    if (input.url === undefined) return;
    throw new CtxError(
      "USAGE",
      `Cannot use --url with --via ${input.via}: only webhooks take a URL`,
    );
  }
  if (input.url === undefined) {
    throw new CtxError("USAGE", "Cannot subscribe by webhook without --url");
  }
  const config = await context.readConfig();
  const { needSecret, parseWebhookUrl, resolveWebhookHost } = await import(
    "../../recall/edit/deliver/webhook_address.ts"
  );
  // Names are looked up before each delivery; here only what is plainly private is refused.
  const url = parseWebhookUrl(input.url);
  const allowPrivate = config.get("suggest.webhook_private");
  const resolve = () => Promise.resolve([]);
  const addresses = await resolveWebhookHost(url, { allowPrivate, resolve });
  const secret = context.env("CTX_WEBHOOK_SECRET") || config.get("suggest.webhook_secret");
  needSecret(url, { secret, addresses });
}
