// Which files of a directory git has in its index: what the next commit will hold.

import { GitDamage } from "./git_object.ts";
import { readIndex } from "./git_index.ts";
import { findHead, findRepository } from "./git_repository.ts";

/** Paths below a directory of a workspace that git versions; none where git cannot be read. */
export function findTracked(workspace: string, directory: string): string[] {
  const repository = findRepository(workspace);
  if (repository === undefined) return [];
  const prefix = repository.prefix + directory;
  try {
    const oidBytes = (findHead(repository)?.length ?? 40) / 2;
    return [...readIndex(repository.gitDirectory, oidBytes).keys()]
      .filter((path) => path.startsWith(prefix)).map((path) =>
        path.slice(repository.prefix.length)
      );
  } catch (error) {
    if (error instanceof GitDamage) return [];
    throw error;
  }
}
