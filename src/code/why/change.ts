// What is to be attributed: a commit, or what is not committed yet, as the lines that it brought and took
// away. Pure.

import type { CommitChanges } from "../blame/changes_of.ts";

export interface ChangedFile {
  /** From the repository's root. */
  path: string;
  /** Its path before, where it was renamed. */
  from?: string;
  added: string[];
  removed: string[];
}

export interface Change {
  /** Undefined: not committed yet. */
  commit?: { oid: string; subject: string; isBot: boolean; isMerge: boolean };
  /** When it was written, and when it came to be what it is now (a rebase, an amend); milliseconds. */
  authored: number;
  committed: number;
  files: ChangedFile[];
}

export function toChange({ commit, files }: CommitChanges): Change {
  const { oid, subject, isBot, isMerge, author, committer } = commit;
  return {
    commit: { oid, subject, isBot, isMerge },
    authored: author.ts,
    committed: committer.ts,
    files: files.map(({ path, oldPath, added, removed }) => ({
      path,
      ...oldPath !== undefined && { from: oldPath },
      added: added.map(({ text }) => text),
      removed: removed.map(({ text }) => text),
    })),
  };
}
