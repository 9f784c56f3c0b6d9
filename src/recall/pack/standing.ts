// What use has taught about single lines: one that was taken up when it was given rises, one that
// never was sinks, within bounds and never out of the store. Read from the log of injections alone.

import {
  type Injection,
  isUptake,
  readInjections,
  type Uptake,
} from "../../store/logs/injection_log.ts";
import type { Store } from "../../store/store.ts";

/** The least and the most that use changes a line's worth by. */
const bounds = { least: 0.5, most: 1.5 };
/** The most that use makes of a line's worth. */
export const mostStanding = bounds.most;
/** What a line starts with: as if it had been given six times and used twice. */
const prior = { given: 6, used: 2 };

/** The factor on a line's worth after it was given and used so often; 1 when nothing is known. */
export function standingOf(given: number, used: number): number {
  const rate = (used + prior.used) / (given + prior.given);
  const factor = rate * prior.given / prior.used;
  return Math.min(bounds.most, Math.max(bounds.least, factor));
}

/** The factors of all lines that conversations were looked at for. */
export function readStanding(store: Pick<Store, "files" | "layout">): Map<string, number> {
  return standingIn(readInjections(store, { needles: ['"uptake"'] }));
}

/** The same from rows that were read. */
export function standingIn(rows: Iterable<Injection | Uptake>): Map<string, number> {
  const counts = new Map<string, { given: number; used: number }>();
  for (const row of rows) {
    if (!isUptake(row)) continue;
    for (const id of row.given) {
      const count = counts.get(id) ?? { given: 0, used: 0 };
      count.given++;
      if (row.used.includes(id)) count.used++;
      counts.set(id, count);
    }
  }
  return new Map([...counts].map(([id, { given, used }]) => [id, standingOf(given, used)]));
}
