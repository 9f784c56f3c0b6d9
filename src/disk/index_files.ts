// What cannot be read in `index/` (another user's files, a directory in the place of a file) is taken
// for damaged, here and nowhere else: everything there is derived, and every reader knows what to do
// about damage. Writing and removing fail as they do elsewhere: what may hold text is never passed over.

import { isDirectoryRead } from "../core/errors.ts";
import { type FileReader, type Files, overlayFiles } from "./files.ts";
import type { Layout } from "./layout.ts";

/** The same files, where reading in `index/` never throws for want of access. */
export function tolerateIndex(files: Files, { index }: Layout): Files {
  const isInside = (path: string): boolean => path === index || path.startsWith(`${index}/`);
  const read = <T>(path: string, action: () => T, damaged: T): T =>
    isInside(path) ? whenReadable(action, damaged) : action();
  // Made once: every file access goes through these.
  const reading: Pick<Files, "findSize" | "findBytes" | "list" | "openReader"> = {
    findSize: (path) => read(path, () => files.findSize(path), undefined),
    findBytes: (path) => read(path, () => files.findBytes(path), new Uint8Array()),
    list: (path) => read(path, () => files.list(path), []),
    openReader(path) {
      const reader = read(path, () => files.openReader(path), undefined);
      return reader && isInside(path) ? tolerateReader(reader) : reader;
    },
  };
  return overlayFiles(files, reading);
}

/** The first of the index's own paths that is there and cannot be read. */
export function findUnreadable(files: Files, { index }: Layout): string | undefined {
  const names = whenReadable(() => files.list(index), undefined);
  if (names === undefined) return index;
  return names.filter((name) => /\.(json|seg|vec|bin|ndjson)$/.test(name))
    .map((name) => `${index}/${name}`)
    .find((path) => whenReadable(() => isReadable(files, path), false) === false);
}

function isReadable(files: Files, path: string): true {
  using reader = files.openReader(path);
  reader?.readAt(0, new Uint8Array(1));
  return true;
}

/** A directory can be opened, but not read. */
function tolerateReader(reader: FileReader): FileReader {
  return {
    size: reader.size,
    isCurrent: () => whenReadable(() => reader.isCurrent(), false),
    readAt: (offset, buffer) => whenReadable(() => reader.readAt(offset, buffer), 0),
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

function whenReadable<T, D>(action: () => T, otherwise: D): T | D {
  try {
    return action();
  } catch (error) {
    const denied = error instanceof Deno.errors.PermissionDenied || isDirectoryRead(error);
    if (!denied) throw error;
    return otherwise;
  }
}
