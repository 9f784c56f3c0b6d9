// The shape of one suggestion in the results of `suggest`, `poll` and `suggestions`.

import { suggestionTypes } from "../../core/row_kinds.ts";
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

/** Where an entry can be read over MCP. */
export function entryUrl(id: string): string {
  return `ctx://entry/${encodeURIComponent(id)}`;
}
