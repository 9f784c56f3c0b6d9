// What a failure to read a repository means to who asked.

import { GitDamage, GitMissing, GitOversized, GitSpent } from "../git/git_object.ts";
import { GitProblem } from "../git/git_problem.ts";

/** The problem that an error stands for; anything else is thrown again. */
export function toProblem(error: unknown): GitProblem {
  if (error instanceof GitOversized) {
    return new GitProblem(
      "huge",
      `The git repository has something too large to read (${error.message})`,
    );
  }
  if (error instanceof GitMissing) {
    const message = `The git repository is missing objects (${error.message})`;
    return new GitProblem("missing-objects", message, "git fetch --refetch");
  }
  if (error instanceof GitDamage) {
    return new GitProblem("damaged", `The git repository cannot be read (${error.message})`);
  }
  if (error instanceof GitSpent) {
    return new GitProblem("too-much", "The history is too long to read");
  }
  throw error;
}
