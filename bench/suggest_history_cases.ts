// The labelled cases of this repository's own history, replayed: what would have been said before a
// commit, against what a labeller found worth saying. suggest_cases.md says how they were labelled.

import { openSources } from "../src/suggest/open_sources.ts";
import { type RankedItem, rankSuggestions } from "../src/suggest/rank_suggestions.ts";
import { findCandidates, toSubject } from "../src/suggest/run_suggest.ts";
import { type Candidate, suggestionTypes } from "../src/suggest/signals/suggestion.ts";
import { emptyMemory } from "../src/suggest/suggestion_memory.ts";
import first from "./fixtures/suggest_history.json" with { type: "json" };
import second from "./fixtures/suggest_history_second.json" with { type: "json" };
import { HistoryReplay, type HistorySet, type Moment } from "./suggest_history.ts";

/** One labelled case of the history. */
export interface HistoryCase {
  id: string;
  commit: string;
  path: string;
  symbol?: string;
  kind: string;
  /** Everything the labeller saw, and what of it was worth saying. */
  pool: string[];
  relevant: string[];
}

/** A case and what was said. */
export interface HistoryAnswer {
  labelled: HistoryCase;
  items: { item: RankedItem; keys: string[] }[];
}

/** The cases of a set: the weights were fitted on the first; the second was labelled afterwards. */
export function historyCases(set: HistorySet): HistoryCase[] {
  return set === "first" ? first.cases : second.cases;
}

/** Asks every case at the moment before its commit. */
export async function askHistory(
  directory: string,
  cases: HistoryCase[],
  options: { limit: number; minScore: number; edit: boolean },
): Promise<HistoryAnswer[]> {
  const { edit, ...rules } = options;
  const replay = await HistoryReplay.open(directory);
  const answers: HistoryAnswer[] = [];
  for (const commit of new Set(cases.map((item) => item.commit))) {
    const moment = await replay.before(commit);
    using sources = await openSources(moment.store, {
      refresh: true,
      reports: [],
      now: moment.now,
      days: 7,
    });
    for (const labelled of cases.filter((item) => item.commit === commit)) {
      const { path, symbol } = labelled;
      const hunks = edit ? await replay.hunks(commit, path) : undefined;
      const request = { path, symbol, edit: hunks, recent: [], recentChangeDays: 7 };
      const subject = toSubject(request, sources, moment.now);
      const { items } = rankSuggestions(findCandidates(subject, sources), emptyMemory(), {
        ...rules,
        minPrecision: 0,
        enabled: new Set(suggestionTypes),
        repeat: true,
        now: moment.now,
      });
      answers.push({
        labelled,
        items: items.map((item) => ({ item, keys: keysOf(item, moment) })),
      });
    }
  }
  return answers;
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
