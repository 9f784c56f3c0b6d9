// `ctx suggestions` on a terminal: one suggestion a line, newest first.

import { triggerTypes } from "../core/row_kinds.ts";
import { suggestedItem } from "../recall/edit/suggested_item.ts";
import { suggestionStates } from "../recall/edit/suggestion_log.ts";
import * as s from "../command/shape.ts";
import type { View } from "../command/view.ts";
import { type ListRow, toCount, toList } from "./lists.ts";

export const suggestionsShape = {
  ...s.each(s.number(), "total", "offset"),
  suggestions: s.listOf(s.object({
    ...s.each(s.text(), "id", "created_at"),
    status: s.oneOf(suggestionStates),
    ...s.each(s.optional(s.text()), "session_id", "subscription_id"),
    trigger: s.object({ type: s.oneOf(triggerTypes), source: s.text() }),
    used_item_index: s.optional(s.number()),
    latency_ms: s.number(),
    title: s.text(),
    suggestions: s.listOf(s.object({
      ...suggestedItem,
      item: s.number(),
      verdict: s.optional(s.oneOf(["used", "dismissed"])),
    })),
  })),
};
export type ShownSuggestions = s.ObjectOf<typeof suggestionsShape>;

/** The suggestions with when and for what they were made, and what came of them. */
export function toSuggestionsScreen(data: ShownSuggestions, view: View): string {
  if (data.suggestions.length === 0) return "No suggestions.\n";
  const rows = data.suggestions.map((row): ListRow => ({
    facts: [
      view.id(row.id),
      view.time(row.created_at),
      row.status === "used" ? view.good(row.status) : row.status,
    ],
    text: row.title || view.dim("(forgotten)"),
    where: view.path(row.trigger.source),
  }));
  const count = toCount({ ...data, shown: rows.length }, "suggestion");
  return `${toList(rows, { view })}\n\n${view.dim(count)}\n`;
}
