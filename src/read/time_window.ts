// The rows around one in order of time, from the times of all rows: only rows near it are read.

import type { Entry, Pool } from "../core/entry.ts";
import type { TimedRows } from "../index/log_index.ts";

/** Rows in order of time around an anchor. */
export interface TimeWindow {
  rows: { entry: Entry; pool: Pool }[];
  /** How many rows come before the first of them, and how many there are in all. */
  before: number;
  total: number;
}

/** More rows at one time than this are left to a scan of the logs, where reading one costs nothing. */
export const maxNear = 500;

/**
 * The window around an anchor; undefined when it is not among the rows. Rows of one time are ordered by `compare`, and stay as they are in the
 * log where that does not tell; a time that cannot be read comes first.
 */
export function pickTimeWindow(
  { times, read }: TimedRows,
  anchor: Entry,
  options: {
    before: number;
    after: number;
    compare: (a: Entry, b: Entry) => number;
    /** Undefined also when more rows than this would have to be read. */
    most?: number;
  },
): TimeWindow | undefined {
  const known = (time: number): number => Number.isNaN(time) ? -Infinity : time;
  const timeOf = (at: number): number => known(times[at]);
  const order = [...times.keys()].sort((a, b) =>
    timeOf(a) === timeOf(b) ? a - b : timeOf(a) - timeOf(b)
  );
  const now = known(Date.parse(anchor.ts));
  const timeAt = (i: number): number => timeOf(order[i]);
  let start = Math.max(0, order.findIndex((at) => timeOf(at) >= now) - options.before);
  let end = Math.min(
    order.length,
    order.findLastIndex((at) => timeOf(at) <= now) + 1 + options.after,
  );
  // Of rows at one time all are read: which comes first the times do not tell.
  while (start > 0 && timeAt(start - 1) === timeAt(start)) start--;
  while (end < order.length && timeAt(end) === timeAt(end - 1)) end++;
  if (end - start > (options.most ?? Infinity)) return undefined;
  const rows = order.slice(start, end).map((at) => ({ ...read(at), time: timeOf(at) }))
    .sort((a, b) => a.time === b.time ? options.compare(a.entry, b.entry) : a.time - b.time);
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
