// A text with the places marked that a search matched.

import type { JSX } from "preact";

/** The places as the server found them: starts and ends in the text. */
export type Places = readonly (readonly number[])[];

/** Marks places in a text. */
export function MarkedWords({ text, places }: { text: string; places?: Places }): JSX.Element {
  const parts: (string | JSX.Element)[] = [];
  let at = 0;
  for (const [start, end] of places ?? []) {
    if (start < at || end > text.length) continue;
    parts.push(text.slice(at, start), <mark>{text.slice(start, end)}</mark>);
    at = end;
  }
  return <>{[...parts, text.slice(at)]}</>;
}

/** The places of words in a text, where the server did not say them. */
export function findPlaces(text: string, query: string): Places {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  if (words.length === 0) return [];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.slice(0, 40).join("|")})`, "giu");
  return [...text.matchAll(pattern)].slice(0, 200).map((found) => [
    found.index,
    found.index + found[0].length,
  ]);
}
