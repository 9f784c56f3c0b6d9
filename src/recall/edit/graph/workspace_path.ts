// A path as a caller gives it to the path within the workspace. What lies outside is refused, also
// when a symbolic link leads there.

import { CtxError } from "../../../core/errors.ts";
import { findInfo } from "../../../disk/outside_files.ts";
import { findWorktrees } from "../../../disk/worktree.ts";
import { normalizePath, parentOf, realPath, resolvePath } from "../../../core/platform_path.ts";

/** Where a file is: the top of the workspace or of one of its worktrees, and the path below it. */
export interface PlaceInWorkspace {
  root: string;
  path: string;
}

/** The path relative to the workspace; throws USAGE when it is outside or a directory. */
export function toWorkspacePath(given: string, at: { workspace: string; cwd: string }): string {
  return placeOf(given, at).path;
}

function placeOf(given: string, at: { workspace: string; cwd: string }): PlaceInWorkspace {
  const absolute = normalizePath(resolvePath(given, at.cwd));
  const info = findInfo(absolute);
  if (info?.isDirectory) {
    throw new CtxError("USAGE", `Cannot use "${given}": it is a directory, not a file`);
  }
  const real = info === undefined ? realParent(absolute) : realPath(absolute);
  const isIn = (item: string): boolean => real.startsWith(`${item}/`);
  const roots = [at.workspace, realPath(at.workspace)];
  // Some agents keep worktrees within the checkout.
  const above = /worktree/i.test(real) ? undefined : roots.find(isIn);
  const root = above ?? findWorktrees(at.workspace).find(isIn) ?? roots.find(isIn);
  if (root === undefined) {
    throw new CtxError("USAGE", `Cannot use "${given}": it is outside the workspace`, {
      hint: `give a file in "${at.workspace}", or pass --workspace`,
    });
  }
  return { root, path: real.slice(root.length + 1) };
}

/** The place of a file, or undefined where it is outside. */
export function findInWorkspace(
  given: string,
  at: { workspace: string; cwd: string },
): PlaceInWorkspace | undefined {
  try {
    return placeOf(given, at);
  } catch {
    return undefined;
  }
}

/** A file that is not there yet is where its nearest existing directory is. */
function realParent(path: string): string {
  const directory = parentOf(path);
  if (directory === path) return path;
  const rest = path.slice(path.lastIndexOf("/"));
  try {
    return realPath(directory) + rest;
  } catch {
    return realParent(directory) + rest;
  }
}
