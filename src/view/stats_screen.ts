// `ctx stats` on a terminal: totals for people, lists wrapped.

import { countOf, type View } from "../command/view.ts";
import type { Survey } from "../read/survey.ts";
import { toFacts } from "./lists.ts";

/** What a store adds up to. */
export interface ShownStats extends Pick<Survey, Counted> {
  workspace: string;
  by_pool: Record<string, number>;
  earliest: string | null;
  latest: string | null;
  avg_tokens_per_session: number;
  active_days: number;
  longest_streak_days: number;
  current_streak_days: number;
  disk_bytes: number;
}

/** What a survey counts that is shown as it is. */
type Counted =
  | ("entries" | "by_role" | "by_type" | "sources" | "usage" | "projects" | "sessions")
  | ("estimated_tokens" | "damaged_lines");

/** Names on the left, what they amount to on the right. */
export function toStatsScreen(data: ShownStats, view: View): string {
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
