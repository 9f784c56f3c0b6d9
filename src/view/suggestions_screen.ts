// `ctx suggestions` on a terminal: one suggestion a line, newest first.

import type { View } from "../command/view.ts";
import { type ListRow, toList } from "./lists.ts";

/** A list of suggestions. */
export interface ShownSuggestions {
  foot: string;
  suggestions: {
    id: string;
    created_at: string;
    status: string;
    trigger: { source: string };
    title: string;
  }[];
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
  return `${toList(rows, { view })}\n\n${view.dim(data.foot)}\n`;
}
