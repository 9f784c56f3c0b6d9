// A query that is still being typed: its last word may be the beginning of one. Nothing else matches by
// prefix, so the word that most entries have stands in for it until it is finished.

import type { Segment } from "../../index/segment/segment.ts";
import type { Store } from "../../store/store.ts";
import { CorpusView } from "../corpus_view.ts";
import { termsOf } from "../rank/terms_of.ts";
import { useIndex } from "../use_index.ts";

/** Longer ones are no words that somebody types. */
const maxChars = 40;
/** What a word may have beyond its stem: `rotati` is on the way to `rotation`, whose stem is `rotat`. */
const maxEnding = 3;
const minStem = 4;

/** The query with its unfinished last word completed; as it is when that word occurs or none does. */
export async function completeQuery(
  stores: readonly Store[],
  query: string,
  warn: (message: string) => void,
): Promise<string> {
  const [, before, last] = /^(|.*\s)([a-z0-9]{2,})$/is.exec(query) ?? [];
  if (last === undefined || last.length > maxChars || isQuoted(before)) return query;
  const typed = last.toLowerCase();
  const stem = typed.slice(0, Math.max(2, typed.length - maxEnding));
  const own = termsOf(typed).map(({ term }) => term);
  const wanted = (term: string): boolean => own.includes(term) || term.startsWith(stem);
  const segments: Segment[] = [];
  for (const store of stores) {
    const index = useIndex(store, warn);
    await index.load();
    segments.push(...new CorpusView(index, { keeps: wanted }).corpus.segments);
  }
  const isKnown = (term: string): boolean =>
    segments.some((segment) => segment.findPostings(term) !== undefined);
  if (own.some(isKnown)) return query;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    for (const term of segment.terms(stem)) {
      if (!mayBecome(typed, term)) continue;
      counts.set(term, (counts.get(term) ?? 0) + (segment.findPostings(term)?.count ?? 0));
    }
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return best === undefined ? query : before + best[0];
}

/** Whether what was typed may be on its way to a word with this stem. */
function mayBecome(typed: string, term: string): boolean {
  if (!/^[a-z0-9]+$/.test(term) || !termsOf(term).some((made) => made.term === term)) return false;
  return term.startsWith(typed) || (term.length >= minStem && typed.startsWith(term));
}

/** What stands in quotes is meant as it is written. */
function isQuoted(before: string): boolean {
  return (before.match(/"/g)?.length ?? 0) % 2 === 1;
}
