// `ctx stats` on a terminal: totals for people, lists wrapped.

import { countOf, type View } from "../command/view.ts";

/** What a store adds up to. */
export interface ShownStats {
  workspace: string;
  entries: number;
  by_pool: Record<string, number>;
  by_role: Record<string, number>;
  by_type: Record<string, number>;
  sources: Record<string, number>;
  usage: Record<string, number>;
  projects: { project: string; entries: number }[];
  sessions: number;
  estimated_tokens: number;
  avg_tokens_per_session: number;
  active_days: number;
  longest_streak_days: number;
  current_streak_days: number;
  disk_bytes: number;
  damaged_lines: number;
  earliest: string | null;
  latest: string | null;
}

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
  const shown = rows.filter(([, value]) => value !== "");
  const left = Math.max(...shown.map(([name]) => name.length)) + 2;
  return `${view.title(view.cut(view.path(data.workspace)))}\n\n${
    shown.map(([name, value]) =>
      view.wrap(value, {
        first: view.dim(name.padEnd(left)),
        indent: " ".repeat(left),
      })
    ).join("\n")
  }\n`;
}
