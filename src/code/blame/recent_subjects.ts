// The subjects of the newest commits of what is checked out.

import { findHead } from "../git/git_repository.ts";
import { GitProblem } from "../git/git_problem.ts";
import { openRepository } from "./open_repository.ts";
import { PathWalk, takeNewest } from "./path_walk.ts";
import { toProblem } from "./to_problem.ts";

/** The subjects, the newest first; none where the history cannot be read. */
export function readRecentSubjects(workspace: string): string[] {
  const repository = openRepository(workspace);
  const head = repository instanceof GitProblem ? undefined : findHead(repository);
  if (repository instanceof GitProblem || head === undefined) return [];
  const subjects: string[] = [];
  try {
    using walk = new PathWalk(repository, { oidBytes: head.length / 2 });
    const seen = new Set([head]);
    const pending = new Map([[head, true]]);
    while (subjects.length < mostCommits) {
      const next = takeNewest(pending, (_, oid) => walk.rankOf(oid));
      if (next === undefined) break;
      const { subject, parents } = walk.commit(next[0]);
      subjects.push(subject);
      for (const parent of parents) if (!seen.has(parent)) pending.set(parent, !!seen.add(parent));
    }
  } catch (error) {
    toProblem(error);
  }
  return subjects;
}

/** Work that was merged longer ago is told by no start. */
const mostCommits = 60;
