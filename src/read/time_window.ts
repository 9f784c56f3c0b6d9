// The rows around one in order of time, from the times that the index keeps: only rows near it are
// read. Pure but for those reads.

import type { Entry, Pool } from "../core/entry.ts";
import type { TimedRows } from "../index/log_index.ts";

/** Rows in order of time around an anchor. */
export interface TimeWindow {
  rows: { entry: Entry; pool: Pool }[];
  /** How many rows come before the first of them, and how many there are in all. */
  before: number;
  total: number;
}

/** More rows at one time than this are left to a scan. */
const maxNear = 500;

/**
 * The window around an anchor by `compare`, which orders by `ts` first; rows that are equal stay as
 * they are in the log. Undefined when the times cannot tell what comes first: a scan can.
 */
export function pickTimeWindow(
  timed: TimedRows,
  anchor: Entry,
  options: { before: number; after: number; compare: (a: Entry, b: Entry) => number },
): TimeWindow | undefined {
  const { times } = timed;
  const now = Date.parse(anchor.ts);
  const first = nearest(times, now, { count: options.before, sign: -1 });
  const last = nearest(times, now, { count: options.after, sign: 1 });
  const near: number[] = [];
  let passed = 0;
  for (let at = 0; at < times.length; at++) {
    const time = times[at];
    if (!(time >= minTime && time <= maxTime)) return undefined;
    if (time < first) passed++;
    else if (time <= last && near.push(at) > maxNear) return undefined;
  }
  const rows = near.map((at) => timed.read(at));
  if (!rows.every(({ entry }) => tellsOrder(entry.ts))) return undefined;
  // Sorting is stable, and rows come in log order.
  rows.sort((a, b) => options.compare(a.entry, b.entry));
  const middle = rows.findIndex(({ entry }) => isSame(entry, anchor));
  if (middle < 0) return undefined;
  const from = Math.max(0, middle - options.before);
  const to = Math.min(rows.length, middle + options.after + 1);
  return { rows: rows.slice(from, to), before: passed + from, total: times.length };
}

/** Whether an entry is the one in the middle: in another session its id may name another. */
export function isSame(entry: Entry | undefined, anchor: Entry): boolean {
  return entry?.id === anchor.id && entry.session_id === anchor.session_id;
}

/** The farthest of some times next to one, after it or (with a sign of -1) before it. */
function nearest(
  times: Float64Array,
  now: number,
  { count, sign }: { count: number; sign: 1 | -1 },
): number {
  if (count === 0) return now;
  const found: number[] = [];
  let bound = Infinity;
  for (let at = 0; at < times.length; at++) {
    const distance = (times[at] - now) * sign;
    if (!(distance > 0 && distance < bound)) continue;
    let i = found.length;
    while (i > 0 && found[i - 1] > distance) i--;
    found.splice(i, 0, distance);
    if (found.length > count) found.pop();
    if (found.length === count) bound = found[count - 1];
  }
  return now + (found.at(-1) ?? 0) * sign;
}

const minTime = Date.parse("0000-01-01T00:00:00.000Z");
const maxTime = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Whether a timestamp sorts the same as text and as milliseconds. A day that its month does not have
 * is parsed as a day of the next month (February 30 as March 2), so times on those days are not
 * trusted.
 */
function tellsOrder(ts: string): boolean {
  const [month, day] = [ts.slice(5, 7), ts.slice(8, 10)];
  const isOverflow = month === "03" ? day <= "03" : overflowMonths.includes(month) && day === "01";
  return !isOverflow && new Date(ts).toISOString() === ts;
}

/** Months after one of 30 days. */
const overflowMonths = ["05", "07", "10", "12"];
