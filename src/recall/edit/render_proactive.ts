// The metrics of proactive context for people: a table by type, and a small plot of score against
// use. Pure.

import type { ProactiveStats } from "./proactive_shape.ts";
import { countOf, toTable, type View } from "../../command/view.ts";

const barChars = 24;

/** The metrics as text. */
export function renderProactive(stats: ProactiveStats, view: View): string {
  const head = [
    [view.bold("suggestions"), `${stats.suggestions} (${countOf(stats.items, "item")})`],
    [view.bold("used"), `${stats.used} (${percent(stats.used_rate)} of those with feedback)`],
    [view.bold("dismissed"), `${stats.dismissed} (${percent(stats.dismissed_rate)})`],
    [
      view.bold("latency"),
      stats.latency_ms === null
        ? "none yet"
        : `median ${stats.latency_ms.median} ms, 95th percentile ${stats.latency_ms.p95} ms`,
    ],
    [
      view.bold("score and use"),
      stats.score_vs_use === null
        ? "too little feedback"
        : `correlation ${stats.score_vs_use.toFixed(2)} (1 means higher scores are used more)`,
    ],
  ];
  const types = stats.by_type.map((row) => [
    row.type,
    String(row.items),
    String(row.used),
    String(row.dismissed),
    row.precision === null ? "too little feedback" : percent(row.precision),
    row.silenced ? "muted: below suggest.min_precision" : "",
  ]);
  const scores = stats.by_score.map((row) => {
    const judged = row.used + row.dismissed;
    const filled = judged === 0 ? 0 : Math.round((barChars * row.used) / judged);
    const bar = judged === 0 ? "" : "█".repeat(filled) + "░".repeat(barChars - filled);
    const share = judged === 0 ? "no feedback" : `${row.used} of ${judged} used`;
    return [`${row.from.toFixed(1)} to ${row.to.toFixed(1)}`, `${row.items}`, bar, share];
  });
  return [
    toTable(head),
    toTable([["type", "items", "used", "dismissed", "precision", ""].map(view.dim), ...types]),
    toTable([["score", "items", "used", ""].map(view.dim), ...scores]),
  ].join("\n\n") + "\n";
}

function percent(share: number | null): string {
  return share === null ? "no feedback" : `${Math.round(share * 100)} %`;
}
