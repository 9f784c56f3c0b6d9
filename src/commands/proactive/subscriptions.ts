// `ctx subscriptions`: what is subscribed to, and how delivery goes; `pause` and `resume` one.

import { CtxError } from "../../core/errors.ts";
import {
  getSubscription,
  readSubscriptions,
  showPattern,
} from "../../recall/edit/deliver/subscription.ts";
import { readSuggestionEvents } from "../../recall/edit/suggestion_log.ts";
import { type Context, define } from "../../command/command.ts";
import { readConsent } from "../../command/consent.ts";
import * as s from "../../command/shape.ts";
import { noteWaiting, subscriptionTerms } from "../../recall/edit/deliver/subscription_terms.ts";
import { toTable } from "../../command/view.ts";

export const subscriptions = define({
  name: "subscriptions",
  summary: "List subscriptions and their delivery status.",
  input: {
    subscription: s.naming("B", s.optionalText("Only this subscription.")),
    all: s.flag("Include ended subscriptions."),
    limit: s.integer("Show the newest N.", { min: 1, max: 1000, default: 100 }),
  },
  output: {
    subscriptions: s.listOf(s.object({
      ...s.each(s.text(), "id", "ts"),
      ...subscriptionTerms,
      ...s.each(s.optional(s.text()), "session_id", "pinned_session", "last_error"),
      last_triggered_at: s.nullable(s.text()),
      approved: s.optional(s.boolean()),
      ...s.each(s.number(), "from", "cursor", "delivered", "failed_attempts"),
      ...s.each(s.boolean(), "enabled", "ended"),
    })),
    notes: s.optional(s.listOf(s.text())),
  },
  list: {
    of: "subscriptions",
    columns: ["id", "ts", "via", "enabled", "patterns", "url", "approved", "last_error"],
  },
  effect: "read",
  tool: "context_subscriptions",
  examples: [{ argv: ["suggest", "subscriptions"], about: "List your subscriptions." }],
  async run(input, context) {
    const store = await context.openStore();
    const isApproved = await readConsent(context, store.layout.workspace);
    const last = new Map<string, string>();
    for (const { event } of readSuggestionEvents(store.files, store.layout)) {
      if (event.event === "suggested" && event.subscription_id !== undefined) {
        last.set(event.subscription_id, event.ts);
      }
    }
    const all = [...readSubscriptions(store.files, store.layout).values()].map((item) => ({
      ...item,
      last_triggered_at: last.get(item.id) ?? null,
      ...(item.url === undefined ? {} : { approved: isApproved(item.url) }),
    }));
    const wanted = input.subscription === undefined
      ? undefined
      : getSubscription(store.files, store.layout, input.subscription).id;
    const isWanted = ({ id, ended }: { id: string; ended: boolean }): boolean =>
      wanted === undefined ? input.all || !ended : id === wanted;
    const shown = all.filter(isWanted).slice(-input.limit);
    return { subscriptions: shown, ...noteWaiting(shown.filter(({ ended }) => !ended)) };
  },
  render(data, view) {
    if (data.subscriptions.length === 0) {
      return "No subscriptions yet. Add one with: ctx suggest subscribe file:src/**\n";
    }
    return toTable(data.subscriptions.map((item) => [
      view.bold(item.id),
      item.patterns.map(showPattern).join(" "),
      item.via + (item.url === undefined ? "" : ` ${item.url}`),
      item.ended ? "ended" : item.enabled ? "" : "paused",
      item.approved === false ? `not approved here: ctx trust ${item.url}` : "",
      item.last_error === undefined ? "" : `${item.failed_attempts} failed: ${item.last_error}`,
    ])) + "\n";
  },
});

const stateInput = { subscription: s.naming("B", s.text("The subscription's id (B-…).", 1)) };
const stateOutput = { id: s.text(), enabled: s.boolean(), changed: s.boolean() };

export const subscriptionsPause = define({
  name: "subscriptions pause",
  summary: "Pause a subscription.",
  description:
    "Changes made while it is paused are not reported later. Suggestions made before and not yet delivered are kept.",
  input: stateInput,
  output: stateOutput,
  positional: ["subscription"],
  effect: "write",
  tool: "context_pause",
  examples: [{ argv: ["suggest", "pause", "B-1m45p0q40xmpks002"], about: "Pause a subscription." }],
  run: (input, context) => setEnabled(input.subscription, false, context),
  render: ({ id, changed }) => changed ? `${id} paused.\n` : `${id} was already paused.\n`,
  note: ({ id }) => `resume it with: ctx suggest resume ${id}`,
});

export const subscriptionsResume = define({
  name: "subscriptions resume",
  summary: "Resume a paused subscription.",
  input: stateInput,
  output: stateOutput,
  positional: ["subscription"],
  effect: "write",
  tool: "context_resume",
  examples: [{
    argv: ["suggest", "resume", "B-1m45p0q40xmpks002"],
    about: "Resume a subscription.",
  }],
  run: (input, context) => setEnabled(input.subscription, true, context),
  render: ({ id, changed }) => changed ? `${id} resumed.\n` : `${id} was not paused.\n`,
});

async function setEnabled(
  said: string,
  enabled: boolean,
  context: Context,
): Promise<s.ObjectOf<typeof stateOutput>> {
  const store = await context.openStore();
  return await store.write("subscriptions", (writer) => {
    const known = getSubscription(store.files, store.layout, said);
    const { id, ended } = known;
    if (ended) {
      throw new CtxError("USAGE", `Cannot ${enabled ? "resume" : "pause"} "${id}": it has ended`, {
        hint: "ctx suggest subscribe creates a new one",
      });
    }
    const changed = known.enabled !== enabled;
    const ts = new Date(context.now()).toISOString();
    const event = { event: enabled ? "resumed" : "paused", id, ts };
    if (changed) writer.appendRows(store.layout.subscriptions, [event]);
    return { id, enabled, changed };
  });
}
