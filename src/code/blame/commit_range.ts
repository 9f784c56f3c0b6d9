// The commits that one commit has and another does not, as `git log BASE..HEAD` lists them, and where
// both meet. Walks both histories by time, newest first, and no further than it takes.

import { breathe } from "../../core/breathe.ts";
import type { GitProblem } from "../git/git_problem.ts";
import type { GitRepository } from "../git/git_repository.ts";
import { PathWalk } from "./path_walk.ts";
import { toProblem } from "./to_problem.ts";

/** From where to where. */
export interface RangeOptions {
  base: string;
  head: string;
  /** So many are listed; the walk goes on to count the rest. */
  maxCommits: number;
  signal?: AbortSignal;
}

/** The commits of a range. */
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

/** So many commits are walked. */
const maxWalked = 50_000;
/** Clocks differ: so many commits are looked at beyond the last that seemed to matter. */
const slack = 64;
const [ofHead, ofBase] = [1, 2];

/** Lists the commits of a range. */
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
  const queue = new NewestFirst();
  let [open, left, walked, isShallow] = [0, slack, 0, false];
  let mergeBase: string | undefined;
  const isOpen = (oid: string): boolean => sides.get(oid) === ofHead;
  const mark = (oid: string, side: number): void => {
    const before = sides.get(oid) ?? 0;
    if ((before | side) === before) return;
    if (before === ofHead && queue.has(oid)) open--;
    sides.set(oid, before | side);
    if (!queue.has(oid)) queue.add(oid, walk.commit(oid).committer.ts);
    if (isOpen(oid)) open++;
  };
  mark(head, ofHead);
  mark(base, ofBase);
  while (walked < maxWalked) {
    const oid = queue.take();
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

/** Commits to look at, by time: a heap. */
class NewestFirst {
  readonly #heap: { oid: string; ts: number }[] = [];
  readonly #held = new Set<string>();

  has(oid: string): boolean {
    return this.#held.has(oid);
  }

  add(oid: string, ts: number): void {
    const heap = this.#heap;
    this.#held.add(oid);
    let at = heap.push({ oid, ts }) - 1;
    for (let up = (at - 1) >> 1; at > 0 && heap[up].ts < heap[at].ts; up = (at - 1) >> 1) {
      [heap[up], heap[at]] = [heap[at], heap[up]];
      at = up;
    }
  }

  take(): string | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) return undefined;
    this.#held.delete(first.oid);
    if (heap.length === 0) return first.oid;
    heap[0] = last;
    for (let at = 0;;) {
      const [one, other] = [2 * at + 1, 2 * at + 2];
      let best = at;
      if (one < heap.length && heap[one].ts > heap[best].ts) best = one;
      if (other < heap.length && heap[other].ts > heap[best].ts) best = other;
      if (best === at) return first.oid;
      [heap[at], heap[best]] = [heap[best], heap[at]];
      at = best;
    }
  }
}
