// The shape of one suggestion in the results of `suggest`, `poll` and `suggestions`.

import { suggestionTypes, triggerTypes } from "../../core/row_kinds.ts";
import { freshnessNames } from "../../code/fresh/freshness.ts";
import * as s from "../../command/shape.ts";

/** The fields of a suggestion, as a schema's shape. */
export const suggestedItem = {
  type: s.oneOf(suggestionTypes),
  ...s.each(s.text(), "title", "summary", "entity_id", "reason"),
  relevance_score: s.number(),
  ...s.each(s.optional(s.text()), "action", "action_url"),
  freshness: s.optional(s.oneOf(freshnessNames)),
};

const deliveredItem = s.object(suggestedItem);
export type DeliveredItem = s.ValueOf<typeof deliveredItem>;

export const delivery = s.object({
  ...s.each(s.text(), "id", "ts", "created_at", "subscription_id"),
  session_id: s.optional(s.text()),
  /** Where to go on after this one. */
  cursor: s.number(),
  trigger: s.object({
    type: s.oneOf(triggerTypes),
    source: s.text(),
    ...s.each(s.optional(s.text()), "pattern", "hash"),
    priority: s.optional(s.number()),
  }),
  suggestions: s.listOf(deliveredItem),
});
export type Delivery = s.ValueOf<typeof delivery>;

/** Where an entry can be read over MCP. */
export function entryUrl(id: string): string {
  return `ctx://entry/${encodeURIComponent(id)}`;
}
