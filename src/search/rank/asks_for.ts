// What a question asks for beside its words: a time, then a row that names one is more likely its
// answer; or what somebody wanted, then the words of the prompt are the answer, not what followed it.

import type { QueryTerm } from "./plan_terms.ts";

/** "When did …", "how long …", "what day …"; not "what happens when …". */
export function asksForTime(query: string): boolean {
  // In small letters: where case is ignored, V8 takes longer to make an expression than to use it.
  return /^\W*(?:since |until )?when\b|\bhow long\b|\b(?:what|which) (?:date|day|week|month|year|time)\b/
    .test(query.toLowerCase());
}

/** Whether a query asks something, and does not only name a subject. */
export function isQuestion(query: string): boolean {
  return /^\W*(?:what|which|where|who|when|how|why|is|are|was|were|do|does|did|has|have|can|could|will|should)\b|\?\W*$/i
    .test(query);
}

/** Stems of the words with which people speak of a wish. */
const wishes = new Set(
  "user ask want prefer wish request demand insist told tell feel suggest propos".split(" "),
);

export function asksForWish(terms: readonly QueryTerm[]): boolean {
  return terms.some(({ term }) => wishes.has(term));
}
