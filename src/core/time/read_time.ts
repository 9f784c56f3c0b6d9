// The one place that reads times as people write them, for flags, `since:` in queries and the words of
// a question. Days, weeks and months are local ones. Pure but for the zone of this machine.

import { CtxError } from "../errors.ts";
import type { TimeSpan } from "./time_span.ts";

export interface ReadTimeOptions {
  nowMs: number;
  /** Whether "2 weeks ago" is about that week, as in a question, or that very day, as in a bound. */
  loosely?: boolean;
}

/** The span that a text means, or undefined when it is no time. A day that does not exist is refused. */
export function readTime(text: string, options: ReadTimeOptions): TimeSpan | undefined {
  const plain = text.trim().toLowerCase().replace(/\s+/g, " ");
  for (const { pattern, read } of rules) {
    const match = pattern.exec(plain);
    if (match) return read(match.slice(1), new Clock(text, options));
  }
  return undefined;
}

/** Names of months, with what they are cut to, as part of a pattern. */
export const monthPattern =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|" +
  "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
/** Names of days, in full. */
export const weekdayPattern = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
/** What follows a number in "3 days ago". */
export const unitPattern = "minute|min|hour|day|week|month|year";
/** The numbers that are written as words. */
export const countPattern =
  "\\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const counts = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const ageMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The parts of a match; those that did not take part are undefined. */
type Parts = (string | undefined)[];

interface Rule {
  pattern: RegExp;
  read: (parts: Parts, clock: Clock) => TimeSpan;
}

const rules: readonly Rule[] = [
  {
    pattern: /^(\d{1,5}) ?([mhdw])$/,
    read: ([count, unit = "d"], clock) => clock.instant(clock.nowMs - Number(count) * ageMs[unit]),
  },
  {
    pattern:
      /^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)? ?(z|[+-]\d\d:?\d\d)?)?$/,
    read: readIso,
  },
  {
    pattern: /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/,
    read: ([year, month, day], clock) => clock.day(Number(year), Number(month) - 1, Number(day)),
  },
  {
    pattern: /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/,
    read: ([day, month, year], clock) => clock.day(Number(year), Number(month) - 1, Number(day)),
  },
  {
    pattern: /^(\d{4})[-/](\d\d)$/,
    read: ([year, month], clock) => clock.month(Number(year), Number(month) - 1),
  },
  {
    pattern: /^(\d{4})-?w(\d\d?)$/,
    read: ([year, week], clock) => clock.isoWeek(Number(year), Number(week)),
  },
  {
    pattern: /^(?:in )?((?:19|20|21)\d\d)$/,
    read: ([year], clock) => clock.between([Number(year), 0, 1], [Number(year) + 1, 0, 1]),
  },
  {
    pattern: new RegExp(`^(${monthPattern})\\.?,? (?:of )?(\\d{4})$`),
    read: ([name, year], clock) => clock.month(Number(year), monthOf(name)),
  },
  {
    pattern: new RegExp(
      `^(\\d{1,2})(?:st|nd|rd|th)? (?:of )?(${monthPattern})\\.?(?:, ?| )?(\\d{4})?$`,
    ),
    read: ([day, name, year], clock) => clock.dayOf(monthOf(name), Number(day), year),
  },
  {
    pattern: new RegExp(`^(${monthPattern})\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:, ?| )?(\\d{4})?$`),
    read: ([name, day, year], clock) => clock.dayOf(monthOf(name), Number(day), year),
  },
  {
    pattern: new RegExp(`^(?:in )?(last )?(${monthPattern})$`),
    read: ([last, name], clock) => clock.newestMonth(monthOf(name), last !== undefined),
  },
  {
    pattern: /^(?:on )?(last )?(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?$/,
    read: ([last, name], clock) => clock.newestWeekday(name ?? "", last !== undefined),
  },
  { pattern: /^now$/, read: (_, clock) => clock.instant(clock.nowMs) },
  { pattern: /^today$/, read: (_, clock) => clock.daysBack(0) },
  { pattern: /^(?:yesterday|last night)$/, read: (_, clock) => clock.daysBack(1) },
  {
    pattern: /^(this|last|previous|past) (week|month|year)$/,
    read: ([which, unit = ""], clock) => clock.unitsBack(unit, which === "this" ? 0 : 1),
  },
  {
    pattern: new RegExp(`^(?:last|past) (${countPattern}) (${unitPattern})s?$`),
    read: ([count, unit = ""], clock) => {
      const { fromMs } = clock.ago(countOf(count), unit);
      return { fromMs, toMs: clock.nowMs + 1 };
    },
  },
  {
    pattern: new RegExp(`^(${countPattern}) (${unitPattern})s?(?: ago)?$`),
    read: ([count, unit = ""], clock) => clock.ago(countOf(count), unit),
  },
];

function monthOf(name = ""): number {
  return months.indexOf(name.slice(0, 3));
}

/** A number as digits or as a word; 0 for any other word. */
export function countOf(text = ""): number {
  if (text === "a" || text === "an") return 1;
  return /^\d/.test(text) ? Number(text) : counts.indexOf(text) + 1;
}

