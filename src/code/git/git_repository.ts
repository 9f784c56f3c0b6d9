// Finds a git repository and its HEAD by reading files. Never runs git: no hook, no configured
// program and no subprocess can be started by looking at history, also not in the MCP sandbox.
//
// Worktrees and submodules keep their git directory elsewhere, so that `.git` may lead out of the
// workspace. It is followed only to a directory that is a git directory and itself names this
// workspace as its worktree: else a `.git` in unpacked files could show the history of any other
// repository of the user.

import { parentOf, resolvePath } from "../../core/platform_path.ts";
import { findInfo, findRealPath, findSmallText } from "../../disk/outside_files.ts";

/** Where the parts of a repository are. */
export interface GitRepository {
  /** Holds HEAD: the directory of this worktree. */
  gitDirectory: string;
  /** Holds objects and refs: shared by all worktrees. */
  commonDirectory: string;
  /** The directory that `.git` is in, as the file system names it. */
  root: string;
  /** The workspace within the repository: "" or `dir/`. */
  prefix: string;
}

/** HEAD, a branch or a path in a file of git; the settings; and the list of packed branches. */
const maxNameBytes = 4 << 10;
const maxConfigBytes = 64 << 10;
const maxPackedBytes = 32 << 20;

/** The repository that a workspace lies in, or undefined. */
export function findRepository(workspace: string): GitRepository | undefined {
  const found = lookUp(workspace);
  return typeof found === "object" ? found : undefined;
}

/** Why the repository of a workspace is not read, or undefined when there is none or it is read. */
export function explainNoRepository(workspace: string): string | undefined {
  const found = lookUp(workspace);
  return typeof found === "string" ? found : undefined;
}

/** Why there is no history to read, in words. */
export function explainNoHistory(workspace: string): string {
  const found = lookUp(workspace);
  return typeof found === "string"
    ? `${found}: changes are unknown`
    : found === undefined
    ? "no git repository: changes are unknown"
    : "HEAD names no commit: changes are unknown";
}

/** The repository; a sentence when there is one that is refused; undefined when there is none. */
function lookUp(workspace: string): GitRepository | string | undefined {
  let directory = workspace;
  let prefix = "";
  while (true) {
    const found = findGitDirectory(directory);
    if (typeof found === "object") return { ...found, prefix };
    if (found !== undefined) return found;
    const above = parentOf(directory);
    if (parentOf(above) === above) return undefined;
    prefix = `${directory.slice(directory.lastIndexOf("/") + 1)}/${prefix}`;
    directory = above;
  }
}

/** The commit that HEAD means, or undefined on an unborn branch. */
export function findHead(repository: GitRepository): string | undefined {
  const head = findTextIn(repository.gitDirectory, "HEAD", maxNameBytes)?.trim();
  return head === undefined ? undefined : resolveRef(repository, head, 0);
}

/** The object that a name below `refs/` means, or undefined. */
export function findRef(repository: GitRepository, name: string): string | undefined {
  return resolveRef(repository, `ref: ${name}`, 0);
}

/** What the branch is called that others are merged into. */
export const mainBranches: readonly string[] = ["main", "master", "trunk", "develop"];

/** The tips of the main branches, here and on the remote. */
export function findMainTips(repository: GitRepository): string[] {
  const names = mainBranches.flatMap((name) => [
    `refs/heads/${name}`,
    `refs/remotes/origin/${name}`,
  ]);
  return [...new Set(names.flatMap((name) => findRef(repository, name) ?? []))];
}

/** The branch that is checked out, or undefined. */
export function findBranch({ gitDirectory }: GitRepository): string | undefined {
  const head = findTextIn(gitDirectory, "HEAD", maxNameBytes)?.trim() ?? "";
  return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
}

/** The branch that is checked out where a directory is, or undefined. */
export function findBranchAt(directory: string): string | undefined {
  const repository = findRepository(directory);
  return repository && findBranch(repository);
}

