// Opens the repository of a workspace for questions about history, or says why there is none that can
// be read.

import { isDirectory } from "../../disk/outside_files.ts";
import { GitProblem } from "../git/git_problem.ts";
import {
  explainNoRepository,
  findHead,
  findRepository,
  findTextIn,
  type GitRepository,
} from "../git/git_repository.ts";

/** The repository of a workspace; why it cannot be read when it cannot. */
export function openRepository(workspace: string): GitRepository | GitProblem {
  const repository = findRepository(workspace);
  if (repository === undefined) {
    const refused = explainNoRepository(workspace);
    if (refused !== undefined) return new GitProblem("refused", refused);
    const isBare = ["objects", "refs"].every((name) => isDirectory(`${workspace}/${name}`)) &&
      findTextIn(workspace, "HEAD", 4096) !== undefined;
    return isBare
      ? new GitProblem("bare", "The workspace is a bare git repository")
      : new GitProblem("no-git", "The workspace is not in a git repository", "git init");
  }
  const config = findTextIn(repository.commonDirectory, "config", 64 << 10) ?? "";
  if (/^\s*refstorage\s*=\s*"?reftable/im.test(config)) {
    const message = "The git repository uses the reftable format, which ctx cannot read";
    return new GitProblem("reftable", message, "git refs migrate --ref-format=files");
  }
  return repository;
}

/** The commit of HEAD, or why there is none. */
export function openHead(repository: GitRepository): string | GitProblem {
  return findHead(repository) ??
    new GitProblem("no-commits", "The current branch has no commits yet", "git commit");
}
