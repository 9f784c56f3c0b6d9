// Facets: how the rows that match are spread over the values of a property. They are counted
// from the columns of the index: Orama would have every match ranked and a document made of it.

import { CtxError } from "../core/errors.ts";
import { guessAt } from "../core/text.ts";
import { locate } from "../index/segment/corpus.ts";
import type { CorpusView } from "./corpus_view.ts";
import { type FacetCounts, type FacetName, facetNames } from "./request.ts";

/** Of more values, the rarest are left out; their number is said. */
const mostValues = 10;

/** Reads `session,type`. */
export function parseFacets(text: string | undefined): FacetName[] {
  const words = (text ?? "").split(",").map((word) => word.trim()).filter(Boolean);
  return words.map((word) => {
    const name = facetNames.find((known) => known === word);
    if (name !== undefined) return name;
    const guess = guessAt(word, facetNames);
    throw new CtxError("USAGE", `Cannot count by "${word}": there is no such facet${guess}`, {
      hint: `use ${facetNames.join(", ")}`,
    });
  });
}

/** Counts the values that some rows have; of equally frequent ones the latest comes first. */
export function countFacets(
  view: CorpusView,
  { names, rows }: { names: readonly FacetName[]; rows: readonly number[] },
): FacetCounts {
  return Object.fromEntries(names.map((name) => {
    const counts = new Map<string, { value: string; rows: number }>();
    let last = { value: "", rows: 0 };
    // Rows that follow one another mostly have the same value.
    const count = (value: string): void => {
      if (last.rows === 0 || value !== last.value) last = counts.get(value) ?? { value, rows: 0 };
      if (last.rows++ === 0) counts.set(value, last);
    };
    for (let i = rows.length - 1; i >= 0; i--) {
      const value = readFacet(view, name, rows[i]);
      if (Array.isArray(value)) value.forEach(count);
      else count(value);
    }
    const sorted = [...counts.values()].sort((a, b) => b.rows - a.rows);
    const values = Object.fromEntries(sorted.map(({ value, rows }) => [value, rows]));
    return [name, { count: counts.size, values }];
  }));
}

function readFacet(view: CorpusView, name: FacetName, global: number): string | string[] {
  if (name === "pool") return locate(view.corpus, global).segment.pool;
  return view.readExact(name, global) ?? (name === "file" || name === "tag" ? [] : "");
}

/** The counts of two searches together. */
export function mergeFacets(first: FacetCounts, second: FacetCounts): FacetCounts {
  return Object.fromEntries(
    Object.entries(first).map(([name, { values: known }]) => {
      const values = new Map(Object.entries(known));
      for (const [value, rows] of Object.entries(second[name]?.values ?? {})) {
        values.set(value, (values.get(value) ?? 0) + rows);
      }
      return [name, { count: values.size, values: Object.fromEntries(values) }];
    }),
  );
}

/** The most frequent values of each facet; `count` is how many there are. */
export function topFacets(facets: FacetCounts): FacetCounts {
  return Object.fromEntries(
    Object.entries(facets).map(([name, { count, values }]) => {
      const top = Object.entries(values).sort(([, a], [, b]) => b - a).slice(0, mostValues);
      return [name, { count, values: Object.fromEntries(top) }];
    }),
  );
}

/** One line for each facet. */
export function renderFacets(facets: FacetCounts): string[] {
  return Object.entries(facets).map(([name, { count, values }]) => {
    const shown = Object.entries(values).map(([value, rows]) => `${value || "none"} ${rows}`);
    const more = count > shown.length ? [`${count - shown.length} more`] : [];
    return `${name}: ${[...shown, ...more].join(" · ")}`;
  });
}
