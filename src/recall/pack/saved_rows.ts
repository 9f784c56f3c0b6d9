// Rows that were only saved since somebody looked: they change nothing of what was found out about others.

import {
  confirmType,
  type Entry,
  type Pool,
  pools,
  tombstoneType,
  verdictType,
} from "../../core/entry.ts";
import type { State } from "../../store/state.ts";
import type { Store } from "../../store/store.ts";

export type LogSizes = Record<Pool, number>;

export function sizesOf({ logs: { archive, hot, team } }: State): LogSizes {
  return { archive: archive.bytes, hot: hot.bytes, team: team.bytes };
}

/**
 * What the logs got in between, if all of it was only saved. Undefined where work went on, where
 * something was confirmed, judged or forgotten, and where it is much.
 */
export function readSaved(store: Store, from: LogSizes, to: LogSizes): Entry[] | undefined {
  const grown = pools.map((pool) => to[pool] - from[pool]);
  if (grown.some((bytes) => bytes < 0 || bytes > maxBytes)) return undefined;
  if (grown.every((bytes) => bytes === 0)) return [];
  using snapshot = store.openSnapshot();
  const saved: Entry[] = [];
  for (const { entry } of snapshot.rows({ from, to })) {
    const { role, type, patch } = entry;
    if (role !== "note" || patch !== undefined || judging.has(type)) return undefined;
    saved.push(entry);
  }
  return saved;
}

const maxBytes = 64 << 10;
const judging: ReadonlySet<string> = new Set([confirmType, verdictType, tombstoneType]);
