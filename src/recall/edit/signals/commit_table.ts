// The recent history as derived data: commits by the files they changed. Refreshed when HEAD moves;
// a commit is read from git once.

import type { Files } from "../../../disk/files.ts";
import type { Layout } from "../../../disk/layout.ts";
import type { CommitFacts } from "../../../code/git/git_history.ts";
import { GitDamage, GitSpent } from "../../../code/git/git_object.ts";
import {
  explainNoHistory,
  findHead,
  findRepository,
  type GitRepository,
} from "../../../code/git/git_repository.ts";
import { encodeTable, openTable, type RecordTable } from "../tables/record_table.ts";

/** How many commits are kept. */
export const maxCommits = 2000;

interface CommitMeta {
  version: number;
  head: string;
}

const version = 2;

/** Commits by file, newest first; close it. */
export class CommitTable implements Disposable {
  readonly #table: RecordTable;

  constructor(table: RecordTable) {
    this.#table = table;
  }

  /** The newest commits that changed a file. */
  findByFile(path: string, limit = 100): CommitFacts[] {
    return this.#table.find(`f:${path}`).slice(0, limit)
      .map((id) => this.#table.read(id) as CommitFacts);
  }

  /** How many commits changed a file. */
  countByFile(path: string): number {
    return this.#table.countOf(`f:${path}`);
  }

  /** How many commits are not older than a time. */
  countSince(ts: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#table.read(middle) as CommitFacts).ts >= ts) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How many commits are known. */
  get count(): number {
    return this.#table.count;
  }

  [Symbol.dispose](): void {
    this.#table[Symbol.dispose]();
  }
}

/** Opens the kept history, or returns undefined when there is none. */
export function openCommits(files: Files, layout: Layout): CommitTable | undefined {
  const table = openTable(files, pathOf(layout));
  return table === undefined ? undefined : new CommitTable(table);
}

/** Brings the kept history up to HEAD; returns why changes are unknown when they are. */
export async function refreshCommits(
  files: Files,
  layout: Layout,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const repository = findRepository(layout.workspace);
  const head = repository && findHead(repository);
  if (repository === undefined || head === undefined) return explainNoHistory(layout.workspace);
  try {
    await refreshFrom({ repository, head }, { files, layout, signal });
  } catch (error) {
    if (!(error instanceof GitDamage || error instanceof GitSpent)) throw error;
    return `the git repository cannot be read (${error.message}): changes are unknown`;
  }
}

async function refreshFrom(
  { repository, head }: { repository: GitRepository; head: string },
  { files, layout, signal }: { files: Files; layout: Layout; signal?: AbortSignal },
): Promise<void> {
  using table = openTable(files, pathOf(layout));
  const meta = table?.readMeta() as CommitMeta | undefined;
  if (meta?.version === version && meta.head === head) return;
  const usable = meta?.version === version ? table : undefined;
  const old = [...usable?.readAll() ?? []].map(([commit]) => commit as CommitFacts);
  const { readHistory } = await import("../../../code/git/git_history.ts");
  const known = new Set(old.map((commit) => commit.oid));
  let continued = false;
  const onKnown = (oid: string): void => {
    if (oid === meta?.head) continued = true;
  };
  const fresh = await readHistory(repository, { maxCommits, known, onKnown, signal });
  // A branch that was rewritten or left behind has commits that HEAD does not: then start over.
  const commits = continued && !known.has(head)
    ? [...fresh, ...old]
    : await readHistory(repository, { maxCommits, signal });
  const kept = commits.sort((a, b) => b.ts - a.ts).slice(0, maxCommits);
  files.makeDirectory(layout.index);
  const records = kept.map((commit) => ({ parts: [commit], keys: keysOf(commit) }));
  files.replace(pathOf(layout), encodeTable({ version, head }, records), { sync: false });
}

function* keysOf(commit: CommitFacts): Generator<string> {
  for (const path of commit.files) yield `f:${path}`;
}

function pathOf(layout: Layout): string {
  return `${layout.index}/graph.git.bin`;
}
