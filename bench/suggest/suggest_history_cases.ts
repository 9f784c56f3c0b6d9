// The labelled cases of this repository's own history: what a labeller found worth saying before a
// commit. suggest_cases.md says how they were labelled.

import type { Candidate } from "../../src/recall/edit/signals/suggestion.ts";
import first from "../fixtures/suggest_history.json" with { type: "json" };
import second from "../fixtures/suggest_history_second.json" with { type: "json" };
import type { HistorySet, Moment } from "./suggest_history.ts";

/** One labelled case of the history. */
export interface HistoryCase {
  id: string;
  commit: string;
  path: string;
  symbol?: string;
  kind: string;
  /** Everything the labeller saw; where a rule labels, that is every file and nothing else. */
  pool?: string[];
  relevant: string[];
}

/** The cases of a set: the weights were fitted on the first; the second was labelled afterwards. */
export function historyCases(set: HistorySet): HistoryCase[] {
  return set === "first" ? first.cases : second.cases;
}

/** Whether an item was judged. */
export function isJudged(keys: string[], { pool }: HistoryCase): boolean {
  return pool === undefined || keys.some((key) => pool.includes(key));
}

/** By which keys of the pool an item is judged: its entry, its commit, its file. */
export function keysOf(item: Candidate, { keys }: Moment): string[] {
  const entry = keys.get(item.entity_id);
  const commit = /^commit:[0-9a-f]{12}/.exec(item.entity_id)?.[0];
  return [
    ...(entry === undefined ? [] : [entry]),
    ...(commit === undefined ? [] : [commit]),
    ...(item.path === undefined ? [] : [`path:${item.path}`]),
    ...(item.type === "warning" ? [`warning:${item.entity_id}`] : []),
  ];
}
