// How far the index is behind the logs, without loading it: a command that writes asks this before
// it decides whether to load the index at all.

import { type Pool, pools } from "../core/entry.ts";
import { analysisVersion, countsShared, segmentVersion } from "./index_version.ts";
import { edgesOf, findLogSize, type LogRange } from "./log_files.ts";
import { openSnapshot } from "./snapshot.ts";
import type { Store } from "./store.ts";

type Place = Pick<Store, "files" | "layout">;

/** Whether the index should follow the logs: it is behind by at least `sealBytes`. */
export function isIndexBehind(store: Place, sealBytes: number): boolean {
  return findIndexLag(store) >= sealBytes;
}

/**
 * How many bytes of the logs are covered by no segment. Infinity where no search can use the index: an
 * older ctx wrote it, or a log was rewritten since it was indexed, whatever its size is now.
 */
export function findIndexLag(store: Place): number {
  const { isOld, covered, last } = readIndexed(store);
  return isOld || isRewritten(store, last) ? Infinity : countUncovered(store, covered);
}

/** Bytes of the logs after what is covered; all of a log that has become shorter than that. */
export function countUncovered(store: Place, covered: Record<Pool, number>): number {
  return pools.reduce((sum, pool) => {
    const size = findLogSize(store.files, store.layout, pool);
    return sum + (size < covered[pool] ? size : size - covered[pool]);
  }, 0);
}

/** How many bytes of each log the index says it covers. */
export function readCovered(store: Place): Record<Pool, number> {
  return readIndexed(store).covered;
}

/** The last segment of a log, with the edges that the log had there. */
interface LastSegment extends LogRange {
  edges: number;
}

interface Indexed {
  covered: Record<Pool, number>;
  last: LastSegment[];
  /** Whether an older ctx wrote it. */
  isOld: boolean;
}

/** What a look at the manifest tells; nothing is covered when it cannot be read. */
function readIndexed(store: Place): Indexed {
  const bytes = store.files.findBytes(`${store.layout.index}/manifest.json`);
  const nothing = { covered: { archive: 0, hot: 0, team: 0 }, last: [], isOld: false };
  if (bytes === undefined) return nothing;
  try {
    const { covered, segments, version, analysis, repeats } =
      JSON.parse(new TextDecoder().decode(bytes)).manifest;
    return {
      covered: {
        archive: Number(covered?.archive) || 0,
        hot: Number(covered?.hot) || 0,
        team: Number(covered?.team) || 0,
      },
      last: pools.flatMap((pool) =>
        segments.findLast((segment: LastSegment) => segment.pool === pool) ?? []
      ),
      isOld: version < segmentVersion || analysis < analysisVersion ||
        countsShared({ repeats, segments }),
    };
  } catch {
    return nothing;
  }
}

/** A rewrite moves every line after the first that it drops, so the end of what is covered tells. */
function isRewritten(store: Place, last: readonly LastSegment[]): boolean {
  if (last.length === 0) return false;
  using log = openSnapshot(store.files, store.layout);
  return last.some((segment) => edgesOf(log, segment) !== segment.edges);
}
