// What came of suggestions, counted from their log: how many, how fast, how often used, by type and
// by score. Nothing is counted that the log does not say.

import { suggestionTypes } from "../../core/row_kinds.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { isSilenced, measuredPrecision } from "./rank_suggestions.ts";
import { judge, readJudged, type Verdict } from "./suggestion_log.ts";
import { readMemory } from "./suggestion_memory.ts";
import type { ItemCounts, ProactiveStats } from "./proactive_shape.ts";

export function readProactiveStats(
  files: Files,
  layout: Layout,
  options: { minPrecision: number; now: number },
): ProactiveStats {
  const memory = readMemory(files, layout);
  const made = readJudged(files, layout);
  const latencies = made.map(({ event }) => event.latency_ms);
  const all = made.flatMap(({ event, verdicts }) =>
    event.items.map(({ type, relevance_score: score }, i) => {
      return { type, score, verdict: verdicts.get(i + 1) };
    })
  );
  const totals = countItems(all);
  const judged = totals.used + totals.dismissed;
  const ends = made.map(({ event, verdicts }) => judge(event.items.length, verdicts).status);
  const rateOf = (end: Verdict): number | null =>
    made.length === 0 ? null : round(ends.filter((one) => one === end).length / made.length);
  const score_vs_use = correlate(all);
  return {
    suggestions: made.length,
    ...totals,
    used_rate: judged === 0 ? null : round(totals.used / judged),
    dismissed_rate: judged === 0 ? null : round(totals.dismissed / judged),
    latency_ms: latencies.length === 0 ? null : {
      median: percentile(latencies, 0.5),
      p95: percentile(latencies, 0.95),
    },
    by_type: suggestionTypes.map((type) => {
      const { precision } = measuredPrecision(memory, type, options.now);
      return {
        type,
        ...countItems(all.filter((item) => item.type === type)),
        precision: precision === undefined ? null : round(precision),
        silenced: isSilenced(memory, type, options),
      };
    }),
    by_score: [0.5, 0.6, 0.7, 0.8, 0.9].map((from) => {
      const to = round(from + 0.1);
      const low = from === 0.5 ? 0 : from;
      const within = all.filter(({ score }) => score >= low && (score < to || from === 0.9));
      return { from: low, to, ...countItems(within) };
    }),
    score_vs_use,
    metrics: {
      proactive_suggestion_count: made.length,
      proactive_used_rate: rateOf("used"),
      proactive_dismissed_rate: rateOf("dismissed"),
      proactive_latency_ms: latencies.length === 0 ? null : percentile(latencies, 0.5),
      suggestion_type_distribution: Object.fromEntries(
        suggestionTypes.map((type) => [type, all.filter((item) => item.type === type).length]),
      ),
      relevance_score_vs_usage: score_vs_use,
    },
  };
}

/** The correlation of score and use over the judged items. */
function correlate(items: { score: number; verdict?: Verdict }[]): number | null {
  const judged = items.filter((item) => item.verdict !== undefined)
    .map(({ score, verdict }) => [score, verdict === "used" ? 1 : 0]);
  const means = [0, 1].map((i) => judged.reduce((sum, pair) => sum + pair[i], 0) / judged.length);
  const sumOf = (i: number, j: number): number =>
    judged.reduce((sum, pair) => sum + (pair[i] - means[i]) * (pair[j] - means[j]), 0);
  const spread = Math.sqrt(sumOf(0, 0) * sumOf(1, 1));
  return spread > 1e-9 ? round(sumOf(0, 1) / spread) : null;
}

function countItems(items: { verdict?: Verdict }[]): ItemCounts {
  return {
    items: items.length,
    used: items.filter((item) => item.verdict === "used").length,
    dismissed: items.filter((item) => item.verdict === "dismissed").length,
  };
}

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
