// `ctx subscriptions`: what is subscribed to, and how delivery goes.

import { readSubscriptions } from "../../suggest/deliver/subscription.ts";
import { define } from "../../table/command.ts";
import { readConsent } from "../../table/consent.ts";
import * as s from "../../table/shape.ts";
import { subscriptionTerms } from "../../suggest/deliver/subscription_terms.ts";
import { toTable } from "../../table/view.ts";

/** Lists subscriptions. */
export const subscriptions = define({
  name: "subscriptions",
  group: "Proactive",
  summary: "List subscriptions and how their delivery goes.",
  input: { all: s.flag("Also those that have ended.") },
  output: {
    subscriptions: s.listOf(s.object({
      ...s.each(s.text(), "id", "ts"),
      ...subscriptionTerms,
      ...s.each(s.optional(s.text()), "session_id", "pinned_session", "last_error"),
      approved: s.optional(s.boolean()),
      ...s.each(s.number(), "from", "cursor", "delivered", "failed_attempts"),
      enabled: s.boolean(),
    })),
  },
  list: {
    of: "subscriptions",
    columns: ["id", "ts", "via", "enabled", "patterns", "url", "approved", "last_error"],
  },
  effect: "read",
  examples: [{ argv: ["subscriptions"], about: "What am I told of?" }],
  async run(input, context) {
    const store = await context.openStore();
    const isApproved = await readConsent(context, store.layout.workspace);
    const all = [...readSubscriptions(store.files, store.layout).values()].map((item) =>
      item.url === undefined ? item : { ...item, approved: isApproved(item.url) }
    );
    return { subscriptions: input.all ? all : all.filter((item) => item.enabled) };
  },
  render(data, view) {
    if (data.subscriptions.length === 0) return "No subscriptions: ctx subscribe file:src/**\n";
    return toTable(data.subscriptions.map((item) => [
      view.bold(item.id),
      item.patterns.map(({ type, pattern }) => `${type}:${pattern}`).join(" "),
      item.via + (item.url === undefined ? "" : ` ${item.url}`),
      item.enabled ? "" : "ended",
      item.approved === false ? `not approved here: ctx trust ${item.url}` : "",
      item.last_error === undefined ? "" : `${item.failed_attempts} failed: ${item.last_error}`,
    ])) + "\n";
  },
});
