// What is known of a commit: who wrote it and when, its message and trailers, whether a program wrote it.

import { findTrailers, type GitCommit, isBotCommit } from "../git/git_commit.ts";

/** A commit, as it was written, and what follows from that. */
export interface CommitDetails extends GitCommit {
  oid: string;
  trailers: { key: string; value: string }[];
  isBot: boolean;
  isMerge: boolean;
}

export function toDetails(oid: string, commit: GitCommit): CommitDetails {
  return {
    oid,
    ...commit,
    trailers: findTrailers(commit.message),
    isBot: isBotCommit(commit),
    isMerge: commit.parents.length > 1,
  };
}
