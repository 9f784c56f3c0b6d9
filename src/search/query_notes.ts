// What an answer says of its query: that other words were searched for, or that there are none.

import { toLocalDay } from "../core/time/local_day.ts";
import { offsetFrom } from "../core/time/time_span.ts";
import type { Corpus } from "../index/segment/corpus.ts";
import { rowFlags } from "../index/segment/segment_format.ts";
import type { Query } from "./query.ts";
import type { AskedTimes } from "./rank/rank.ts";
import type { EmptyTime, SearchAnswer } from "./request.ts";

/** The note of a corrected query; `corrected` has the words as written and what they were taken for. */
export function correctionNote(corrected: Record<string, string>): string {
  const list = (words: string[]) => words.map((word) => `"${word}"`).join(" and ");
  const from = Object.keys(corrected);
  return `no results for ${list(from)}: showing results for ${
    list(Object.values(corrected))
  } (--exact turns off spelling correction)`;
}

/** The note of a query without words but those of a time: what lists without words. */
export function wordlessNote({ filters, times }: Query): string {
  if (times) {
    const [span, another] = times.spans;
    const days = span && !another ? [span.fromMs, span.toMs - 1].map(toLocalDay) : ["…", "…"];
    return `the query only names a time: ctx sessions --since ${days[0]} --until ${
      days[1]
    } lists its sessions`;
  }
  const what = filters.length > 0
    ? "filters (ctx records and ctx sessions work without words)"
    : "common words or punctuation";
  return `the query has no words to search for: only ${what}`;
}

/** What other searches take for operators is words here; not in code, where all is in capitals or alone. */
export function operatorNotes(text: string): string[] {
  const operator = /[a-z]\S* (AND|OR) \S*[a-z]/.exec(text)?.[1];
  const start = /(?:^|\s)([a-z]{2,}\*)(?=\s|$)/i.exec(text)?.[1];
  return [
    ...(operator
      ? [`"${operator}" is searched as a word: results that match more words come first`]
      : []),
    ...(start ? [`"${start}" is searched as a word: all forms of a word are found`] : []),
  ];
}

/** The note of a time from which there is nothing, with the nearest days that have something. */
export function emptyTimeNote({ said, near }: EmptyTime): string {
  const days = near.map(({ timeMs }) => toLocalDay(timeMs)).sort();
  return `no results from ${said}${days.length > 0 ? `; nearest: ${days.join(" and ")}` : ""}`;
}

/** The nearest rows before and after the times of a question; undefined when some are from then. */
export function findEmptyTime(
  { segments, liveness }: Corpus,
  { spans, said }: AskedTimes,
): EmptyTime | undefined {
  let before: EmptyTime["near"][number] | undefined;
  let after: typeof before;
  for (const [i, segment] of segments.entries()) {
    for (let row = 0; row < segment.rows; row++) {
      if ((segment.flags(row) & rowFlags.tombstone) !== 0) continue;
      if (liveness.dead[i]?.has(row)) continue;
      const timeMs = segment.time(row);
      const offset = offsetFrom(spans, timeMs);
      if (offset === 0) return undefined;
      if (offset < 0 && offset > (before?.offset ?? -Infinity)) before = { offset, timeMs };
      if (offset > 0 && offset < (after?.offset ?? Infinity)) after = { offset, timeMs };
    }
  }
  return { said, near: [before, after].filter((one) => one !== undefined) };
}

/** That of several stores: only where all of them have nothing. */
export function mergeEmptyTimes(answers: readonly SearchAnswer[]): EmptyTime | undefined {
  const found = answers.map(({ empty_time }) => empty_time).filter((one) => one !== undefined);
  if (found.length < answers.length) return undefined;
  return { said: found[0].said, near: nearestOf(found.flatMap(({ near }) => near)) };
}

function nearestOf(near: EmptyTime["near"]): EmptyTime["near"] {
  const sorted = near.toSorted((a, b) => Math.abs(a.offset) - Math.abs(b.offset));
  return [true, false].flatMap((isBefore) =>
    sorted.find(({ offset }) => offset < 0 === isBefore) ?? []
  );
}
