// Times in the words of a question. Only what is hardly anything else: "may" and "march" as verbs,
// "sat", versions, ports and counts of rows stay words. What was found is read by `readTime`.

import { CtxError } from "../errors.ts";
import {
  countOf,
  countPattern,
  monthPattern,
  readTime,
  unitPattern,
  weekdayPattern,
} from "./read_time.ts";
import type { TimeInText, TimeSpan } from "./time_span.ts";

/** A text with more times is a log or a table, not a question about each; rows are compared with all. */
const mostTimes = 8;
const nearChars = 40;

/** The times that a question speaks of, the first ones, in the order of their words. */
export function timesIn(text: string, nowMs: number): TimeInText[] {
  const found: (TimeInText & { time: string })[] = [];
  for (const match of text.matchAll(makePattern())) {
    const [time] = match;
    const end = match.index + time.length;
    const kind = kinds.find((name) => match.groups?.[name] !== undefined) ?? "whole";
    const around = {
      time,
      // A word beside it that is longer than these says nothing, and looking for its start takes long.
      before: /(\w+) $/.exec(text.slice(Math.max(0, match.index - nearChars), match.index))?.[1]
        .toLowerCase() ?? "",
      after: /^ (\S+)/.exec(text.slice(end, end + nearChars))?.[1].toLowerCase() ?? "",
      thisYear: new Date(nowMs).getFullYear(),
    };
    if (!isMeant[kind](around)) continue;
    const spans = kind === "day" || kind === "month"
      ? readAnyYear(around, nowMs)
      : readSpan(time, nowMs);
    if (spans.length > 0) found.push({ spans, start: match.index, end, time });
    if (found.length === mostTimes) break;
  }
  found.forEach((first, i) => {
    const second = found[i + 1];
    if (second) joinTimes(first, second, text);
  });
  return found.map(({ spans, start, end }) => shifted({ spans, start, end }, text));
}

/** "August 11 to August 15 2023": the first is of the second's year; "between" is all that lies between. */
function joinTimes(
  first: TimeInText & { time: string },
  second: TimeInText & { time: string },
  text: string,
): void {
  const link = /^ ?(and|or|to|until|till|through|-|–) ?$/.exec(text.slice(first.end, second.start));
  if (!link || second.spans.length !== 1) return;
  const [until] = second.spans;
  const [, year] = /(\d{4})$/.exec(second.time) ?? [];
  if (first.spans.length > 1) {
    const same = first.spans.find(({ fromMs }) => String(new Date(fromMs).getFullYear()) === year);
    if (same === undefined) return;
    first.spans = [same];
  }
  const opens = /(between|from) $/i.exec(
    text.slice(Math.max(0, first.start - nearChars), first.start),
  )?.[1].toLowerCase();
  const isRange = opens === "between" ? link[1] === "and" : !/and|or/.test(link[1]);
  const [{ fromMs }] = first.spans;
  if (isRange && fromMs < until.toMs) first.spans = [{ fromMs, toMs: until.toMs }];
}

/** "The week before" a time is up to it; "two weeks before" is then, give or take half a week. */
function shifted({ spans, start, end }: TimeInText, text: string): TimeInText {
  const pattern = new RegExp(`\\b(the|${countPattern}) (day|week|month)s? (before|after) $`, "i");
  const from = Math.max(0, start - nearChars);
  const match = pattern.exec(text.slice(from, start));
  if (!match) return { spans, start, end };
  const [count, unit, side] = match.slice(1).map((word) => word.toLowerCase());
  const days = unit === "day" ? 1 : unit === "week" ? 7 : 30;
  const isNext = count === "the" || unit === "day";
  const far = (countOf(count) || 1) * days;
  const slack = isNext ? 0 : Math.floor(days / 2);
  const width = isNext ? days : 1;
  const move = ({ fromMs, toMs }: TimeSpan): TimeSpan =>
    side === "before"
      ? { fromMs: daysOn(fromMs, -far - slack), toMs: daysOn(fromMs, width - far + slack) }
      : { fromMs: daysOn(toMs, far - width - slack), toMs: daysOn(toMs, far + slack) };
  return { spans: spans.map(move), start: from + match.index, end };
}

/** A time some local days later; days need not have 24 hours. */
function daysOn(timeMs: number, days: number): number {
  const date = new Date(timeMs);
  return date.setDate(date.getDate() + days);
}

