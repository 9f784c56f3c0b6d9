// `ctx activity` on a terminal: a calendar of weeks, then agents, latency and sizes.

import { countOf, type View } from "../command/view.ts";
import type { Activity } from "../read/overview/read_activity.ts";
import { toFacts } from "./lists.ts";

/** Weeks as columns, as many as fit, and below them what they add up to. */
export function toActivityScreen(data: Activity, view: View): string {
  const entries = data.days.reduce((sum, day) => sum + day.entries, 0);
  const total = `${countOf(data.days.length, "active day")} since ${data.from}, ${
    view.count(entries)
  } entries`;
  const { times, lines, tokens } = data.given;
  const given = times === 0
    ? ""
    : `${countOf(lines, "line")}, ${times === 1 ? "once" : `${view.count(times)} times`}, ${
      view.count(tokens)
    } tokens`;
  const parts: [string, string][] = [
    [
      "agents",
      data.agents.map(({ source, sessions, messages }) =>
        `${source} ${countOf(sessions, "session")}, ${view.count(messages)} messages`
      ).join("\n"),
    ],
    [
      "latency",
      data.latency.map(({ command, count, p50_ms, p95_ms }) =>
        `${command} median ${toMs(p50_ms)}, 95th percentile ${toMs(p95_ms)} (${
          countOf(count, "call")
        })`
      ).join("\n"),
    ],
    ["context", given],
    [
      "disk",
      Object.entries(data.bytes).filter(([, bytes]) => bytes > 0)
        .map(([part, bytes]) => `${part} ${view.size(bytes)}`).join(", "),
    ],
  ];
  const rows = toFacts(parts, { view, left: 9 });
  return `${toCalendar(data, view)}\n${view.dim(total)}\n\n${rows.join("\n")}\n`;
}

const shades = ["·", "░", "▒", "▓", "█"];
const dayMs = 86_400_000;

/** Seven lines, Monday first; a darker cell is a busier day. */
function toCalendar({ days, to }: Activity, view: View): string {
  const counts = new Map(days.map(({ day, entries }) => [day, entries]));
  const most = Math.max(1, ...counts.values());
  const last = Date.parse(to);
  // Monday is 0.
  const weekday = (new Date(last).getUTCDay() + 6) % 7;
  const weeks = Math.min(53, view.width - 4);
  const lines = ["Mon", "   ", "Wed", "   ", "Fri", "   ", "Sun"].map((name, row) => {
    const cells = Array.from({ length: weeks }, (_, week) => {
      const back = (weeks - 1 - week) * 7 + weekday - row;
      if (back < 0) return " ";
      const count = counts.get(new Date(last - back * dayMs).toISOString().slice(0, 10)) ?? 0;
      return shades[
        count === 0 ? 0 : 1 + Math.min(3, Math.floor(4 * Math.log1p(count) / Math.log1p(most)))
      ];
    });
    return `${view.dim(name)} ${cells.join("").trimEnd()}`;
  });
  return `${lines.join("\n")}\n`;
}

function toMs(ms: number): string {
  return ms < 10 ? `${Math.round(ms * 10) / 10} ms` : `${Math.round(ms)} ms`;
}
