// Finds a git repository and its HEAD by reading files. Never runs git: no hook, no configured
// program and no subprocess can be started by looking at history, also not in the MCP sandbox.
//
// Worktrees and submodules keep their git directory elsewhere, so that `.git` may lead out of the
// workspace. It is followed only to a directory that is a git directory and itself names this
// workspace as its worktree: else a `.git` in unpacked files could show the history of any other
// repository of the user.

/** Where the parts of a repository are. */
export interface GitRepository {
  /** Holds HEAD: the directory of this worktree. */
  gitDirectory: string;
  /** Holds objects and refs: shared by all worktrees. */
  commonDirectory: string;
  /** The workspace within the repository: "" or `dir/`. */
  prefix: string;
}

/** The repository that a workspace lies in, or undefined. */
export function findRepository(workspace: string): GitRepository | undefined {
  const found = lookUp(workspace);
  return typeof found === "object" ? found : undefined;
}

/** Why there is no history to read, in words. */
export function explainNoHistory(workspace: string): string {
  const found = lookUp(workspace);
  return typeof found === "string"
    ? `${found}: changes are unknown`
    : "no git repository: changes are unknown";
}

/** The repository; a sentence when there is one that is refused; undefined when there is none. */
function lookUp(workspace: string): GitRepository | string | undefined {
  let directory = workspace;
  let prefix = "";
  while (true) {
    const found = findGitDirectory(directory);
    if (typeof found === "object") return { ...found, prefix };
    if (found !== undefined) return found;
    const slash = directory.lastIndexOf("/");
    if (slash <= 0) return undefined;
    prefix = `${directory.slice(slash + 1)}/${prefix}`;
    directory = directory.slice(0, slash);
  }
}

/** The commit that HEAD means, or undefined on an unborn branch. */
export function findHead(repository: GitRepository): string | undefined {
  const head = findTextIn(repository.gitDirectory, "HEAD")?.trim();
  return head === undefined ? undefined : resolveRef(repository, head, 0);
}

function resolveRef(repository: GitRepository, value: string, depth: number): string | undefined {
  if (isOid(value)) return value;
  const name = /^ref: (refs\/.+)$/.exec(value)?.[1];
  if (name === undefined || name.includes("..") || depth > 5) return undefined;
  for (const root of [repository.gitDirectory, repository.commonDirectory]) {
    const loose = findTextIn(root, name)?.trim();
    if (loose !== undefined) return resolveRef(repository, loose, depth + 1);
  }
  const packed = findTextIn(repository.commonDirectory, "packed-refs") ?? "";
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
  const named = info.isFile ? /^gitdir: (.+)/.exec(findText(path) ?? "")?.[1].trim() : ".git";
  if (named === undefined) return `"${path}" names no git directory`;
  const gitDirectory = findRealPath(resolvePath(directory, named));
  if (gitDirectory === undefined || !isGitHead(findTextIn(gitDirectory, "HEAD"))) {
    return `"${path}" leads to no git directory`;
  }
  const common = findTextIn(gitDirectory, "commondir")?.trim();
  const commonDirectory = common === undefined
    ? gitDirectory
    : findRealPath(resolvePath(gitDirectory, common));
  if (
    commonDirectory === undefined || !isWithin(gitDirectory, commonDirectory) ||
    findInfo(`${commonDirectory}/objects`)?.isDirectory !== true
  ) return `"${path}" leads to no git directory`;
  const real = findRealPath(directory) ?? directory;
  if (!isWithin(gitDirectory, real) && !namesWorktree(gitDirectory, real)) {
    return `"${path}" leads to "${gitDirectory}", which is not the git directory of this workspace`;
  }
  return { gitDirectory, commonDirectory };
}

/** Whether a git directory elsewhere says that it belongs to this one, as git itself writes it. */
function namesWorktree(gitDirectory: string, directory: string): boolean {
  const back = findTextIn(gitDirectory, "gitdir")?.trim();
  if (back !== undefined) {
    return findRealPath(resolvePath(gitDirectory, back).replace(/\/\.git\/?$/, "")) === directory;
  }
  const config = findTextIn(gitDirectory, "config") ?? "";
  const worktree = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(config)?.[1];
  return worktree !== undefined &&
    findRealPath(resolvePath(gitDirectory, worktree)) === directory;
}

function isGitHead(text: string | undefined): boolean {
  const head = text?.trim() ?? "";
  return isOid(head) || /^ref: refs\/\S+$/.test(head);
}

function isOid(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

function resolvePath(base: string, path: string): string {
  return path.startsWith("/") ? path : `${base}/${path}`;
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** A file of a git directory; not what a link in it leads to elsewhere. */
function findTextIn(root: string, name: string): string | undefined {
  const real = findRealPath(`${root}/${name}`);
  return real !== undefined && isWithin(real, root) ? findText(real) : undefined;
}

function findRealPath(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    return undefined;
  }
}

function findInfo(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

function findText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
