// The most that any entry can have of what a text says, from how rare its words are: no posting is
// read. Tells a hook, which mostly has nothing to say, so in a fraction of a search.

import { IndexDamage } from "../disk/byte_source.ts";
import type { Store } from "../store/store.ts";
import { CorpusView } from "./corpus_view.ts";
import { parseQuery, toTerm, toTokens } from "./query.ts";
import { planTerms, shareOf } from "./rank/plan_terms.ts";
import { useIndex } from "./run_search.ts";

/** An upper bound for every entry. */
export interface MostFit {
  /** The words that an entry can have, by rarity; a word that only one has counts as 1. */
  worth: number;
  /** Their share of the text; words that no entry has count as the rarest. */
  share: number;
}

/** How rare a word of one entry only is. */
export function rarestOf(entries: number): number {
  return Math.log(1 + (entries - 0.5) / 1.5);
}

/** The bound, or undefined where only a search can tell. */
export async function findMostFit(store: Store, text: string): Promise<MostFit | undefined> {
  try {
    const query = parseQuery(text);
    const index = useIndex(store, () => {});
    await index.load();
    const { corpus } = new CorpusView(index, query);
    const planned = planTerms(corpus, toTokens(query.text).map(toTerm));
    const rarest = rarestOf(corpus.entries);
    if (rarest <= 0 || planned.length > 31) return undefined;
    const known = planned.reduce((set, { df }, i) => df > 0 ? set | (1 << i) : set, 0);
    const sum = planned.reduce((all, { df, idf }) => df > 0 ? all + idf : all, 0);
    return { worth: sum / rarest, share: shareOf(planned)(known) };
  } catch (error) {
    if (error instanceof IndexDamage) return undefined;
    throw error;
  }
}
