// `ctx suggestions` on a terminal: one suggestion a line, newest first.

import type { ListedSuggestion } from "../recall/edit/deliver/list_suggestions.ts";
import type { View } from "../command/view.ts";
import { type ListRow, toCount, toList } from "./lists.ts";

/** A list of suggestions. */
export interface ShownSuggestions {
  total: number;
  offset: number;
  suggestions: (Pick<ListedSuggestion, "id" | "created_at" | "status" | "trigger"> & {
    title: string;
  })[];
}

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
