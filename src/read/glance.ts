// How much is in a store, told at once: for greetings that cannot wait for a walk over the log.

import { pools } from "../core/entry.ts";
import type { Context } from "../command/command.ts";

/** What can be said of a store without reading it all. */
export interface Glance {
  entries: number;
  sessions: number;
  /** The first and the last day there are entries of, as far as the ends of the logs tell. */
  from?: string;
  to?: string;
  sources: string[];
}

const tailBytes = 16 * 1024;

/** Looks at the counters, the ends of the logs and the session events. */
export async function readGlance(context: Context): Promise<Glance> {
  const store = await context.openStore();
  const { logs } = store.readState();
  const sessions = store.readSessions();
  const times: string[] = [];
  const sources = new Set<string>();
  for (const meta of sessions.values()) {
    if (meta.source) sources.add(meta.source);
    for (const time of [meta.opened, meta.closed]) if (time) times.push(time);
  }
  for (const pool of pools) {
    const end = logs[pool].bytes;
    const ranges = [{ from: 0, to: Math.min(end, tailBytes) }];
    if (end > tailBytes) ranges.push({ from: end - tailBytes, to: end });
    for (const { from, to } of ranges) {
      const part = { pools: [pool], from: { [pool]: from }, to: { [pool]: to } };
      for (const { entry } of store.rows(part)) {
        times.push(entry.ts);
        sources.add(entry.source?.agent ?? "ctx");
      }
    }
  }
  times.sort();
  return {
    entries: pools.reduce((sum, pool) => sum + logs[pool].rows - logs[pool].tombstones, 0),
    // Of a session whose title was erased, that event may be all that is left.
    sessions: [...sessions.values()].filter((meta) => meta.opened ?? meta.source ?? !meta.untitled)
      .length,
    from: times[0]?.slice(0, 10),
    to: times.at(-1)?.slice(0, 10),
    sources: [...sources].sort(),
  };
}
