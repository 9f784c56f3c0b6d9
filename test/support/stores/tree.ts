// Directories in tests: copying them, and knowing afterwards whether anything in them changed.

import { createHash } from "node:crypto";

/** Copies a directory and everything in it. */
export function copyTree(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const item of Deno.readDirSync(from)) {
    if (item.isDirectory) copyTree(`${from}/${item.name}`, `${to}/${item.name}`);
    else Deno.copyFileSync(`${from}/${item.name}`, `${to}/${item.name}`);
  }
}

/** The files below a directory, sorted. */
export function listTree(directory: string): string[] {
  const files: string[] = [];
  for (const item of Deno.readDirSync(directory)) {
    const path = `${directory}/${item.name}`;
    if (item.isDirectory) files.push(...listTree(path));
    else if (item.isFile) files.push(path);
  }
  return files.sort();
}

/** Every file with its time of change and a hash of its bytes. */
export function snapshotTree(directory: string): Record<string, string> {
  return Object.fromEntries(
    listTree(directory).map((path) => [
      path.slice(directory.length),
      `${Deno.statSync(path).mtime?.getTime()} ${
        createHash("sha256").update(Deno.readFileSync(path)).digest("hex")
      }`,
    ]),
  );
}
