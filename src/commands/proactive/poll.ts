// `ctx poll`: what a subscription has to tell, from a cursor on. Keeps nothing: the caller's cursor
// is the only state, so that a lost answer can be asked for again.

import * as z from "zod/mini";
import { readDeliveries } from "../../suggest/deliver/deliveries.ts";
import { getSubscription } from "../../suggest/deliver/subscription.ts";
import { define } from "../../table/command.ts";
import { integer, optionalInteger, text } from "../../table/param.ts";
import { suggestedItem } from "../../suggest/suggested_item.ts";

/** Reads the suggestions of a subscription. */
export const poll = define({
  name: "poll",
  group: "Proactive",
  summary: "Read the suggestions of a subscription from a cursor on.",
  input: {
    subscription: text("The id, B-….", 1),
    cursor: optionalInteger("Where to go on: the cursor of the last answer.", { min: 0 }),
    limit: integer("Suggestions to read.", { min: 1, max: 200, default: 20 }),
  },
  output: () =>
    z.object({
      subscription_id: z.string(),
      cursor: z.number(),
      more: z.boolean(),
      deliveries: z.array(z.object({
        id: z.string(),
        ts: z.string(),
        subscription_id: z.string(),
        cursor: z.number(),
        trigger: z.object({
          type: z.string(),
          source: z.string(),
          hash: z.optional(z.string()),
        }),
        suggestions: z.array(z.object(suggestedItem)),
      })),
    }),
  positional: ["subscription"],
  effect: "read",
  tool: "context_poll",
  examples: [{ argv: ["poll", "B-1m45p0q40xmpks002"], about: "What is new?" }],
  async run(input, context) {
    const store = await context.openStore();
    const subscription = getSubscription(store.files, store.layout, input.subscription);
    const from = Math.max(input.cursor ?? 0, subscription.from);
    const found = readDeliveries(store, subscription, { from, limit: input.limit + 1 });
    const deliveries = found.slice(0, input.limit);
    return {
      subscription_id: subscription.id,
      cursor: deliveries.at(-1)?.cursor ?? from,
      more: found.length > input.limit,
      deliveries,
    };
  },
  render(data, view) {
    if (data.deliveries.length === 0) return "Nothing new.\n";
    const rows = data.deliveries.map(({ id, ts, trigger, suggestions }) =>
      [
        `${view.bold(id)} ${view.dim(ts)} ${trigger.source}`,
        ...suggestions.map((item) => `  ${item.title} ${view.dim(item.reason)}`),
      ].join("\n")
    );
    return `${rows.join("\n")}\n${view.dim(`go on with --cursor ${data.cursor}`)}\n`;
  },
});
