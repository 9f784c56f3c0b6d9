// Other names of settings, as the documents that ctx grew from write them. Loaded only when a name is
// not one of ours.

import { isObject } from "../core/json.ts";
import { type ConfigName, isConfigName } from "./config_keys.ts";

export const otherKeys: Readonly<Record<string, ConfigName>> = {
  "agent.proactive.enabled": "suggest.enabled",
  "agent.proactive.maxSuggestions": "suggest.max_suggestions",
  "agent.proactive.minRelevanceScore": "suggest.min_relevance_score",
  "agent.proactive.recentChangeDays": "suggest.recent_change_days",
  "agent.proactive.enableDecisions": "suggest.decisions",
  "agent.proactive.enableRecentChanges": "suggest.changes",
  "agent.proactive.enableDocs": "suggest.docs",
  "agent.proactive.enableRelatedCode": "suggest.related_code",
  "agent.proactive.enableWarnings": "suggest.warnings",
};

/** Our word for a value that ContextFS has for a setting; undefined where it has none. */
export function findOwnValue(key: ConfigName, said: unknown): string | undefined {
  return key === "embedder.kind" && said === "external" ? "http" : undefined;
}

/** Our name of a setting; `llm.apiKey` is `llm.api_key` too. */
export function findOwnKey(said: string): ConfigName | undefined {
  if (Object.hasOwn(otherKeys, said)) return otherKeys[said];
  const plain = said.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  return isConfigName(plain) ? plain : undefined;
}

/** Where else a file says what a setting is: by another name, or with points in a name. */
export function findOtherPlaces(
  config: Record<string, unknown>,
  key: string,
  above: readonly string[] = [],
): string[][] {
  return Object.entries(config).flatMap(([name, value]) => {
    const place = [...above, name];
    if (isObject(value)) return findOtherPlaces(value, key, place);
    const said = place.join(".");
    const isSame = said === key ? place.length !== key.split(".").length : findOwnKey(said) === key;
    return isSame ? [place] : [];
  });
}
