// The newest entries of a store, without a walk over a long log: the index keeps the times of all rows,
// and only those that are shown are read.

import { docType } from "../core/entry.ts";
import type { TimedRows } from "../index/log_index.ts";
import type { Row, Store } from "../store/store.ts";
import { askIndex, type IndexUse } from "../index/ask_index.ts";

/** The newest entries, latest first, and how many there are in all. */
export interface Newest {
  rows: Pick<Row, "entry" | "pool">[];
  total: number;
}

/** Up to `limit` of what was said and saved; sections of documents and thinking are left out. */
export async function readNewest(
  store: Store,
  limit: number,
  use: IndexUse = {},
): Promise<Newest> {
  using snapshot = store.openSnapshot();
  const pick = (timed: TimedRows): Newest => ({
    rows: pickNewest(timed, limit),
    total: timed.times.length,
  });
  const found = await askIndex(store, snapshot, (index) => {
    const timed = index.times({ sessionless: false });
    return timed && pick(timed);
  }, use);
  if (found !== undefined) return found;
  const rows = [...store.entries()];
  const times = Float64Array.from(rows, ({ entry }) => Date.parse(entry.ts));
  return pick({ times, read: (at) => rows[at] });
}

/** More rows than this for each that is shown are not looked at. */
const readsPerRow = 20;

function pickNewest({ times, read }: TimedRows, limit: number): Newest["rows"] {
  const rows: Newest["rows"] = [];
  for (const at of latestFirst(times, limit * readsPerRow)) {
    if (rows.length === limit) break;
    const row = read(at);
    if (!hidden.has(row.entry.type)) rows.push(row);
  }
  return rows;
}

const hidden = new Set([docType, "thinking"]);

/** The places of the highest times, highest first; of equal ones the later in the log. */
function latestFirst(times: Float64Array, count: number): number[] {
  const found: number[] = [];
  // Logs are nearly in order: from their end on, almost all of the rest is older and passed over.
  for (let at = times.length - 1; at >= 0; at--) {
    const least = found.length === count ? times[found[count - 1]] : -Infinity;
    if (!(times[at] > least)) continue;
    let place = found.length;
    while (place > 0 && times[found[place - 1]] < times[at]) place--;
    found.splice(place, 0, at);
    if (found.length > count) found.pop();
  }
  return found;
}
