// Lists a directory of the store with everything below it.

import type { Files } from "./files.ts";

/** The files below a directory, sorted; empty when there is none. Links are not followed by name. */
export function listTree(files: Files, directory: string, depth = 4): string[] {
  if (depth === 0) return [];
  return files.list(directory).flatMap((name) => {
    const path = `${directory}/${name}`;
    const inside = listTree(files, path, depth - 1);
    return inside.length > 0 ? inside : [path];
  });
}
