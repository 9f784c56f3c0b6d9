// How far the index is behind the logs, without loading it: a command that writes asks this before
// it decides whether to load the index at all.

import { type Pool, pools } from "../core/entry.ts";
import type { Store } from "./store.ts";

/** Bytes of the logs that no segment covers; everything when there is no readable manifest. */
export function readIndexLag(store: Pick<Store, "files" | "layout">): number {
  return countUncovered(store, readCovered(store));
}

/** Bytes of the logs after what is covered; all of a log that has become shorter than that. */
export function countUncovered(
  store: Pick<Store, "files" | "layout">,
  covered: Record<Pool, number>,
): number {
  return pools.reduce((sum, pool) => {
    const size = store.files.findSize(store.layout.history[pool]) ?? 0;
    return sum + (size < covered[pool] ? size : size - covered[pool]);
  }, 0);
}

/** How many bytes of each log the index says it covers. */
export function readCovered(store: Pick<Store, "files" | "layout">): Record<Pool, number> {
  const none = { archive: 0, hot: 0 };
  const bytes = store.files.findBytes(`${store.layout.index}/manifest.json`);
  if (bytes === undefined) return none;
  try {
    const covered = JSON.parse(new TextDecoder().decode(bytes))?.manifest?.covered;
    return { archive: Number(covered?.archive) || 0, hot: Number(covered?.hot) || 0 };
  } catch {
    return none;
  }
}
