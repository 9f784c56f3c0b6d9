// What an answer says of its query: that other words were searched for, or that there are none.

import type { Query } from "./query.ts";

/** The note of a corrected query; `corrected` has the words as written and what they were taken for. */
export function correctionNote(corrected: Record<string, string>): string {
  const list = (words: string[]) => words.map((word) => `"${word}"`).join(" and ");
  const from = Object.keys(corrected);
  return `${list(from)} ${from.length > 1 ? "occur" : "occurs"} nowhere: searched for ${
    list(Object.values(corrected))
  } (--exact takes words as written)`;
}

/** The note of a query without words but those of a time: what lists without words. */
export function wordlessNote({ filters, times }: Query): string {
  if (times) {
    const [span, another] = times.spans;
    const days = span && !another ? [span.fromMs, span.toMs - 1].map(localDay) : ["…", "…"];
    return `only a time is asked for: ctx sessions --since ${days[0]} --until ${days[1]} lists it`;
  }
  const what = filters.length > 0
    ? "filters; ctx records and ctx sessions list without words"
    : "common words or punctuation";
  return `the query has no words to search for: only ${what}`;
}

function localDay(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
