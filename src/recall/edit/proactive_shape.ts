// The shape of what came of suggestions, for `ctx stats --proactive`.

import * as s from "../../command/shape.ts";
import { suggestionTypes } from "../../core/row_kinds.ts";

/** How items of one kind fared. */
const itemCounts = { items: s.number(), used: s.number(), dismissed: s.number() };
export type ItemCounts = s.ObjectOf<typeof itemCounts>;

export const proactiveShape = s.object({
  suggestions: s.number(),
  ...itemCounts,
  /** Of the items that were judged; null when none was. */
  ...s.each(s.nullable(s.number()), "used_rate", "dismissed_rate"),
  latency_ms: s.nullable(s.object({ median: s.number(), p95: s.number() })),
  by_type: s.listOf(s.object({
    type: s.oneOf(suggestionTypes),
    ...itemCounts,
    /** Of the newest verdicts; null while there are too few. */
    precision: s.nullable(s.number()),
    silenced: s.boolean(),
  })),
  by_score: s.listOf(s.object({ from: s.number(), to: s.number(), ...itemCounts })),
  /** How scores and use go together, from -1 to 1; null while all judged items are alike. */
  score_vs_use: s.nullable(s.number()),
  /** The metrics that ctx-sys names, as it defines them: rates are of all suggestions. */
  metrics: s.object({
    proactive_suggestion_count: s.number(),
    ...s.each(s.nullable(s.number()), "proactive_used_rate", "proactive_dismissed_rate"),
    proactive_latency_ms: s.nullable(s.number()),
    suggestion_type_distribution: s.recordOf(s.number()),
    relevance_score_vs_usage: s.nullable(s.number()),
  }),
});
export type ProactiveStats = s.ValueOf<typeof proactiveShape>;
