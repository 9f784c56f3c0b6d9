// Walks the files of a workspace as git would see them: `.gitignore` at every level and
// `.git/info/exclude` are respected, links are not followed. Reads only.

import type { Ignore } from "ignore";
import { findSmallText } from "../../../disk/outside_files.ts";

/** A file of the workspace; the path is relative, with slashes. */
export interface WorkspaceFile {
  path: string;
  size: number;
  mtime: number;
}

/** Decides whether a path belongs to the workspace's own sources. */
export interface IgnoreRules {
  ignores(path: string, isDirectory: boolean): boolean;
}

/** Deeper directories are nobody's sources; and rules with `**` take longer the deeper a path is. */
const maxDepth = 64;
const maxIgnoreBytes = 128 << 10;
/** A rule with more `**` takes for ever on deep paths and is left out. */
const maxDoubleStars = 4;

const never: ReadonlySet<string> = new Set([".git", ".contextfs", "node_modules", ".hg", ".svn"]);

/** Yields the files that pass `wanted`, in order of path within each directory. */
export function* walkWorkspace(
  root: string,
  options: { rules: IgnoreRules; wanted: (path: string) => boolean },
): Generator<WorkspaceFile> {
  const pending = [""];
  while (pending.length > 0) {
    const directory = pending.pop()!;
    const names = listDirectory(`${root}/${directory}`);
    for (const { name, isDirectory, isFile } of names) {
      const path = directory + name;
      if (options.rules.ignores(path, isDirectory)) continue;
      if (isDirectory && path.split("/").length < maxDepth) pending.push(`${path}/`);
      if (!isFile || !options.wanted(path)) continue;
      const file = findFile(root, path);
      if (file !== undefined) yield file;
    }
  }
}

/** The size and time of one file, or undefined when it is not a regular file. */
function findFile(root: string, path: string): WorkspaceFile | undefined {
  try {
    const info = Deno.lstatSync(`${root}/${path}`);
    return info.isFile ? { path, size: info.size, mtime: info.mtime?.getTime() ?? 0 } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the ignore files as they are met; each is read once. */
export async function loadIgnoreRules(root: string): Promise<IgnoreRules> {
  const { default: makeIgnore } = await import("ignore");
  const byDirectory = new Map<string, Ignore | undefined>();
  const verdicts = new Map<string, boolean>();
  const rulesOf = (directory: string): Ignore | undefined => {
    if (!byDirectory.has(directory)) {
      const lines = readRules(`${root}/${directory}.gitignore`);
      if (directory === "") lines.push(...readRules(`${root}/.git/info/exclude`));
      byDirectory.set(directory, lines.length > 0 ? makeIgnore().add(lines) : undefined);
    }
    return byDirectory.get(directory);
  };
  const ignoredHere = (path: string, isDirectory: boolean): boolean => {
    let ignored = false;
    for (const directory of parentsOf(path)) {
      const rules = rulesOf(directory);
      if (rules === undefined) continue;
      const verdict = rules.test(path.slice(directory.length) + (isDirectory ? "/" : ""));
      if (verdict.ignored) ignored = true;
      if (verdict.unignored) ignored = false;
    }
    return ignored;
  };
  const ignores = (path: string, isDirectory: boolean): boolean => {
    if (never.has(path.slice(path.lastIndexOf("/") + 1))) return true;
    const slash = path.lastIndexOf("/");
    if (slash > 0 && ignoresDirectory(path.slice(0, slash))) return true;
    return ignoredHere(path, isDirectory);
  };
  const ignoresDirectory = (path: string): boolean => {
    const known = verdicts.get(path);
    if (known !== undefined) return known;
    const verdict = ignores(path, true);
    verdicts.set(path, verdict);
    return verdict;
  };
  return {
    ignores: (path, isDirectory) => isDirectory ? ignoresDirectory(path) : ignores(path, false),
  };
}

/** `a/b/c` gives "", "a/", "a/b/". */
function parentsOf(path: string): string[] {
  const parents = [""];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    parents.push(path.slice(0, at + 1));
  }
  return parents;
}

function listDirectory(path: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(path)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch {
    return [];
  }
}

/** The lines of an ignore file, as far as they are ones that people write. */
function readRules(path: string): string[] {
  return (findSmallText(path, maxIgnoreBytes) ?? "").split(/\r?\n/)
    .filter((line) => line !== "" && line.split("**").length - 1 <= maxDoubleStars);
}
