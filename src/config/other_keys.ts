// Other names of settings, as the documents that ctx grew from write them. Loaded only when a name is
// not one of ours.

import { type ConfigName, isConfigName } from "./config_keys.ts";

/** By the name there. */
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

/** Our name of a setting; `llm.apiKey` is `llm.api_key` too. */
export function findOwnKey(said: string): ConfigName | undefined {
  if (Object.hasOwn(otherKeys, said)) return otherKeys[said];
  const plain = said.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
  return isConfigName(plain) ? plain : undefined;
}
