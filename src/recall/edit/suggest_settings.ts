// The configuration of proactive context, as the engine takes it.

import type { Config } from "../../config/merged_config.ts";
import type { RankOptions } from "./rank_suggestions.ts";
import type { SuggestionType } from "./signals/suggestion.ts";

export interface SuggestSettings {
  enabled: boolean;
  /** Whether to warn of another live session on the same lines. */
  collisions: boolean;
  cooldownMs: number;
  recentChangeDays: number;
  rank: Omit<RankOptions, "scope" | "now">;
}

/** Reads the settings; what a caller gives goes before the configuration. */
export function readSuggestSettings(
  config: Config,
  given: { limit?: number; min_score?: number; repeat?: boolean } = {},
): SuggestSettings {
  const switches: [SuggestionType, boolean][] = [
    ["decision", config.get("suggest.decisions")],
    ["change", config.get("suggest.changes")],
    ["doc", config.get("suggest.docs")],
    ["related_code", config.get("suggest.related_code")],
    ["warning", config.get("suggest.warnings")],
  ];
  return {
    enabled: config.get("suggest.enabled"),
    collisions: config.get("suggest.collisions"),
    cooldownMs: config.get("suggest.cooldown_ms"),
    recentChangeDays: config.get("suggest.recent_change_days"),
    rank: {
      limit: given.limit ?? config.get("suggest.max_suggestions"),
      minScore: given.min_score ?? config.get("suggest.min_relevance_score"),
      minPrecision: config.get("suggest.min_precision"),
      enabled: new Set(switches.filter(([, on]) => on).map(([type]) => type)),
      repeat: given.repeat ?? false,
    },
  };
}
