// Whether the work of a branch reached other branches: its last commit did, or another commit has it. A pull
// request that is squashed has its title, or the subjects of its commits, in the message of one new commit.

import type { GitCommit } from "../git/git_commit.ts";
import { GitProblem } from "../git/git_problem.ts";
import { openRepository } from "./open_repository.ts";
import { PathWalk, takeNewest } from "./path_walk.ts";
import { toProblem } from "./to_problem.ts";

/** Whether the tip of a branch, or a new commit with a line that is said to be the work's, is behind other tips. */
export function isMerged(
  workspace: string,
  { branch, tips }: { branch: string; tips: readonly string[] },
  { fromMs, toMs, isOwn }: { fromMs: number; toMs: number; isOwn: (line: string) => boolean },
): boolean {
  const repository = openRepository(workspace);
  if (repository instanceof GitProblem || tips.length === 0) return false;
  try {
    using walk = new PathWalk(repository, { oidBytes: branch.length / 2 });
    // What the branch began with says nothing about what it added.
    const own = new Set([...newestFrom(walk, [branch], fromMs)].map(([oid]) => oid));
    for (const [oid, { message, committer: { ts } }] of newestFrom(walk, tips, fromMs)) {
      if (oid === branch) return true;
      if (own.has(oid) || ts < fromMs || ts > toMs) continue;
      if (message.split("\n", maxLines).some((line) => isOwn(toSubject(line)))) return true;
    }
  } catch (error) {
    toProblem(error);
  }
  return false;
}

const maxCommits = 300;
const maxLines = 60;

/** The commits behind some tips down to a time, newest first. */
function* newestFrom(
  walk: PathWalk,
  tips: readonly string[],
  fromMs: number,
): Generator<[oid: string, GitCommit]> {
  const pending = new Map(tips.map((tip) => [tip, true]));
  for (let i = 0; i < maxCommits; i++) {
    const next = takeNewest(pending, (_, oid) => walk.commit(oid).committer.ts);
    if (next === undefined) return;
    const commit = walk.commit(next[0]);
    yield [next[0], commit];
    if (commit.committer.ts < fromMs) continue;
    for (const parent of commit.parents) pending.set(parent, true);
  }
}

/** A line without the mark of its list and the number of its pull request. */
function toSubject(line: string): string {
  return line.trim().replace(/^[*-] /, "").replace(/ \(#\d+\)$/, "");
}
