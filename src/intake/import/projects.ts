// Which sessions belong to a workspace: those held in it or in another worktree of the same
// repository. Reads git's own files; runs nothing.

import { parentOf, resolvePath, toWholePath } from "../../core/platform_path.ts";
import { findRealPath } from "../../disk/outside_files.ts";
import { directoryNames, findSmallText } from "../sources/walk.ts";

/** Tells whether a directory belongs to a workspace. */
export type ProjectFilter = (cwd: string | undefined) => boolean;

/** A filter for the workspace and its sister worktrees, subdirectories included. */
export function makeProjectFilter(workspace: string): ProjectFilter {
  const roots = new Set([workspace, ...findWorktrees(workspace)]);
  const known = new Map<string, boolean>();
  return (cwd) => {
    if (cwd === undefined) return false;
    const seen = known.get(cwd);
    if (seen !== undefined) return seen;
    // A directory that is gone counts by its name; `..` in it would lead out of the workspace.
    const isPlain = !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(cwd);
    const inside = (isPlain && isInside(toWholePath(cwd), roots)) ||
      isInside(findRealPath(cwd), roots);
    known.set(cwd, inside);
    return inside;
  };
}

/** The same place as `workspace` in every worktree of its repository. */
function findWorktrees(workspace: string): string[] {
  const found = findGit(workspace);
  if (found === undefined) return [];
  const { top, git } = found;
  const below = workspace.slice(top.length);
  const shared = git.replace(/\/worktrees\/[^/]+$/, "");
  const main = shared.replace(/\/\.git$/, "");
  const tops = [
    main,
    ...directoryNames(`${shared}/worktrees`).map((name) => {
      const pointer = findSmallText(`${shared}/worktrees/${name}/gitdir`)?.trim();
      return pointer?.replace(/\/\.git$/, "");
    }),
  ];
  return tops.filter((path) => path !== undefined).map((path) => path + below);
}

function findGit(start: string): { top: string; git: string } | undefined {
  for (let top = start;; top = parentOf(top)) {
    const path = `${top}/.git`;
    const pointer = /^gitdir: (.+)/.exec(findSmallText(path) ?? "")?.[1].trim();
    if (pointer !== undefined) {
      return { top, git: resolvePath(pointer, top) };
    }
    if (directoryNames(path).length > 0) return { top, git: path };
    if (parentOf(top) === top) return undefined;
  }
}

function isInside(path: string | undefined, roots: ReadonlySet<string>): boolean {
  return path !== undefined &&
    (roots.has(path) || [...roots].some((root) => path.startsWith(`${root}/`)));
}
