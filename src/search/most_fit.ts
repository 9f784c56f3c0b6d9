// The most that any entry can have of what a text says, from how rare its words are: no posting is
// read, but for names. Tells a hook, which mostly has nothing to say, so in a fraction of a search.

import { IndexDamage } from "../disk/byte_source.ts";
import type { Entry } from "../core/entry.ts";
import { keyword } from "../index/segment/keyword.ts";
import { findMarked, forEachRow } from "../index/segment/postings.ts";
import type { Segment } from "../index/segment/segment.ts";
import type { Store } from "../store/store.ts";
import { CorpusView } from "./corpus_view.ts";
import { parseQuery, toTerm, toTokens } from "./query.ts";
import { planTerms, shareOf } from "./rank/plan_terms.ts";
import { termsOf } from "./rank/terms_of.ts";
import { useIndex } from "./use_index.ts";

/** An upper bound for every entry. */
export interface MostFit {
  /** The words that an entry can have, by rarity; a word that only one has counts as 1. */
  worth: number;
  /** Their share of the text; words that no entry has count as the rarest. */
  share: number;
  /** Whether an entry may have the names that are sought. */
  isNamed: boolean;
}

/** Names, and what has some of them: an entry of one of the types that passes a test. */
export interface SoughtNames {
  names: ReadonlySet<string>;
  least: number;
  types: readonly string[];
  isSought: (entry: Entry) => boolean;
}

/** How rare a word of one entry only is. */
export function rarestOf(entries: number): number {
  return Math.log(1 + (entries - 0.5) / 1.5);
}

/** The bound, or undefined where only a search can tell. */
export async function findMostFit(
  store: Store,
  text: string,
  sought: SoughtNames,
): Promise<MostFit | undefined> {
  try {
    const query = parseQuery(text);
    const index = useIndex(store, () => {});
    await index.load();
    const view = new CorpusView(index, query);
    const { corpus } = view;
    const planned = planTerms(corpus, toTokens(query.text).map(toTerm));
    const rarest = rarestOf(corpus.entries);
    if (rarest <= 0 || planned.length > 31) return undefined;
    const known = planned.reduce((set, { df }, i) => df > 0 ? set | (1 << i) : set, 0);
    const sum = planned.reduce((all, { df, idf }) => df > 0 ? all + idf : all, 0);
    const isNamed = mayBeNamed(view, sought);
    return { worth: sum / rarest, share: shareOf(planned)(known), isNamed };
  } catch (error) {
    if (error instanceof IndexDamage) return undefined;
    throw error;
  }
}

/** Whether some row is what is sought. Of a name the rarest word is looked for: inside a path it is no whole. */
function mayBeNamed(view: CorpusView, { names, least, types, isSought }: SoughtNames): boolean {
  if (names.size < least) return false;
  const { segments, bases } = view.corpus;
  return segments.some((segment, i) => {
    const ofTypes = new Uint8Array(segment.rows);
    for (const type of types) {
      const list = segment.findPostings(keyword("type", type));
      if (list) forEachRow(list.bytes, (row) => ofTypes[row] = 1);
    }
    const counts = new Map<number, number>();
    for (const name of names) {
      const rows = new Set(rarestLists(segment, name).flatMap((list) => findMarked(list, ofTypes)));
      for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
    }
    const found = [...counts].filter(([, count]) => count >= least);
    return found.length > mostRead ||
      found.some(([row]) => isSought(view.readEntry(bases[i] + row)));
  });
}

/** More rows than this are not read to see whether one is sought. */
const mostRead = 40;

/** The lists of a name: of its rarest word, and of it as a whole, in which other spellings agree. */
function rarestLists(segment: Segment, name: string): Uint8Array[] {
  const terms = termsOf(name);
  const listOf = ({ term }: { term: string }): Uint8Array =>
    segment.findPostings(term)?.bytes ?? none;
  const words = terms.filter(({ kind }) => kind === "word").map(listOf);
  const rarest = words.reduce((one, other) => other.length < one.length ? other : one, words[0]);
  return [rarest ?? none, ...terms.filter(({ kind }) => kind === "whole").slice(-1).map(listOf)];
}

const none = new Uint8Array();
