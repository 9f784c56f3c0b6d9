// How much of what is asked a text says, by its terms. Pure.

import { termsOf } from "../search/rank/terms_of.ts";

/** The share of some terms that others hold; 0 when there are none. */
export function shareOf(wanted: ReadonlySet<string>, held: ReadonlySet<string>): number {
  return wanted.size === 0 ? 0 : wanted.intersection(held).size / wanted.size;
}

/** The terms of a text as the search sees them. */
export function termSet(text: string): Set<string> {
  return new Set(termsOf(text).map(({ term }) => term));
}
