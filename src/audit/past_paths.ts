// Which paths a repository had once: that proves that a rule names something which was there and is
// gone, not an example or a plan. Looks at HEAD and at commits spread over the history.

import { parseCommit } from "../code/git/git_commit.ts";
import { GitDamage, GitSpent } from "../code/git/git_object.ts";
import { GitObjects } from "../code/git/git_objects.ts";
import { findHead, findRepository } from "../code/git/git_repository.ts";
import { findInTree, treeMode } from "../code/git/git_tree.ts";

/** Commits that are walked over, and those whose files are looked at. */
const maxCommits = 4000;
const maxTrees = 200;

/** The day of the newest commit looked at that had a path, for each that one had. */
export function findPastPaths(workspace: string, paths: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const repository = paths.length === 0 ? undefined : findRepository(workspace);
  const head = repository && findHead(repository);
  if (repository === undefined || head === undefined) return found;
  using objects = new GitObjects(repository, head.length / 2);
  try {
    const commits = listCommits(objects, head);
    const step = Math.max(1, commits.length / maxTrees);
    const known = new Map<string, boolean>();
    for (let at = 0; at < commits.length; at += step) {
      const { tree, day } = commits[Math.floor(at)];
      for (const path of paths) {
        if (!found.has(path) && hasPath(objects, known, [tree, repository.prefix + path])) {
          found.set(path, day);
        }
      }
    }
  } catch (error) {
    // A shallow clone ends early: what was found until then is right.
    if (!(error instanceof GitDamage || error instanceof GitSpent)) throw error;
  }
  return found;
}

/** The first parents from a commit on. */
function listCommits(objects: GitObjects, head: string): { tree: string; day: string }[] {
  const commits: { tree: string; day: string }[] = [];
  let next: string | undefined = head;
  while (next !== undefined && commits.length < maxCommits) {
    const object = objects.find(next);
    if (object?.kind !== "commit") break;
    const { tree, parents, committer } = parseCommit(object.data);
    commits.push({ tree, day: new Date(committer.ts).toISOString().slice(0, 10) });
    next = parents[0];
  }
  return commits;
}

/** Whether a tree leads to a path; most trees of a history are the same. */
function hasPath(
  objects: GitObjects,
  known: Map<string, boolean>,
  [tree, path]: [string, string],
): boolean {
  const key = `${tree} ${path}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const [, name, rest] = /^([^/]+)\/?(.*)$/.exec(path) ?? ["", "", ""];
  const entry = name === "" ? undefined : findInTree(objects, tree, new TextEncoder().encode(name));
  const has = entry !== undefined &&
    (rest === "" || (entry.mode === treeMode && hasPath(objects, known, [entry.oid, rest])));
  known.set(key, has);
  return has;
}
