// The branches of a repository by reading files: loose ones below `refs/`, and those in `packed-refs`.

import { findRef, findTextIn, type GitRepository } from "./git_repository.ts";

/** A branch and the commit at its tip. */
export interface GitBranch {
  /** As people write it: `feature/login`, or `origin/main` for one of a remote. */
  name: string;
  oid: string;
  isRemote: boolean;
}

const maxPackedBytes = 32 << 20;
/** More branches than this are not listed, and no deeper directories are read. */
const maxBranches = 2000;
const maxDepth = 8;

/** The branches here and of remotes; `HEAD` of a remote only names another one. */
export function listBranches(repository: GitRepository): GitBranch[] {
  const { commonDirectory } = repository;
  const packed = findTextIn(commonDirectory, "packed-refs", maxPackedBytes) ?? "";
  const names = new Set(
    [...packed.matchAll(/^[0-9a-f]+ (refs\/(?:heads|remotes)\/.+)$/gm)].map(([, name]) => name),
  );
  for (const top of ["refs/heads", "refs/remotes"]) addLoose(names, commonDirectory, top, 0);
  return [...names].slice(0, maxBranches).flatMap((path): GitBranch[] => {
    const isRemote = path.startsWith("refs/remotes/");
    if (isRemote && path.endsWith("/HEAD")) return [];
    const oid = findRef(repository, path);
    const name = path.replace(/^refs\/(?:heads|remotes)\//, "");
    return oid === undefined ? [] : [{ name, oid, isRemote }];
  });
}

function addLoose(names: Set<string>, root: string, path: string, depth: number): void {
  let found: Deno.DirEntry[] = [];
  try {
    found = [...Deno.readDirSync(`${root}/${path}`)];
  } catch {
    return;
  }
  for (const { name, isDirectory, isFile } of found) {
    if (names.size >= maxBranches) return;
    if (isFile && !name.endsWith(".lock")) names.add(`${path}/${name}`);
    else if (isDirectory && depth < maxDepth) addLoose(names, root, `${path}/${name}`, depth + 1);
  }
}