/** What needs a look at the words around it; a whole date needs none. */
const kinds = ["dotted", "day", "month", "year", "weekday"] as const;

/**
 * What may be a time, with nothing beside it that would make it part of a name, a path or a version.
 * Made when it is needed: most searches do without.
 */
function makePattern(): RegExp {
  const ordinal = "\\d{1,2}(?:st|nd|rd|th)?";
  const year = "(?:19|20)\\d\\d";
  const forms = [
    "\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?",
    `${year}-(?:0[1-9]|1[0-2])`,
    "\\d{4}-W\\d\\d",
    `(?<dotted>\\d{1,2}\\.\\d{1,2}\\.${year})`,
    `${ordinal} (?:of )?(?:${monthPattern})\\.?(?:, ?| )${year}`,
    `(?:${monthPattern})\\.? ${ordinal}(?:, ?| )${year}`,
    `(?:${monthPattern})\\.?,? (?:of )?${year}`,
    `(?<day>${ordinal} (?:of )?(?:${monthPattern})|(?:${monthPattern})\\.? ${ordinal})`,
    "today|yesterday|last night",
    `last (?:${weekdayPattern}|${monthPattern})`,
    "(?:this|last|past|previous) (?:week|month|year)",
    `(?:last|past) (?:${countPattern}) (?:${unitPattern})s?`,
    `(?:${countPattern}) (?:${unitPattern})s? ago`,
    `(?<month>${monthPattern})`,
    `(?<year>${year})`,
    `(?<weekday>${weekdayPattern})`,
  ];
  const before = "(?<![\\w./:\\\\@#$=+\\u00c0-\\u024f-])";
  const after = "(?![\\w/\\\\@=\\u00c0-\\u024f-]|[.:,]\\w)";
  return new RegExp(`${before}(?:${forms.join("|")})${after}`, "gi");
}

interface Around {
  time: string;
  /** The word before it and what follows it, in lower case. */
  before: string;
  after: string;
  thisYear: number;
}

const isMeant: Record<typeof kinds[number] | "whole", (around: Around) => boolean> = {
  whole: () => true,
  dotted: ({ before }) => !/^(?:v|versions?|releases?)$/.test(before),
  // "may 5 of them" and "1 may be" are no days; "May 5", "5th of may" and "on may 5" are.
  day: ({ time, before }) =>
    !/\bmar?(?:y|ch)?\b/i.test(time) || /\bM/.test(time) || /\d(?:st|nd|rd|th)/.test(time) ||
    /^(?:on|by|before|after|since|until|from)$/.test(before),
  month: ({ time, before }) => {
    if (/^mar$/i.test(time)) return false;
    if (/^(?:in|since|until|during|early|mid|late)$/.test(before)) return true;
    return /^(?:by|from|before|after|of)$/.test(before) && !/^ma/.test(time);
  },
  // "in 2000 rows" counts rows.
  year: ({ time, before, after, thisYear }) =>
    /^(?:in|since|until|during|early|mid|late|of|from)$/.test(before) &&
    Number(time) >= 1990 && Number(time) <= thisYear + 1 &&
    (after === "" || !/^[a-z]/.test(after) ||
      /^(?:and|or|when|while|did|do|does|we|i|you|they|the|a|with|for|that|which|was|were|about|on|at|by|before|after|to|is|based|as|happen|went|got|made|had|took|came|said|became|began|broke|left|met|won)$/
        .test(after) ||
      /[a-z]{2}ed$/.test(after)),
  weekday: ({ before }) => /^(?:on|since|until|by|from|this)$/.test(before),
};

function readSpan(time: string, nowMs: number): TimeSpan[] {
  try {
    const span = readTime(time, { nowMs, loosely: true });
    return span === undefined ? [] : [span];
  } catch (error) {
    // A day that does not exist is words.
    if (error instanceof CtxError) return [];
    throw error;
  }
}

/** How many years back a day or a month without a year may mean: the store may end long ago. */
const mostYears = 30;

function readAnyYear({ time, thisYear }: Around, nowMs: number): TimeSpan[] {
  const years = Array.from({ length: mostYears }, (_, back) => thisYear - back);
  return years.flatMap((year) => readSpan(`${time} ${year}`, nowMs))
    .filter(({ fromMs }) => fromMs <= nowMs);
}
