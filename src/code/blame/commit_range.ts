// The commits that one commit has and another does not, as `git log BASE..HEAD` lists them, and where
// both meet. Walks both histories by time, newest first, and no further than it takes.

import { breathe } from "../../core/breathe.ts";
import type { GitProblem } from "../git/git_problem.ts";
import type { GitRepository } from "../git/git_repository.ts";
import { PathWalk, takeNewest } from "./path_walk.ts";
import { toProblem } from "./to_problem.ts";

/** From where to where. */
export interface RangeOptions {
  base: string;
  head: string;
  /** So many are listed; the walk goes on to count the rest. */
  maxCommits: number;
  signal?: AbortSignal;
}

export interface CommitRange {
  /** Newest first. */
  oids: string[];
  /** How many there are in all. */
  count: number;
  /** A commit that both have; none when the histories do not meet here. */
  mergeBase?: string;
  /** The history was cut off when it was cloned, on the way. */
  isShallow: boolean;
  /** It was too long to be walked to its end. */
  isCut: boolean;
}

const maxWalked = 50_000;
/** Clocks differ: so many commits are looked at beyond the last that seemed to matter. */
const slack = 64;
const [ofHead, ofBase] = [1, 2];

export async function readRange(
  repository: GitRepository,
  options: RangeOptions,
): Promise<CommitRange | GitProblem> {
  try {
    using walk = new PathWalk(repository, { oidBytes: options.head.length / 2 });
    return await walkRange(walk, options);
  } catch (error) {
    return toProblem(error);
  }
}

async function walkRange(
  walk: PathWalk,
  { base, head, maxCommits, signal }: RangeOptions,
): Promise<CommitRange> {
  const sides = new Map<string, number>();
  const queue = new Map<string, number>();
  let [open, left, walked, isShallow] = [0, slack, 0, false];
  let mergeBase: string | undefined;
  const isOpen = (oid: string): boolean => sides.get(oid) === ofHead;
  const mark = (oid: string, side: number): void => {
    const before = sides.get(oid) ?? 0;
    if ((before | side) === before) return;
    if (before === ofHead && queue.has(oid)) open--;
    sides.set(oid, before | side);
    if (!queue.has(oid)) queue.set(oid, walk.commit(oid).committer.ts);
    if (isOpen(oid)) open++;
  };
  mark(head, ofHead);
  mark(base, ofBase);
  while (walked < maxWalked) {
    const [oid] = takeNewest(queue, (ts) => ts) ?? [];
    if (oid === undefined || (open === 0 && !isOpen(oid) && left-- <= 0)) break;
    walked++;
    await breathe(signal);
    if (isOpen(oid)) open--;
    const side = sides.get(oid) ?? 0;
    if (side === (ofHead | ofBase)) mergeBase ??= oid;
    if (walk.isShallow(oid)) isShallow = true;
    for (const parent of walk.commit(oid).parents) mark(parent, side);
  }
  const own = [...sides].filter(([, side]) => side === ofHead).map(([oid]) => oid);
  const byTime = own.map((oid) => ({ oid, ts: walk.commit(oid).committer.ts }))
    .sort((a, b) => b.ts - a.ts);
  return {
    oids: byTime.slice(0, maxCommits).map(({ oid }) => oid),
    count: own.length,
    mergeBase,
    isShallow,
    isCut: walked >= maxWalked,
  };
}