/** A date or a timestamp; as wide as what is written, down to a millisecond. */
function readIso(parts: Parts, clock: Clock): TimeSpan {
  const [year, month, date, hour, minute, second, fraction, zone] = parts;
  const day = clock.day(Number(year), Number(month) - 1, Number(date));
  if (hour === undefined) return day;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) {
    throw clock.impossible();
  }
  const ms = (fraction ?? "").padEnd(3, "0").slice(0, 3);
  const written = `${year}-${month}-${date}T${hour}:${minute}:${second ?? "00"}.${ms}`;
  const place = zone?.toUpperCase().replace(/^(...)(\d\d)$/, "$1:$2") ?? "";
  const fromMs = Date.parse(written + place);
  if (!Number.isFinite(fromMs)) throw clock.impossible();
  return { fromMs, toMs: fromMs + (fraction ? 1 : second ? 1000 : 60_000) };
}

type Day = [year: number, month: number, day: number];

/** Spans of the local calendar, seen from a moment. */
class Clock {
  readonly nowMs: number;
  readonly #text: string;
  readonly #loosely: boolean;
  readonly #today: Day;

  constructor(text: string, { nowMs, loosely = false }: ReadTimeOptions) {
    this.nowMs = nowMs;
    this.#text = text;
    this.#loosely = loosely;
    const now = new Date(nowMs);
    this.#today = [now.getFullYear(), now.getMonth(), now.getDate()];
  }

  impossible(): CtxError {
    return new CtxError("USAGE", `Cannot read the time "${this.#text}": no such date`, {
      hint: "write a date as 2026-11-15",
    });
  }

  instant(timeMs: number): TimeSpan {
    return { fromMs: timeMs, toMs: timeMs + 1 };
  }

  /** Days count on past the ends of months. */
  between(from: Day, to: Day): TimeSpan {
    return { fromMs: new Date(...from).getTime(), toMs: new Date(...to).getTime() };
  }

  day(year: number, month: number, day: number): TimeSpan {
    const date = new Date(year, month, day);
    const isReal = date.getFullYear() === year && date.getMonth() === month &&
      date.getDate() === day;
    if (!isReal) throw this.impossible();
    return this.between([year, month, day], [year, month, day + 1]);
  }

  /** A day of a year, or of the newest year in which it is not after now. */
  dayOf(month: number, day: number, year: string | undefined): TimeSpan {
    if (year !== undefined) return this.day(Number(year), month, day);
    // 29 February is in one year of four, and over a century in one of eight.
    for (let back = 0; back < 9; back++) {
      const date = new Date(this.#today[0] - back, month, day);
      if (date.getMonth() !== month || date.getTime() > this.nowMs) continue;
      return this.day(this.#today[0] - back, month, day);
    }
    throw this.impossible();
  }

  month(year: number, month: number): TimeSpan {
    if (month < 0 || month > 11) throw this.impossible();
    return this.between([year, month, 1], [year, month + 1, 1]);
  }

  /** The newest month of a name; `last` leaves the running one out. */
  newestMonth(month: number, last: boolean): TimeSpan {
    const [year, running] = this.#today;
    const isThisYear = month < running || (month === running && !last);
    return this.month(isThisYear ? year : year - 1, month);
  }

  /** The newest day of a name; `last` leaves today out. */
  newestWeekday(name: string, last: boolean): TimeSpan {
    const back = (new Date(this.nowMs).getDay() - weekdays.indexOf(name.slice(0, 3)) + 7) % 7;
    return this.daysBack(back === 0 && last ? 7 : back);
  }

  /** A week with Monday first; the first of a year is the one with 4 January in it. */
  isoWeek(year: number, week: number): TimeSpan {
    const fourth = new Date(year, 0, 4);
    const monday = 4 - (fourth.getDay() + 6) % 7 + (week - 1) * 7;
    const thursday = new Date(year, 0, monday + 3);
    if (week < 1 || thursday.getFullYear() !== year) throw this.impossible();
    return this.between([year, 0, monday], [year, 0, monday + 7]);
  }

  daysBack(days: number): TimeSpan {
    const [year, month, day] = this.#today;
    return this.between([year, month, day - days], [year, month, day - days + 1]);
  }

  /** The running week, month or year, or one before it. */
  unitsBack(unit: string, count: number): TimeSpan {
    const [year, month, day] = this.#today;
    if (unit === "year") return this.between([year - count, 0, 1], [year - count + 1, 0, 1]);
    if (unit === "month") {
      return this.between([year, month - count, 1], [year, month - count + 1, 1]);
    }
    const monday = day - (new Date(this.nowMs).getDay() + 6) % 7 - 7 * count;
    return this.between([year, month, monday], [year, month, monday + 7]);
  }

  ago(count: number, unit: string): TimeSpan {
    const [year, month, day] = this.#today;
    if (unit.startsWith("min") || unit === "hour") {
      const unitMs = unit === "hour" ? ageMs.h : ageMs.m;
      const fromMs = this.nowMs - count * unitMs;
      return { fromMs, toMs: fromMs + (this.#loosely ? unitMs : 1) };
    }
    if (unit === "day") return this.daysBack(count);
    if (this.#loosely) return this.unitsBack(unit, count);
    if (unit === "week") return this.daysBack(7 * count);
    const back = unit === "year" ? 12 * count : count;
    // The 31st of a month without one is its last day.
    const last = new Date(year, month - back + 1, 0).getDate();
    const at = Math.min(day, last);
    return this.between([year, month - back, at], [year, month - back, at + 1]);
  }
}
