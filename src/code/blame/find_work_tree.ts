// Whose files are meant: those of the workspace, or of another worktree of its repository, which shares its
// store. That worktree must be named by the repository in its turn.

import { parentOf } from "../../core/platform_path.ts";
import { findMainCheckout } from "../../disk/worktree.ts";
import { findRealPath, isWithin } from "../git/git_repository.ts";

/** The workspace as it is in the worktree that a directory lies in. */
export function findWorkTree(workspace: string, directory: string): string {
  const own = findRealPath(workspace);
  const start = findRealPath(directory);
  if (own === undefined || start === undefined) return workspace;
  for (let top = start; top !== own && parentOf(top) !== top; top = parentOf(top)) {
    const main = findMainCheckout(top);
    if (main === undefined) continue;
    if (!isWithin(own, main)) break;
    // A branch may not have the directory that the workspace is.
    return findRealPath(`${top}${own.slice(main.length)}`) ?? top;
  }
  return workspace;
}
