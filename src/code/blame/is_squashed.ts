// Whether work reached a main branch in another commit: a pull request that is squashed has its title, or the
// subjects of its commits, in the message of one new commit.

import { GitProblem } from "../git/git_problem.ts";
import { openRepository } from "./open_repository.ts";
import { PathWalk, takeNewest } from "./path_walk.ts";
import { toProblem } from "./to_problem.ts";

/** Whether a commit behind some tips, made in a span of time, has a line that is said to be the work's. */
export function isSquashed(
  workspace: string,
  tips: readonly string[],
  { fromMs, toMs, isOwn }: { fromMs: number; toMs: number; isOwn: (line: string) => boolean },
): boolean {
  const repository = openRepository(workspace);
  if (repository instanceof GitProblem || tips.length === 0) return false;
  try {
    using walk = new PathWalk(repository, { oidBytes: tips[0].length / 2 });
    const pending = new Map(tips.map((tip) => [tip, true]));
    for (let i = 0; i < maxCommits; i++) {
      const next = takeNewest(pending, (_, oid) => walk.commit(oid).committer.ts);
      if (next === undefined) break;
      const { message, parents, committer: { ts } } = walk.commit(next[0]);
      if (ts < fromMs) continue;
      if (ts <= toMs && message.split("\n", maxLines).some((line) => isOwn(toSubject(line)))) {
        return true;
      }
      for (const parent of parents) pending.set(parent, true);
    }
  } catch (error) {
    toProblem(error);
  }
  return false;
}

const maxCommits = 300;
const maxLines = 60;

/** A line without the mark of its list and the number of its pull request. */
function toSubject(line: string): string {
  return line.trim().replace(/^[*-] /, "").replace(/ \(#\d+\)$/, "");
}
