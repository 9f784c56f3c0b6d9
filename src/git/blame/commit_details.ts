// What is known of a commit: who wrote it and when, its message and trailers, whether a program wrote
// it, and which branches have it.

import { findTrailers, type GitCommit, isBotCommit } from "../git_commit.ts";
import { GitMissing } from "../git_object.ts";
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

/** The branches that have a commit; undefined when that would take long to find out. */
export function findBranchesWith(repository: GitRepository, oid: string): string[] | undefined {
  const branches = listRefs(repository, "refs/heads/");
  if (branches.size > maxBranches) return undefined;
  using walk = new PathWalk(repository, { oidBytes: oid.length / 2 });
  const since = walk.commit(oid).committer.ts;
  // Whether the commit is reached from one that was looked at.
  const known = new Map<string, boolean>([[oid, true]]);
  let left = maxWalked;
  const reaches = (tip: string): boolean => {
    const seen = new Set<string>();
    const pending = [tip];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (known.get(at)) return true;
      if (seen.has(at) || known.has(at)) continue;
      seen.add(at);
      if (--left < 0) throw new GitMissing("the branches are too long");
      const { committer, parents } = walk.commit(at);
      if (committer.ts >= since) pending.push(...parents);
    }
    for (const one of seen) known.set(one, false);
    return false;
  };
  try {
    return [...branches].filter(([, tip]) => reaches(tip))
      .map(([name]) => name.slice("refs/heads/".length)).sort();
  } catch (error) {
    if (error instanceof GitMissing) return undefined;
    throw error;
  }
}
