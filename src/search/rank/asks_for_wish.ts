// Whether a question is about what somebody wanted: then the words of the prompt are the answer, not
// what followed it.

import type { QueryTerm } from "./plan_terms.ts";

/** Stems of the words with which people speak of a wish. */
const wishes = new Set(
  "user ask want prefer wish request demand insist told tell feel suggest propos".split(" "),
);

/** Whether a query asks for a wish, told by its terms. */
export function asksForWish(terms: readonly QueryTerm[]): boolean {
  return terms.some(({ term }) => wishes.has(term));
}
