// What a row must pass to be found: filters, and words that must or must not occur.

import { rowsWithAll } from "./plan_terms.ts";
import type { RankInput, RowMarks, Wanted } from "./rank.ts";

/** The name of the first filter that a row fails, or undefined. */
export type RowTest = (segment: number, row: number, global: number) => string | undefined;

/** A filter that the kernel can test. */
export interface MarkedFilter {
  name: string;
  marks: RowMarks;
}

/** All that a row must pass as the kernel tests it, in order; undefined when some must be read for. */
export function findMarks(
  { corpus, filters, required, excluded }: RankInput,
): MarkedFilter[] | undefined {
  const found: MarkedFilter[] = [];
  for (const { name, marks } of filters) {
    if (marks === undefined) return undefined;
    found.push({ name, marks });
  }
  if (required.length > 0 || excluded.some(({ holds }) => holds !== undefined)) return undefined;
  for (const { terms } of excluded) {
    const all = rowsWithAll(corpus, terms);
    const rows = (segment: number): Uint8Array =>
      all.subarray(corpus.bases[segment], corpus.bases[segment] + corpus.segments[segment].rows);
    found.push({ name: "excluded_words", marks: { rows, mark: 0 } });
  }
  return found.length <= mostMarks ? found : undefined;
}

/** A row holds the number of the filter that it fails in a byte, and each has its own counts. */
const mostMarks = 16;

/** The name of the first filter that a row fails; undefined when there is nothing to test. */
export function makeRowTest(
  { corpus, filters, readEntry, excluded }: RankInput,
  required: readonly Wanted[],
): RowTest | undefined {
  if (filters.length + required.length + excluded.length === 0) return undefined;
  const toTest = ({ terms, holds }: Wanted): (global: number) => boolean => {
    // Looked up when a row is tested: the kernel mostly has tested them all.
    let rows: Uint8Array | undefined;
    return (global) =>
      (rows ??= rowsWithAll(corpus, terms))[global] === 1 &&
      (holds === undefined || holds(readEntry(global)));
  };
  const [must, mustNot] = [required.map(toTest), excluded.map(toTest)];
  // Tests that read entries come last.
  return (segment, row, global) => {
    for (const filter of filters) if (!filter.passes(segment, row)) return filter.name;
    if (mustNot.some((has) => has(global))) return "excluded_words";
    return must.every((has) => has(global)) ? undefined : "phrase";
  };
}
