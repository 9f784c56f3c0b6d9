// Which segments become one: four neighbours of similar size, so that a row is copied only a few
// times in its life and a search has few segments to open.

import type { Segment } from "./segment.ts";

/** What the policy looks at. */
export interface Mergeable {
  segment: Pick<Segment, "rows">;
  dead?: ReadonlySet<number>;
}

/** With more segments than this, merge whatever it costs. */
export const mostSegments = 40;

const mergeFan = 4;
const smallestLevel = 64;
/** Larger segments stay as they are. */
export const largestMerge = 131_072;

/** Neighbours of one pool that should become one, or, to purge, one that has dead rows. */
export function findDueRun<T extends Mergeable>(
  pieces: readonly T[],
  options: { maxRows: number; purge: boolean; crowded?: boolean },
): T[] | undefined {
  const dirty = options.purge ? pieces.find(({ dead }) => (dead?.size ?? 0) > 0) : undefined;
  if (dirty) return [dirty];
  const maxRows = Math.min(options.maxRows, largestMerge);
  const levels = [...new Set(pieces.map(levelOf))].sort((a, b) => a - b);
  for (const level of levels) {
    const run = findRun(pieces, { level, maxRows });
    if (run && (options.crowded || isWorthwhile(run))) return run;
  }
  return undefined;
}

/** Whether it does not copy a large segment only to add a few rows: rows are sealed a few at a time. */
function isWorthwhile(run: readonly Mergeable[]): boolean {
  const sizes = run.map(({ segment }) => segment.rows);
  const largest = Math.max(...sizes);
  const others = sizes.reduce((sum, rows) => sum + rows, 0) - largest;
  return largest < smallestLevel || others >= largest;
}

/** The last run of neighbours up to a level that is long enough to merge. */
function findRun<T extends Mergeable>(
  pieces: readonly T[],
  limits: { level: number; maxRows: number },
): T[] | undefined {
  let run: T[] = [];
  let rows = 0;
  for (const piece of pieces.toReversed()) {
    const fits = levelOf(piece) <= limits.level && rows + piece.segment.rows <= limits.maxRows;
    if (fits) {
      run.unshift(piece);
      rows += piece.segment.rows;
      continue;
    }
    if (run.length >= mergeFan) return run;
    run = [];
    rows = 0;
  }
  return run.length >= mergeFan ? run : undefined;
}

/** Sizes within a factor of four are one level. */
function levelOf({ segment }: Mergeable): number {
  return Math.max(0, Math.floor(Math.log2(segment.rows / smallestLevel) / 2));
}
