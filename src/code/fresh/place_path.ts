// From the path of an edit, as its agent told it, to a path of the workspace. A store may have come
// from another machine, and an edit from a worktree: both are the same project under another name.

import { normalizePath, resolvePath } from "../../core/platform_path.ts";
import { isWithin } from "../git/git_repository.ts";

/** Where edits were made, and where they are looked for. */
export interface Place {
  workspace: string;
  /** The worktrees of the workspace's repository. */
  worktrees: readonly string[];
  /** Whether there is such a directory on this machine. */
  exists: (directory: string) => boolean;
}

/** The path relative to the workspace; undefined when the edit was elsewhere. */
export function placePath(
  path: string,
  project: string | undefined,
  { workspace, worktrees, exists }: Place,
): string | undefined {
  const absolute = toAbsolute(path, project ?? workspace);
  // A project that is no longer there was a worktree, or this one elsewhere.
  const isLost = project !== undefined && isWithin(absolute, project) && !exists(project);
  const isInside = project !== undefined && isWithin(project, workspace);
  if (isLost && (isInside || nameOf(project) === nameOf(workspace))) {
    return inside(absolute, project);
  }
  const root = [...worktrees, workspace].find((one) => isWithin(absolute, one));
  return root === undefined ? undefined : inside(absolute, root);
}

/** The other worktree that an edit was made in, while it is there. */
export function placeTree(
  path: string,
  project: string | undefined,
  { workspace, worktrees, exists }: Place,
): string | undefined {
  const absolute = toAbsolute(path, project ?? workspace);
  return worktrees.find((one) => isWithin(absolute, one) && exists(one));
}

function toAbsolute(path: string, project: string): string {
  return normalizePath(resolvePath(path, project));
}

function inside(path: string, root: string): string | undefined {
  const rest = path.slice(root.length + 1);
  return rest === "" || /^\.(?:git|contextfs)(?:\/|$)/.test(rest) ? undefined : rest;
}

function nameOf(directory: string): string {
  return directory.slice(directory.lastIndexOf("/") + 1);
}
