// Finds which of some files differ from the last commit. Files for which this cannot be known (because
// of a filter, a submodule or an unreadable repository) are left out, and so are files that git ignores.

import { findInfo } from "../../disk/outside_files.ts";
import { blobName } from "../git/file_hash.ts";
import { findHead, findTextIn, type GitRepository, isWithin } from "../git/git_repository.ts";
import { GitProblem } from "../git/git_problem.ts";
import { isIgnored } from "./is_ignored.ts";
import { openRepository } from "./open_repository.ts";
import { isFile, PathWalk } from "./path_walk.ts";
import { toProblem } from "./to_problem.ts";

/** Larger files are not compared. */
const maxFileBytes = 2 << 20;

/** Those of some whole paths that HEAD has otherwise, or not at all. */
export async function findUncommitted(
  workspace: string,
  paths: readonly string[],
): Promise<string[]> {
  const repository = openRepository(workspace);
  const head = repository instanceof GitProblem ? undefined : findHead(repository);
  if (repository instanceof GitProblem || head === undefined) return [];
  const attributes = findTextIn(repository.root, ".gitattributes", 64 << 10) ?? "";
  // A filter keeps something else in git than the file has.
  if (/\bfilter=|\bident\b|working-tree-encoding/.test(attributes)) return [];
  try {
    using walk = new PathWalk(repository, { oidBytes: head.length / 2 });
    const found: string[] = [];
    for (const path of paths) {
      if (!isWithin(path, repository.root)) continue;
      const place = path.slice(repository.root.length + 1);
      // A path with ".." may lead out of the repository.
      if (/(?:^|\/)\.{0,2}(?:\/|$)/.test(place)) continue;
      const entry = walk.entryAt(head, place);
      if (entry === undefined ? await isLeftOut(repository, place) : !isFile(entry)) continue;
      const bytes = readFile(path);
      if (bytes === undefined) continue;
      if (bytes === null ? entry !== undefined : !await isSame(bytes, entry?.oid)) found.push(path);
    }
    return found;
  } catch (error) {
    toProblem(error);
    return [];
  }
}

/** Whether git would not commit a new file: it is ignored, or of a repository within this one. */
async function isLeftOut(repository: GitRepository, place: string): Promise<boolean> {
  const folders = place.split("/").slice(0, -1);
  const isNested = folders.some((_, i) =>
    findInfo(`${repository.root}/${folders.slice(0, i + 1).join("/")}/.git`) !== undefined
  );
  return isNested || await isIgnored(repository, place);
}

/** Whether bytes are a blob, as they are or with the line ends that git keeps. */
async function isSame(bytes: Uint8Array<ArrayBuffer>, oid: string | undefined): Promise<boolean> {
  if (oid === undefined) return false;
  if (await blobName(bytes, oid.length / 2) === oid) return true;
  const plain = bytes.filter((byte, i) => byte !== 13 || bytes[i + 1] !== 10);
  return plain.length < bytes.length && await blobName(plain, oid.length / 2) === oid;
}

/** The content of a file; null when there is none, undefined when it cannot be compared. */
function readFile(path: string): Uint8Array<ArrayBuffer> | null | undefined {
  try {
    const { isFile, size } = Deno.lstatSync(path);
    return isFile && size <= maxFileBytes ? Deno.readFileSync(path) : undefined;
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? null : undefined;
  }
}
