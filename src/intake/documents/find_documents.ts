// The files of a collection: directories are walked, patterns are matched, links are not followed.
// Reads only; what is no text document is passed over.

import { breathe } from "../../core/breathe.ts";
import { CtxError } from "../../core/errors.ts";
import { whenPresent } from "../../disk/files.ts";
import { globBase, isGlob } from "./glob_base.ts";

/** The files of a directory that are taken by default. */
const documentName = /\.(?:md|mdx|markdown|txt|text|rst|adoc)$/i;
const skippedDirectory = /^(?:\..*|node_modules|target|dist)$/;

/** Is told of a file or directory that cannot be looked at. */
export type OnUnreadable = (path: string, error: unknown) => void;

/** The absolute paths of the documents that some sources name, sorted, each once. */
export async function findDocuments(
  sources: string[],
  { signal, onUnreadable }: { signal?: AbortSignal; onUnreadable: OnUnreadable },
): Promise<string[]> {
  const found = new Set<string>();
  for (const source of sources) {
    const wanted = await makeFilter(source);
    for (const path of walkSource(source, onUnreadable)) {
      if (wanted(path)) found.add(path);
      await breathe(signal);
    }
  }
  return [...found].sort();
}

/** Which of the files that a source leads to are meant. */
async function makeFilter(source: string): Promise<(path: string) => boolean> {
  if (!isGlob(source)) return (path) => path === source || documentName.test(path);
  const { makeGlob } = await import("../../core/glob.ts");
  return makeGlob(source);
}

/** Throws NOT_FOUND when a source can name nothing at all. */
export function requireSource(source: string): void {
  const base = isGlob(source) ? globBase(source) : source;
  const info = findInfo(base || "/");
  if (info !== undefined && !info.isSymlink) return;
  const why = info === undefined ? "does not exist" : "is a link; name the directory it points to";
  throw new CtxError("NOT_FOUND", `Cannot add "${source}": "${base}" ${why}`, {
    hint: "ctx docs add NAME PATH",
  });
}

function* walkSource(source: string, onUnreadable: OnUnreadable): Generator<string> {
  const base = isGlob(source) ? globBase(source) : source;
  let info: Deno.FileInfo | undefined;
  try {
    info = findInfo(base || "/");
    // It would be read through a link that leads elsewhere now; its entries stay.
    if (info?.isSymlink) throw new Error("it is a link now");
  } catch (error) {
    return onUnreadable(base, error);
  }
  if (info?.isFile) yield base;
  if (info?.isDirectory) yield* walk(base, onUnreadable);
}

function* walk(directory: string, onUnreadable: OnUnreadable): Generator<string> {
  let items: Deno.DirEntry[];
  try {
    items = [...Deno.readDirSync(directory || "/")];
  } catch (error) {
    return onUnreadable(directory, error);
  }
  for (const item of items) {
    const path = `${directory}/${item.name}`;
    if (item.isFile) yield path;
    if (item.isDirectory && !skippedDirectory.test(item.name)) yield* walk(path, onUnreadable);
  }
}

/**
 * What is at a path. Links are not followed: a clone could aim them anywhere. Throws when nobody can say
 * what is there: that is not the same as nothing, which would have its entries removed.
 */
function findInfo(path: string): Deno.FileInfo | undefined {
  return whenPresent(() => Deno.lstatSync(path));
}
