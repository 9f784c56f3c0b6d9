// The newest commit that changed a file, from the history that `ctx why` keeps: one history of a
// repository for both. Without it nothing is known of changes.

import { keepHistory } from "../../../code/blame/keep_history.ts";
import { historyPathOf, openHistory, type PathHistory } from "../../../code/blame/path_history.ts";
import { PathWalk } from "../../../code/blame/path_walk.ts";
import { GitDamage, GitSpent } from "../../../code/git/git_object.ts";
import {
  explainNoHistory,
  findHead,
  findRepository,
  type GitRepository,
} from "../../../code/git/git_repository.ts";
import { CtxError } from "../../../core/errors.ts";
import type { Files } from "../../../disk/files.ts";
import type { Layout } from "../../../disk/layout.ts";

export interface FileCommit {
  oid: string;
  /** Milliseconds since the epoch. */
  ts: number;
  subject: string;
}

/** Commits of a file that are looked at. */
const maxCommits = 5;

/** The commits of files; close it. */
export class FileHistory implements Disposable {
  readonly #walk: PathWalk;
  readonly #kept: PathHistory;
  readonly #head: string;
  readonly #prefix: string;

  constructor(repository: GitRepository, { kept, head }: { kept: PathHistory; head: string }) {
    this.#walk = new PathWalk(repository, { oidBytes: head.length / 2, history: kept });
    this.#kept = kept;
    this.#head = head;
    this.#prefix = repository.prefix;
  }

  /** The newest commit between two times that changed a file, but not the other one. */
  findCommit(
    path: string,
    { since, until, without }: { since: number; until: number; without?: string },
  ): FileCommit | undefined {
    try {
      let at: string | undefined = this.#head;
      for (let count = 0; count < maxCommits && at !== undefined; count++) {
        const oid = this.#changeOf(at, path);
        const commit = oid === undefined ? undefined : this.#walk.commit(oid);
        // Where a clone was cut off, a commit seems to have made everything.
        if (commit === undefined || this.#walk.isShallow(oid!)) return undefined;
        const { subject, committer: { ts }, parents } = commit;
        if (ts < since) return undefined;
        const isBoth = without !== undefined && this.#changeOf(oid!, without) === oid;
        if (ts <= until && !isBoth) return { oid: oid!, ts, subject };
        [at] = parents;
      }
    } catch (error) {
      if (!(error instanceof GitDamage || error instanceof GitSpent)) throw error;
    }
    return undefined;
  }

  /** The commit that made what another has of a file. */
  #changeOf(oid: string, path: string): string | undefined {
    return this.#walk.versionAt(oid, this.#prefix + path)?.commit;
  }

  [Symbol.dispose](): void {
    this.#walk[Symbol.dispose]();
    this.#kept[Symbol.dispose]();
  }
}

/** Opens the kept history, or returns undefined when there is none. */
export function openFileHistory(files: Files, layout: Layout): FileHistory | undefined {
  const repository = findRepository(layout.workspace);
  const head = repository && findHead(repository);
  const kept = head && openHistory(files, historyPathOf(layout));
  return kept ? new FileHistory(repository!, { kept, head: head! }) : undefined;
}

/** Brings the kept history up to HEAD; returns why changes are unknown when they are. */
export async function refreshFileHistory(
  files: Files,
  layout: Layout,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const repository = findRepository(layout.workspace);
  const head = repository && findHead(repository);
  if (repository === undefined || head === undefined) return explainNoHistory(layout.workspace);
  try {
    await keepHistory(repository, { files, path: historyPathOf(layout), signal });
  } catch (error) {
    const isDenied = error instanceof Deno.errors.NotCapable ||
      error instanceof Deno.errors.PermissionDenied ||
      (error instanceof CtxError && error.code === "DENIED");
    // In a read-only place what was kept before still serves.
    if (isDenied) {
      return "newer commits could not be read here: run ctx suggest on the command line";
    }
    if (!(error instanceof GitDamage || error instanceof GitSpent)) throw error;
    return `the git repository cannot be read (${error.message}): changes are unknown`;
  }
}
