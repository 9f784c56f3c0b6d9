// The terms of texts and what they share; the words of an entry that say most about a question, as they
// stand in it.

import type { Entry } from "../core/entry.ts";
import { toLine } from "../core/text.ts";
import { termsOf } from "../search/rank/terms_of.ts";
import { maxQuoteChars, passagesOf } from "./answer_passages.ts";

/** The best passage of an entry for a question, word for word; its beginning where none tells. */
export function bestPassage(entry: Entry, question: string): string {
  const wanted = termSet(question);
  const scored = passagesOf(entry)
    .map(({ text }) => ({ text, share: shareOf(wanted, termSet(text)) }));
  const best = scored.toSorted((a, b) => b.share - a.share)[0]?.text ?? entry.text.trim();
  return best.length <= maxQuoteChars
    ? best
    : toLine(best, maxQuoteChars).replace(/…$/, "").trimEnd();
}

/** The share of some terms that others hold; 0 when there are none. */
export function shareOf(wanted: ReadonlySet<string>, held: ReadonlySet<string>): number {
  return wanted.size === 0 ? 0 : wanted.intersection(held).size / wanted.size;
}

/** The terms of a text as the search sees them. */
export function termSet(text: string): Set<string> {
  return new Set(termsOf(text).map(({ term }) => term));
}
