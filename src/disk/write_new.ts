// Writes files where other programs look for theirs: all of them, or none, and over none that is there.
// Directories that were made on the way are taken away again when it fails.

import { CtxError, isAbsent } from "../core/errors.ts";
import type { Files } from "./files.ts";
import { toShellWord } from "../core/text.ts";
import { findInfo } from "./outside_files.ts";

/** Writes new files whole, or throws and leaves none; DENIED when one of them exists. */
export function writeNew(
  files: Files,
  list: readonly { path: string; bytes: Uint8Array }[],
): void {
  for (const { path } of list) {
    refuseTaken(path, "move the file, or choose another with --out FILE");
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

/** A file while it is written; disposed of before it is finished, it was never there. */
export interface NewFile extends Disposable {
  write(bytes: Uint8Array): void;
  /** Puts the whole file in its place; gives its path. */
  finish(): string;
}

/** Opens a file for a long write, beside its place until it is whole; DENIED when there is one. */
export function openNewFile(
  files: Files,
  path: string,
  { force = false }: { force?: boolean } = {},
): NewFile {
  const refuse = (): void => {
    if (!force) refuseTaken(path, "choose another file, or replace it with --force");
  };
  refusePlace(path);
  refuse();
  const draft = `${path}.${Deno.pid}.tmp`;
  const writer = files.openWriter(draft);
  let isOpen = true;
  return {
    write: (bytes) => writer.write(bytes),
    finish() {
      isOpen = false;
      writer.finish();
      try {
        // It may have come while this one was written.
        refuse();
        files.rename(draft, path);
      } catch (error) {
        files.remove(draft);
        throw error;
      }
      return path;
    },
    [Symbol.dispose]() {
      if (isOpen) writer.abandon();
    },
  };
}

/** A file cannot be where a directory is, nor in one that is not there. */
function refusePlace(path: string): void {
  if (findInfo(path)?.isDirectory) {
    const hint = `choose a file, for example ${toShellWord(`${path.replace(/\/+$/, "")}/FILE`)}`;
    throw new CtxError("USAGE", `Cannot write "${path}": it is a directory`, { hint });
  }
  const directory = path.replace(/\/[^/]*$/, "") || "/";
  if (findInfo(directory) !== undefined) return;
  throw new CtxError("USAGE", `Cannot write "${path}": its directory does not exist`, {
    hint: `mkdir -p ${toShellWord(directory)}`,
  });
}

function refuseTaken(path: string, hint: string): void {
  if (!isThere(path)) return;
  throw new CtxError("DENIED", `Cannot write "${path}": the file already exists`, { hint });
}

/**
 * Gives a file that was written whole its name; false when that is taken. Where the disk has no hard
 * links, one that comes at the same moment is not noticed.
 */
export function placeNew(files: Files, draft: string, path: string): boolean {
  try {
    Deno.linkSync(draft, path);
    files.remove(draft);
    return true;
  } catch {
    const isTaken = isThere(path);
    if (isTaken) files.remove(draft);
    else files.rename(draft, path);
    return !isTaken;
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
