// `ctx rules` on a terminal: each rule in the user's words, with how often and when it was said.

import * as s from "../command/shape.ts";
import { rule } from "../recall/review/review_shapes.ts";
import { countOf, type View } from "../command/view.ts";
import { readableColumns, toCount } from "./lists.ts";

export const rulesShape = {
  ...s.each(s.number(), "total", "offset"),
  rules: s.listOf(rule),
  ...s.each(s.number(), "over_budget", "estimated_tokens"),
  notes: s.optional(s.listOf(s.text())),
};
export type ShownRules = s.ObjectOf<typeof rulesShape>;

/** The rules, the most established first. */
export function toRulesScreen(data: ShownRules, view: View): string {
  if (data.rules.length === 0) {
    return view.wrap(
      "No standing rules found yet. ctx records --type preference lists preferences.",
    ) +
      "\n";
  }
  const width = Math.min(view.width, readableColumns);
  const rows = data.rules.map((rule) => {
    const isOver = rule.superseded_by !== undefined;
    const text = view.wrap(rule.text, { width, first: "• ", indent: "  " });
    const also = rule.also.map((words) =>
      view.dim(view.wrap(`“${words}”`, { width, indent: "  ", first: "  " }))
    );
    const facts = [
      rule.sessions > 1 ? countOf(rule.sessions, "session") : "",
      rule.saved_by === undefined ? rule.kind : "saved by an agent",
      view.age(rule.ts),
      `said in ${rule.evidence.slice(0, 3).map((id) => view.id(id)).join(" ")}`,
      isOver ? `superseded by ${rule.superseded_by}` : "",
    ].filter(Boolean).join(" · ");
    return [
      isOver ? view.dim(text) : text,
      ...also,
      view.wrap(view.dim(facts), {
        width,
        indent: "  ",
        first: "  ",
      }),
    ].join("\n");
  });
  const count = toCount({ ...data, shown: rows.length }, "rule");
  return `${rows.join("\n\n")}\n\n${view.dim(count)}\n`;
}
