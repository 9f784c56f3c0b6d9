// What is known of a commit: who wrote it and when, its message and trailers, whether a program wrote
// it, and which branches have it.

import { findTrailers, type GitCommit, isBotCommit } from "../git_commit.ts";
import { GitDamage, GitSpent } from "../git_object.ts";
import type { GitProblem } from "../git_problem.ts";
import { type GitRepository, listRefs } from "../git_repository.ts";
import { PathWalk } from "./path_walk.ts";
import { toProblem } from "./to_problem.ts";

/** A commit, as it was written, and what follows from that. */
export interface CommitDetails extends GitCommit {
  oid: string;
  trailers: { key: string; value: string }[];
  isBot: boolean;
  isMerge: boolean;
}

/** Reads a commit by its whole name. */
export function readDetails(
  repository: GitRepository,
  oid: string,
): CommitDetails | GitProblem {
  try {
    using walk = new PathWalk(repository, { oidBytes: oid.length / 2 });
    return toDetails(oid, walk.commit(oid));
  } catch (error) {
    return toProblem(error);
  }
}

/** A commit with what follows from it. */
export function toDetails(oid: string, commit: GitCommit): CommitDetails {
  return {
    oid,
    ...commit,
    trailers: findTrailers(commit.message),
    isBot: isBotCommit(commit),
    isMerge: commit.parents.length > 1,
  };
}

const maxBranches = 50;
const maxWalked = 5000;

/** The branches that have a commit; undefined when that is unknown, or would take long to find out. */
export function findBranchesWith(repository: GitRepository, oid: string): string[] | undefined {
  const branches = listRefs(repository, "refs/heads/");
  if (branches.size > maxBranches) return undefined;
  try {
    using walk = new PathWalk(repository, { oidBytes: oid.length / 2 });
    const search = new BranchSearch(walk, oid);
    return [...branches].filter(([, tip]) => search.reaches(tip))
      .map(([name]) => name.slice("refs/heads/".length)).sort();
  } catch (error) {
    if (error instanceof GitDamage || error instanceof GitSpent) return undefined;
    throw error;
  }
}

/** Looks from branches for a commit; what one branch was looked through for is known to the next. */
class BranchSearch {
  readonly #walk: PathWalk;
  readonly #since: number;
  readonly #known: Map<string, boolean>;
  #left = maxWalked;

  constructor(walk: PathWalk, oid: string) {
    this.#walk = walk;
    this.#since = walk.commit(oid).committer.ts;
    this.#known = new Map([[oid, true]]);
  }

  reaches(tip: string): boolean {
    const seen = new Set<string>();
    const pending = [tip];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (this.#known.get(at)) return true;
      if (seen.has(at) || this.#known.has(at)) continue;
      seen.add(at);
      if (--this.#left < 0) throw new GitSpent("the branches are too long");
      const { committer, parents } = this.#walk.commit(at);
      if (committer.ts >= this.#since) pending.push(...parents);
    }
    for (const one of seen) this.#known.set(one, false);
    return false;
  }
}
