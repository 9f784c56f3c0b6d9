// What was searched for, marked in a text, and the part of a text around it.

import { findMarks } from "../search/typing/find_marks.ts";
import type { View } from "../command/view.ts";

/** A text in one line, cut around what matches, with that marked. */
export function markMatches(
  text: string,
  { terms, view, columns }: { terms: ReadonlySet<string>; view: View; columns: number },
): string {
  const line = text.replace(/\s+/g, " ").trim();
  const places = findMarks(line, terms).map(([from, to]) => ({ from, to }));
  const start = startOf(line, { places, view, columns });
  let shown = start > 0 ? "…" : "";
  let at = start;
  for (const { from, to } of places) {
    if (from < start) continue;
    shown += line.slice(at, from) + view.match(line.slice(from, to));
    at = to;
  }
  return shown + line.slice(at);
}

/** Where to begin, so that the part with the most matches is in view; at a word. */
function startOf(
  line: string,
  { places, view, columns }: {
    places: { from: number; to: number }[];
    view: View;
    columns: number;
  },
): number {
  if (places.length === 0 || view.widthOf(line) <= columns) return 0;
  const inView = (from: number): number =>
    places.filter((place) => place.from >= from && place.to - from < columns).length;
  let best = 0;
  for (const place of places) {
    if (inView(place.from) > inView(best)) best = place.from;
  }
  if (inView(0) >= inView(best)) return 0;
  const back = Math.max(0, best - Math.floor(columns / 6));
  const space = line.indexOf(" ", back);
  return space >= 0 && space < best ? space + 1 : best;
}