function resolveRef(repository: GitRepository, value: string, depth: number): string | undefined {
  if (isOid(value)) return value;
  const name = /^ref: (refs\/.+)$/.exec(value)?.[1];
  if (name === undefined || name.includes("..") || depth > 5) return undefined;
  for (const root of [repository.gitDirectory, repository.commonDirectory]) {
    const loose = findTextIn(root, name, maxNameBytes)?.trim();
    if (loose !== undefined) return resolveRef(repository, loose, depth + 1);
  }
  const packed = findTextIn(repository.commonDirectory, "packed-refs", maxPackedBytes) ?? "";
  for (const line of packed.split("\n")) {
    if (!line.endsWith(` ${name}`) || line.startsWith("#")) continue;
    const [oid] = line.split(" ");
    return isOid(oid) ? oid : undefined;
  }
  return undefined;
}

/** `.git` is a directory, or in a worktree or submodule a file that names one. */
function findGitDirectory(
  directory: string,
): Omit<GitRepository, "prefix"> | string | undefined {
  const path = `${directory}/.git`;
  const info = findInfo(path);
  if (info === undefined) return undefined;
  const named = info.isFile
    ? /^gitdir: (.+)/.exec(findSmallText(path, maxNameBytes) ?? "")?.[1].trim()
    : ".git";
  if (named === undefined) return `"${path}" does not name a git directory`;
  const gitDirectory = findRealPath(resolvePath(named, directory));
  const commonDirectory = gitDirectory && findCommonDirectory(gitDirectory);
  if (!gitDirectory || !commonDirectory) return `"${path}" does not lead to a git directory`;
  const root = findRealPath(directory) ?? directory;
  const isOwn = isWithin(gitDirectory, root)
    ? isWithin(commonDirectory, root)
    : namesWorktree(gitDirectory, root);
  if (!isOwn) {
    return `"${path}" leads to "${gitDirectory}", which is not the git directory of this workspace`;
  }
  return { gitDirectory, commonDirectory, root };
}

/** Where the objects of a git directory are; undefined when it is none. */
function findCommonDirectory(gitDirectory: string): string | undefined {
  if (!isGitHead(findTextIn(gitDirectory, "HEAD", maxNameBytes))) return undefined;
  const named = findTextIn(gitDirectory, "commondir", maxNameBytes)?.trim();
  const common = named === undefined
    ? gitDirectory
    : findRealPath(resolvePath(named, gitDirectory));
  if (common === undefined || !isWithin(gitDirectory, common)) return undefined;
  return findInfo(`${common}/objects`)?.isDirectory ? common : undefined;
}

/** Whether a git directory elsewhere says that it belongs to this one, as git itself writes it. */
function namesWorktree(gitDirectory: string, directory: string): boolean {
  const back = findTextIn(gitDirectory, "gitdir", maxNameBytes)?.trim();
  if (back !== undefined) {
    return findRealPath(resolvePath(back, gitDirectory).replace(/\/\.git\/?$/, "")) === directory;
  }
  const config = findTextIn(gitDirectory, "config", maxConfigBytes) ?? "";
  const worktree = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(config)?.[1];
  return worktree !== undefined &&
    findRealPath(resolvePath(worktree, gitDirectory)) === directory;
}

function isGitHead(text: string | undefined): boolean {
  const head = text?.trim() ?? "";
  return isOid(head) || /^ref: refs\/\S+$/.test(head);
}

function isOid(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** Whether a path is a directory or lies in it. */
export function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

export { findRealPath };

/** A file of a git directory; not what a link in it leads to elsewhere, and not a larger one. */
export function findTextIn(root: string, name: string, maxBytes: number): string | undefined {
  const real = findRealPath(`${root}/${name}`);
  return real !== undefined && isWithin(real, root) ? findSmallText(real, maxBytes) : undefined;
}
