// Facets: how the rows that match are spread over the values of a property, as Orama counts them. Here
// they are named, put together and shown.

import { CtxError } from "../core/errors.ts";
import { guessAt } from "../core/text.ts";
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
    throw new CtxError("USAGE", `Cannot count by "${word}": no such facet${guess}`, {
      hint: `use ${facetNames.join(", ")}`,
    });
  });
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

export function renderFacets(facets: FacetCounts): string[] {
  return Object.entries(facets).map(([name, { count, values }]) => {
    const shown = Object.entries(values).map(([value, rows]) => `${value || "none"} ${rows}`);
    const more = count > shown.length ? [`${count - shown.length} more`] : [];
    return `${name}: ${[...shown, ...more].join(" · ")}`;
  });
}
