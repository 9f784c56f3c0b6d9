// What a text is searched by.

import { type TermKind, tokenize } from "../../index/text/tokenize.ts";
import type { QueryTerm } from "./plan_terms.ts";

/** The distinct terms of a text, in order of first appearance. */
export function termsOf(text: string): QueryTerm[] {
  const found = new Map<string, TermKind>();
  tokenize(text, (term, kind) => {
    if (kind !== "character" && found.get(term) !== "word") found.set(term, kind);
  });
  return [...found].map(([term, kind]) => ({ term, kind }));
}
