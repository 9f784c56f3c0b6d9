// The newest commit of a history that says something itself: what merges say is said by what they merge.

import { GitProblem } from "../git/git_problem.ts";
import { openRepository } from "./open_repository.ts";
import { PathWalk, takeNewest } from "./path_walk.ts";
import { toProblem } from "./to_problem.ts";

/** Its subject and time; undefined where the history cannot be read. */
export function findNewestCommit(
  workspace: string,
  from: string,
): { subject: string; ts: number } | undefined {
  const repository = openRepository(workspace);
  if (repository instanceof GitProblem) return undefined;
  try {
    using walk = new PathWalk(repository, { oidBytes: from.length / 2 });
    const pending = new Map([[from, true]]);
    for (let i = 0; i < maxMerges; i++) {
      const next = takeNewest(pending, (_, oid) => walk.rankOf(oid));
      if (next === undefined) break;
      const { subject, parents, committer } = walk.commit(next[0]);
      if (parents.length < 2) return { subject, ts: committer.ts };
      for (const parent of parents) pending.set(parent, true);
    }
  } catch (error) {
    toProblem(error);
  }
  return undefined;
}

/** Nobody merges more in a row. */
const maxMerges = 60;
