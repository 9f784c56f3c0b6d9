// The files of a collection: directories are walked, patterns are matched, links are not followed.
// Reads only; what is no text document is passed over.

import { breathe } from "../../core/breathe.ts";
import { CtxError, isAbsent } from "../../core/errors.ts";
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
  if (findPlain(base || "/") !== undefined) return;
  throw new CtxError("NOT_FOUND", `Cannot add "${source}": "${base}" does not exist`, {
    hint: "ctx docs add NAME PATH",
  });
}

function* walkSource(source: string, onUnreadable: OnUnreadable): Generator<string> {
  const base = isGlob(source) ? globBase(source) : source;
  let isFile: boolean | undefined;
  try {
    isFile = findPlain(base)?.isFile;
  } catch (error) {
    return onUnreadable(base, error);
  }
  if (isFile) yield base;
  else yield* walk(base, onUnreadable);
}

function* walk(directory: string, onUnreadable: OnUnreadable): Generator<string> {
  if (findPlain(directory || "/")?.isDirectory !== true) return;
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
 * What is at a path. Links are not documents: a clone could aim them anywhere. Throws when nobody can say
 * what is there: that is not the same as nothing, which would have its entries removed.
 */
function findPlain(path: string): Deno.FileInfo | undefined {
  try {
    const info = Deno.lstatSync(path);
    return info.isSymlink ? undefined : info;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
