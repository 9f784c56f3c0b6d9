// What is said about the rows that were found for what was typed.

import { countOf } from "./count_of.ts";

/** What a search found; `shown` where fewer are listed, `isSearching` while more may come. */
export interface FoundFacts {
  total: number;
  shown?: number;
  isNear: boolean;
  isSearching?: boolean;
}

/** How many rows there are, and whether only for similar words. */
export function sayFound(
  typed: string,
  { total, shown = total, isNear, isSearching }: FoundFacts,
): string {
  if (total === 0) return isSearching ? "" : `No results for “${typed.trim()}”.`;
  const many = countOf(total, "result") + (shown < total ? `, the best ${shown} shown` : "");
  return isNear ? `Nothing matches “${typed.trim()}” exactly. ${many} for similar words.` : many;
}

/** What is added where a list has more rows than are searched. */
export function sayLimit(total = 0, searched: number): string {
  return total > searched ? ` (only the newest ${searched.toLocaleString("en")} are searched)` : "";
}
