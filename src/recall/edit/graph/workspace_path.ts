// A path as a caller gives it to the path within the workspace. What lies outside is refused, also
// when a symbolic link leads there.

import { CtxError } from "../../../core/errors.ts";
import { findInfo, normalizePath } from "../../../disk/outside_files.ts";
import { findWorktrees } from "../../../disk/worktree.ts";

/** The path relative to the workspace; throws USAGE when it is outside or a directory. */
export function toWorkspacePath(given: string, at: { workspace: string; cwd: string }): string {
  const absolute = normalizePath(given.startsWith("/") ? given : `${at.cwd}/${given}`);
  const info = findInfo(absolute);
  if (info?.isDirectory) {
    throw new CtxError("USAGE", `Cannot use "${given}": it is a directory, not a file`);
  }
  const real = info === undefined ? realParent(absolute) : Deno.realPathSync(absolute);
  const isIn = (item: string): boolean => real.startsWith(`${item}/`);
  const roots = [at.workspace, Deno.realPathSync(at.workspace)];
  const root = roots.find(isIn) ?? findWorktrees(at.workspace).find(isIn);
  if (root === undefined) {
    throw new CtxError("USAGE", `Cannot use "${given}": it is outside the workspace`, {
      hint: `give a file in "${at.workspace}", or pass --workspace`,
    });
  }
  return real.slice(root.length + 1);
}

/** The same, or undefined where it is none. */
export function findWorkspacePath(
  given: string,
  at: { workspace: string; cwd: string },
): string | undefined {
  try {
    return toWorkspacePath(given, at);
  } catch {
    return undefined;
  }
}

/** A file that is not there yet is where its nearest existing directory is. */
function realParent(path: string): string {
  const slash = path.lastIndexOf("/");
  const directory = path.slice(0, slash) || "/";
  const rest = path.slice(slash);
  try {
    return Deno.realPathSync(directory) + rest;
  } catch {
    return directory === "/" ? path : realParent(directory) + rest;
  }
}
