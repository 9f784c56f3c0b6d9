// Everything that is found for the labelled cases, before it is ranked: what suggest_fit.ts fits the
// weights on.

import { openSources } from "../src/recall/edit/open_sources.ts";
import { findCandidates, toSubject } from "../src/recall/edit/run_suggest.ts";
import type { Candidate, SuggestionType } from "../src/recall/edit/signals/suggestion.ts";
import { type HistoryCase, historyCases, keysOf } from "./suggest_history_cases.ts";
import { HistoryReplay, historySets } from "./suggest_history.ts";

/** An item that was found, with how it is judged. */
export interface FoundItem {
  type: SuggestionType;
  path?: string;
  entity_id: string;
  keys: string[];
  evidence: { kind: string; p: number; strength?: number; odds?: number }[];
  /** Set where the item was weighed for the edit. */
  base?: number;
}

/** A case and all that was found for it. */
export interface FoundCase {
  set: string;
  labelled: HistoryCase;
  edit: boolean;
  items: FoundItem[];
}

/** Asks every case of both sets of this repository. */
export async function findLabelled(directory: string): Promise<FoundCase[]> {
  const replay = await HistoryReplay.open(directory);
  const found: FoundCase[] = [];
  for (const set of historySets) found.push(...await findAll(replay, historyCases(set), set));
  return found;
}

/** Asks every case before its commit, with the file only and with the edit. */
export async function findAll(
  replay: HistoryReplay,
  cases: HistoryCase[],
  set: string,
): Promise<FoundCase[]> {
  const found: FoundCase[] = [];
  for (const commit of new Set(cases.map((item) => item.commit))) {
    const moment = await replay.before(commit);
    const { store, now } = moment;
    using sources = await openSources(store, { refresh: true, reports: [], now, days: 7 });
    for (const labelled of cases.filter((item) => item.commit === commit)) {
      const { path, symbol } = labelled;
      for (const edit of [false, true]) {
        const hunks = edit ? await replay.hunks(commit, path) : undefined;
        const request = { path, symbol, edit: hunks, recent: [], recentChangeDays: 7 };
        const candidates = findCandidates(toSubject(request, sources, now), sources)
          .filter((item) => labelled.pool !== undefined || item.path !== undefined);
        found.push({
          set,
          labelled,
          edit,
          items: candidates.map((item) => toItem(item, keysOf(item, moment))),
        });
      }
    }
  }
  return found;
}

function toItem({ type, path, entity_id, evidence, base }: Candidate, keys: string[]): FoundItem {
  return {
    type,
    path,
    entity_id,
    keys,
    evidence: evidence.map(({ kind, p, strength, odds }) => ({ kind, p, strength, odds })),
    base,
  };
}
