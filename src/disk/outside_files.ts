// Files that are not the store's, as they are looked at: what is not there, or not ours to see, is
// undefined. Nothing is written.

import { realPath } from "../core/platform_path.ts";

/** What is known of what is at a path, links followed. */
export function findInfo(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

export function findLinkInfo(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch {
    return undefined;
  }
}

export function findRealPath(path: string): string | undefined {
  try {
    return realPath(path);
  } catch {
    return undefined;
  }
}

/** The text of a plain file that is not larger: a pipe would be waited for, perhaps for ever. */
export function findSmallText(path: string, maxBytes = 1 << 20): string | undefined {
  try {
    const { isFile, size } = Deno.statSync(path);
    return isFile && size <= maxBytes ? Deno.readTextFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

export function isDirectory(path: string): boolean {
  return findInfo(path)?.isDirectory === true;
}
