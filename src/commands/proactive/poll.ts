// `ctx poll`: what a subscription has to tell, from a cursor on. The caller's cursor is the only state
// that decides on it, so that a lost answer can be asked for again; what was read is only noted.

import { readDeliveries } from "../../recall/edit/deliver/deliveries.ts";
import { getSubscription, noteRead } from "../../recall/edit/deliver/subscription.ts";
import { sayOnce } from "../../recall/edit/describe_item.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { delivery } from "../../recall/edit/suggested_item.ts";

export const poll = define({
  name: "poll",
  summary: "Read a subscription's suggestions, starting at a cursor.",
  input: {
    subscription: s.naming("B", s.text("The subscription's id (B-…).", 1)),
    cursor: s.optionalInteger("Where to continue: the last answer's cursor.", { min: 0 }),
    limit: s.integer("Suggestions to read.", { min: 1, max: 200, default: 20 }),
  },
  output: {
    subscription_id: s.text(),
    cursor: s.number(),
    more: s.boolean(),
    deliveries: s.listOf(delivery),
  },
  positional: ["subscription"],
  effect: "read",
  tool: "context_poll",
  examples: [{ argv: ["suggest", "poll", "B-1m45p0q40xmpks002"], about: "Read new suggestions." }],
  async run(input, context) {
    const store = await context.openStore();
    const subscription = getSubscription(store.files, store.layout, input.subscription);
    const from = Math.max(input.cursor ?? 0, subscription.from);
    const found = readDeliveries(store, subscription, { from, limit: input.limit + 1 });
    const deliveries = found.slice(0, input.limit);
    const cursor = deliveries.at(-1)?.cursor ?? from;
    if (!context.isReadOnly) {
      await noteRead(store, subscription, { cursor, now: context.now() });
    }
    return {
      subscription_id: subscription.id,
      cursor,
      more: found.length > input.limit,
      deliveries,
    };
  },
  render(data, view) {
    if (data.deliveries.length === 0) return "Nothing new.\n";
    const rows = data.deliveries.map(({ id, ts, trigger, suggestions }) =>
      [
        `${view.bold(id)} ${view.dim(ts)} ${trigger.source}`,
        ...suggestions.map((item) => `  ${sayOnce(item).head} ${view.dim(item.reason)}`),
      ].join("\n")
    );
    return `${rows.join("\n")}\n${view.dim(`next page: --cursor ${data.cursor}`)}\n`;
  },
});
