// The main checkout of a git worktree, whose store all worktrees share, and the worktrees of one. Reads
// git's own files, runs nothing. A `.git` that leads elsewhere is believed only when the repository there
// names the worktree itself: else unpacked files could open the memory of any other project.

import { normalizePath, realPath, resolvePath } from "../core/platform_path.ts";

/** More than this is no pointer of git. */
const maxBytes = 4 << 10;

/** The main checkout of the worktree whose top is a directory (its real path), if it is one. */
export function findMainCheckout(top: string): string | undefined {
  try {
    const own = readPointer(`${top}/.git`, /^gitdir: (.+)/);
    const git = own && realPath(resolvePath(own, top));
    const shared = git && readPointer(`${git}/commondir`, /^(.+)/);
    const back = shared && readPointer(`${git}/gitdir`, /^(.+)/);
    if (!back || realPath(resolvePath(back, git)) !== `${top}/.git`) return undefined;
    const common = realPath(resolvePath(shared, git));
    const isOurs = git.replace(/\/worktrees\/[^/]+$/, "") === common;
    return isOurs && common.endsWith("/.git") ? common.slice(0, -"/.git".length) : undefined;
  } catch {
    // Not there, or not for us to see.
    return undefined;
  }
}

/** The worktrees of a workspace's repository, which share its store: a file of one is one of it. */
export function findWorktrees(workspace: string): string[] {
  try {
    const list = `${workspace}/.git/worktrees`;
    // Mostly there is none, and an error costs a hook more than a listing.
    if (!Deno.readDirSync(`${workspace}/.git`).some(({ name }) => name === "worktrees")) return [];
    return [...Deno.readDirSync(list)].map(({ name }) =>
      normalizePath(
        resolvePath(Deno.readTextFileSync(`${list}/${name}/gitdir`).trim(), `${list}/${name}`),
      )
        .replace(/\/\.git$/, "")
    );
  } catch {
    return [];
  }
}

function readPointer(path: string, form: RegExp): string | undefined {
  const { isFile, size } = Deno.lstatSync(path);
  return isFile && size <= maxBytes ? form.exec(Deno.readTextFileSync(path))?.[1] : undefined;
}
