// Writes files where other programs look for theirs: all of them, or none, and over none that is there.
// Directories that were made on the way are taken away again when it fails.

import { CtxError, isAbsent } from "../core/errors.ts";
import type { Files } from "./files.ts";
import { findInfo } from "./outside_files.ts";

/** Writes new files whole, or throws and leaves none; DENIED when one of them exists. */
export function writeNew(
  files: Files,
  list: readonly { path: string; bytes: Uint8Array }[],
): void {
  for (const { path } of list) {
    if (!isThere(path)) continue;
    throw new CtxError("DENIED", `Cannot write "${path}": the file already exists`, {
      hint: "move the file, or choose another with --out FILE",
    });
  }
  const written: string[] = [];
  const made = findMissingDirectories(list);
  try {
    for (const { path, bytes } of list) {
      files.makeDirectory(path.replace(/\/[^/]*$/, ""));
      files.replace(path, bytes, { sync: true });
      written.push(path);
    }
  } catch (error) {
    for (const path of written) files.remove(path);
    removeEmpty(made);
    throw error;
  }
}

/** Removes directories, the deepest first; one that others use by now stays. */
export function removeEmpty(directories: readonly string[]): void {
  for (const directory of directories.toSorted((a, b) => b.length - a.length)) {
    try {
      // A file of that name would go too.
      if (Deno.lstatSync(directory).isDirectory) Deno.removeSync(directory);
    } catch {
      // It is not empty, or was never made.
    }
  }
}

/** Whether a name is taken, by a link that leads nowhere too. */
function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/** The directories that files need and that are not there yet. */
export function findMissingDirectories(list: readonly { path: string }[]): string[] {
  const gone = new Set<string>();
  for (const { path } of list) {
    const up = (at: string): string => at.replace(/\/[^/]*$/, "");
    for (let at = up(path); at !== "" && findInfo(at) === undefined; at = up(at)) gone.add(at);
  }
  return [...gone];
}
