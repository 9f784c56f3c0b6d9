// Finds files below a directory without following symbolic links: hostile or cyclic trees end, and
// what cannot be read is counted instead of thrown.

import { findInfo, findSmallText } from "../../disk/outside_files.ts";
import { findJson, type Json, toObject } from "./loose_json.ts";
import type { Tally } from "./problem_tally.ts";
import { realPath } from "../../core/platform_path.ts";

export { findInfo as findFileInfo, findSmallText };

/** A regular file and what the listing needs to know of it. */
export interface WalkedFile {
  path: string;
  name: string;
  size: number;
  modified: number;
}

/** What to look for. */
export interface WalkOptions {
  tally: Tally;
  accept: (name: string, path: string) => boolean;
  enter?: (name: string, path: string) => boolean;
  maxDepth?: number;
  /** Whether empty files are counted and passed over. */
  filled?: boolean;
}

/** Yields the accepted files under a root (or the root itself, when it is a file), sorted by name. */
export function* walk(root: string, options: WalkOptions): Generator<WalkedFile> {
  const info = findInfo(root);
  if (info?.isFile) yield* take(root, root.slice(root.lastIndexOf("/") + 1), options);
  if (info?.isDirectory) yield* walkDirectory(root, options, options.maxDepth ?? 12);
}

/** The paths that exist, each once by its real place. */
export function existing(paths: (string | undefined)[]): string[] {
  const found = new Map<string, string>();
  for (const path of paths) {
    if (path === undefined || path === "" || findInfo(path) === undefined) continue;
    const real = realPath(path);
    if (!found.has(real)) found.set(real, path);
  }
  return [...found.values()];
}

/** The names of the directories in a directory, sorted; none when it cannot be read. */
export function directoryNames(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].filter((item) => item.isDirectory).map((item) => item.name)
      .sort();
  } catch {
    return [];
  }
}

/** The object in a small JSON file, or undefined when there is none. */
export function findObject(path: string, maxBytes?: number): Json | undefined {
  return toObject(findJson(findSmallText(path, maxBytes) ?? ""));
}

/** The change signal of a file: its size and time of change. */
export function signatureOf(file: { size: number; modified: number }): string {
  return `${file.size}:${Math.round(file.modified)}`;
}

function* walkDirectory(
  directory: string,
  options: WalkOptions,
  depth: number,
): Generator<WalkedFile> {
  let items: Deno.DirEntry[];
  try {
    items = [...Deno.readDirSync(directory)].sort(byKindAndName);
  } catch (error) {
    options.tally.problem(directory, error);
    return;
  }
  for (const item of items) {
    const path = `${directory}/${item.name}`;
    if (item.isSymlink) options.tally.skip("symbolic_link");
    else if (item.isFile) yield* take(path, item.name, options);
    else if (item.isDirectory && depth > 0 && (options.enter?.(item.name, path) ?? true)) {
      yield* walkDirectory(path, options, depth - 1);
    }
  }
}

/** Files before directories: a session comes before the sub-agents in the directory beside it. */
function byKindAndName(a: Deno.DirEntry, b: Deno.DirEntry): number {
  return Number(a.isDirectory) - Number(b.isDirectory) || (a.name < b.name ? -1 : 1);
}

function* take(path: string, name: string, options: WalkOptions): Generator<WalkedFile> {
  if (!options.accept(name, path)) return;
  try {
    const { size, mtime } = Deno.statSync(path);
    if (options.filled && size === 0) options.tally.skip("empty_file");
    else yield { path, name, size, modified: mtime?.getTime() ?? 0 };
  } catch (error) {
    options.tally.problem(path, error);
  }
}
