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
  const order = [...times.keys()].sort((a, b) => times[a] - times[b] || a - b);
  if (!order.every((at) => times[at] >= minTime && times[at] <= maxTime)) return undefined;
  const now = Date.parse(anchor.ts);
  const timeAt = (i: number): number => times[order[i]];
  let start = Math.max(0, order.findIndex((at) => times[at] >= now) - options.before);
  let end = Math.min(
    order.length,
    order.findLastIndex((at) => times[at] <= now) + 1 + options.after,
  );
  // Of rows at one time all are read: which comes first the times do not tell.
  while (start > 0 && timeAt(start - 1) === timeAt(start)) start--;
  while (end < order.length && timeAt(end) === timeAt(end - 1)) end++;
  if (end - start > maxNear) return undefined;
  const near = order.slice(start, end);
  const rows = near.map((at) => timed.read(at));
  if (!rows.every(({ entry }) => tellsOrder(entry.ts))) return undefined;
  // Sorting is stable, and rows of one time come in log order.
  rows.sort((a, b) => options.compare(a.entry, b.entry));
  const middle = rows.findIndex(({ entry }) => isSame(entry, anchor));
  if (middle < 0) return undefined;
  const from = Math.max(0, middle - options.before);
  const to = Math.min(rows.length, middle + options.after + 1);
  return { rows: rows.slice(from, to), before: start + from, total: times.length };
}

/** Whether an entry is the one in the middle: in another session its id may name another. */
export function isSame(entry: Entry | undefined, anchor: Entry): boolean {
  return entry?.id === anchor.id && entry.session_id === anchor.session_id;
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
