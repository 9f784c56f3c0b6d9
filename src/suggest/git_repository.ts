// Finds a git repository and its HEAD by reading files. Never runs git: no hook, no configured
// program and no subprocess can be started by looking at history, also not in the MCP sandbox.

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
  let directory = workspace;
  let prefix = "";
  while (true) {
    const gitDirectory = findGitDirectory(directory);
    if (gitDirectory !== undefined) {
      const common = findText(`${gitDirectory}/commondir`)?.trim();
      const commonDirectory = common === undefined
        ? gitDirectory
        : resolvePath(gitDirectory, common);
      return { gitDirectory, commonDirectory, prefix };
    }
    const slash = directory.lastIndexOf("/");
    if (slash <= 0) return undefined;
    prefix = `${directory.slice(slash + 1)}/${prefix}`;
    directory = directory.slice(0, slash);
  }
}

/** The commit that HEAD means, or undefined on an unborn branch. */
export function findHead(repository: GitRepository): string | undefined {
  const head = findText(`${repository.gitDirectory}/HEAD`)?.trim();
  return head === undefined ? undefined : resolveRef(repository, head, 0);
}

function resolveRef(repository: GitRepository, value: string, depth: number): string | undefined {
  if (isOid(value)) return value;
  const name = /^ref: (.+)$/.exec(value)?.[1];
  if (name === undefined || name.includes("..") || depth > 5) return undefined;
  for (const root of [repository.gitDirectory, repository.commonDirectory]) {
    const loose = findText(`${root}/${name}`)?.trim();
    if (loose !== undefined) return resolveRef(repository, loose, depth + 1);
  }
  for (const line of (findText(`${repository.commonDirectory}/packed-refs`) ?? "").split("\n")) {
    if (line.endsWith(` ${name}`) && !line.startsWith("#")) return line.split(" ")[0];
  }
  return undefined;
}

/** `.git` is a directory, or in a worktree or submodule a file that names one. */
function findGitDirectory(directory: string): string | undefined {
  const path = `${directory}/.git`;
  if (findText(`${path}/HEAD`) !== undefined) return path;
  const target = /^gitdir: (.+)/.exec(findText(path) ?? "")?.[1];
  if (target === undefined) return undefined;
  const resolved = resolvePath(directory, target.trim());
  return findText(`${resolved}/HEAD`) === undefined ? undefined : resolved;
}

function isOid(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

function resolvePath(base: string, path: string): string {
  return path.startsWith("/") ? path : `${base}/${path}`;
}

function findText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}
