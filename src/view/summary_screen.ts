// `ctx summarize` on a terminal: by day and session, a line or two for each thing.

import * as s from "../command/shape.ts";
import { summaryItem } from "../recall/review/review_shapes.ts";
import { countOf, type View } from "../command/view.ts";
import { readableColumns } from "./lists.ts";

export const summaryShape = {
  ...s.each(s.optional(s.text()), "since", "until"),
  sessions: s.listOf(s.object({
    ...s.each(s.text(), "id", "title", "started", "ended"),
    ...s.each(s.optional(s.text()), "project", "source"),
    ...s.each(s.number(), "message_count", "items"),
  })),
  items: s.listOf(summaryItem),
  ...s.each(s.number(), "over_budget", "estimated_tokens"),
  notes: s.optional(s.listOf(s.text())),
};
export type ShownSummary = s.ObjectOf<typeof summaryShape>;

/** The days, newest first, each with its sessions and what they came to. */
export function toSummaryScreen(data: ShownSummary, view: View): string {
  const width = Math.min(view.width, readableColumns);
  const sessions = new Map(data.sessions.map((row) => [row.id, row]));
  const days = Map.groupBy(data.items, ({ day }) => day);
  const parts = [...days].flatMap(([day, items]) => [
    view.title(day),
    ...[...Map.groupBy(items, ({ session_id }) => session_id)].map(([id, told]) => {
      const { title = "", source } = sessions.get(id ?? "") ?? {};
      const named = id === undefined ? "(saved outside of sessions)" : title || "(no title)";
      const head = [
        view.bold(view.cut(named, width)),
        ...(id === undefined
          ? []
          : [view.dim(["  " + view.id(id), source].filter(Boolean).join(" · "))]),
      ];
      return `${[...head, ...told.map((item) => toItem(item, { view, width }))].join("\n")}\n`;
    }),
  ]);
  const untold = data.sessions.filter(({ items }) => items === 0).length;
  const last = [
    countOf(data.sessions.length, "session"),
    untold > 0 ? `${untold} without records` : "",
    data.over_budget > 0 ? `${data.over_budget} more items over the budget` : "",
  ].filter(Boolean).join(" · ");
  return `${parts.join("\n")}\n${view.wrap(view.dim(last))}\n`;
}

function toItem(
  { kind, text, id, superseded_by }: ShownSummary["items"][number],
  { view, width }: { view: View; width: number },
): string {
  const later = superseded_by === undefined ? "" : view.warning(" (later replaced)");
  const label = `  ${view.dim(kind.padEnd(kindColumns))}`;
  return view.wrap(`${text}${later} ${view.dim(view.id(id))}`, {
    width,
    first: label,
    indent: " ".repeat(2 + kindColumns),
  });
}

const kindColumns = 9;
