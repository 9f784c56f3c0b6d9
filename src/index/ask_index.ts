// Whether a look-up uses the index: short logs are read faster than an index is loaded.

import { pools } from "../core/entry.ts";
import type { LogIndex } from "./log_index.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { Store } from "../store/store.ts";

/** When to use the index. */
export interface IndexUse {
  /** Logs below this size are read from end to end. */
  minBytes?: number;
}

/** Where the index begins to pay. */
export const minIndexedBytes = 4 << 20;

/** Asks the index about a snapshot; undefined when the logs are to be read instead. */
export async function askIndex<T>(
  store: Store,
  snapshot: Snapshot,
  ask: (index: LogIndex) => T,
  { minBytes = minIndexedBytes }: IndexUse = {},
): Promise<T | undefined> {
  const bytes = pools.reduce((sum, pool) => sum + snapshot.sizeOf(pool), 0);
  if (bytes < minBytes) return undefined;
  const { useLogIndex } = await import("./log_index.ts");
  return useLogIndex(store, snapshot, ask);
}
