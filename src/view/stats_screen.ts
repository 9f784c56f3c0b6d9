// `ctx stats` on a terminal: totals for people, lists wrapped.

import * as s from "../command/shape.ts";
import { proactiveShape } from "../recall/edit/proactive_shape.ts";
import { countOf, type View } from "../command/view.ts";
import { toFacts } from "./lists.ts";

const counts = s.recordOf(s.number());

/** What a store adds up to. */
export const statsShape = {
  workspace: s.text(),
  ...s.each(s.number(), "revision", "entries"),
  session_id: s.nullable(s.text()),
  ...s.each(counts, "by_pool", "by_role", "by_type", "sources"),
  projects: s.listOf(s.object({
    project: s.text(),
    ...s.each(s.number(), "entries", "sessions", "estimated_tokens"),
  })),
  ...s.each(s.number(), "sessions", "estimated_tokens", "avg_tokens_per_session", "active_days"),
  ...s.each(s.number(), "longest_streak_days", "current_streak_days", "disk_bytes"),
  damaged_lines: s.number(),
  ...s.each(counts, "sessions_by_source", "usage"),
  ...s.each(s.nullable(s.text()), "earliest", "latest"),
  ...s.each(s.number(), "total_conversations", "total_messages", "avg_tokens_per_conversation"),
  date_range: s.object(s.each(s.nullable(s.text()), "earliest", "latest")),
  summary: s.optional(s.text()),
  proactive: s.optional(proactiveShape),
};

/** Names on the left, what they amount to on the right. */
export function toStatsScreen(data: s.ObjectOf<typeof statsShape>, view: View): string {
  const list = (values: Record<string, number>): string =>
    Object.entries(values).sort((a, b) => b[1] - a[1])
      .map(([name, count]) => `${name} ${view.count(count)}`).join(", ");
  const rows: [string, string][] = [
    ["entries", `${view.number(view.count(data.entries))} (${list(data.by_pool)})`],
    ["sessions", view.number(view.count(data.sessions))],
    [
      "tokens",
      `about ${view.count(data.estimated_tokens)}, ${
        view.count(data.avg_tokens_per_session)
      } a session`,
    ],
    [
      "dates",
      data.earliest && data.latest
        ? `${view.time(data.earliest)} to ${view.time(data.latest)}`
        : "",
    ],
    [
      "days",
      `${
        view.count(data.active_days)
      } active, longest streak ${data.longest_streak_days}, now ${data.current_streak_days}`,
    ],
    ["roles", list(data.by_role)],
    ["types", list(data.by_type)],
    ["sources", list(data.sources)],
    ["usage", list(data.usage)],
    [
      "projects",
      data.projects.map(({ project, entries }) => `${view.path(project)} ${view.count(entries)}`)
        .join("\n"),
    ],
    ["disk", view.size(data.disk_bytes)],
    [
      "health",
      data.damaged_lines === 0
        ? view.good("sound")
        : view.error(countOf(data.damaged_lines, "damaged line")),
    ],
  ];
  const title = view.title(view.cut(view.path(data.workspace)));
  return `${title}\n\n${toFacts(rows, { view, left: 10 }).join("\n")}\n`;
}
