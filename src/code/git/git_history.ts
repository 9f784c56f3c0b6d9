// Walks the history from HEAD and tells which files each commit changed. Bounded: the newest commits
// are what suggestions are about. Merges count as no change of their own. Throws GitDamage.

import { breathe } from "../../core/breathe.ts";
import { type GitCommit, parseCommit } from "./git_commit.ts";
import { type GitBudget, GitDamage, GitMissing, GitSpent } from "./git_object.ts";
import { GitObjects } from "./git_objects.ts";
import { findHead, type GitRepository } from "./git_repository.ts";
import { diffTrees, type TreeChange } from "./git_tree.ts";
import { isBinary } from "./file_hash.ts";
import { markLines } from "./line_marks.ts";
import { isWorded } from "./is_worded.ts";

/** A commit and the files it changed, relative to the workspace. */
export interface CommitFacts {
  oid: string;
  /** Milliseconds since the epoch. */
  ts: number;
  subject: string;
  files: string[];
  /** The commit changed more files than are listed. */
  large?: boolean;
  /** Marks of the lines that it wrote, by file; only of commits that are about a few files. */
  lines?: Record<string, number[]>;
}

/** How far to walk. */
export interface HistoryOptions {
  maxCommits: number;
  /** Commits known already: the walk stops at them. */
  known?: ReadonlySet<string>;
  /** Told of each known commit that the walk met. */
  onKnown?: (oid: string) => void;
  signal?: AbortSignal;
  /** What may be unpacked; as much as is good for a repository when it is not said. */
  budget?: GitBudget;
}

const maxFiles = 200;
const maxCommitBytes = 1 << 20;
/** Lines are read of commits with at most this many files, and of the newest commits only. */
const maxLinedFiles = 12;
const maxLinedCommits = 400;
const maxBlobBytes = 256 << 10;
const maxLines = 120;

/** The commits reachable from HEAD that are not known yet, newest first. */
export async function readHistory(
  repository: GitRepository,
  options: HistoryOptions,
): Promise<CommitFacts[]> {
  const head = findHead(repository);
  if (head === undefined) return [];
  using objects = new GitObjects(repository, head.length / 2, options.budget);
  const pending = new Map<string, GitCommit>();
  const seen = new Set<string>(options.known);
  const add = (oid: string): void => {
    if (options.known?.has(oid)) options.onKnown?.(oid);
    if (seen.has(oid)) return;
    seen.add(oid);
    const commit = findCommit(objects, oid);
    if (commit !== undefined) pending.set(oid, commit);
  };
  const found: CommitFacts[] = [];
  try {
    add(head);
    if (pending.size === 0 && !options.known?.has(head)) {
      throw new GitDamage("the commit of HEAD is not there");
    }
    while (pending.size > 0 && found.length < options.maxCommits) {
      await breathe(options.signal);
      options.signal?.throwIfAborted();
      const [oid, commit] = takeNewest(pending);
      commit.parents.forEach(add);
      const lined = found.length < maxLinedCommits;
      const { committer: { ts }, subject } = commit;
      found.push({ oid, ts, subject, ...changesOf(objects, commit, { repository, lined }) });
    }
  } catch (error) {
    // The newest commits are worth more than none.
    if (!(error instanceof GitSpent) || found.length === 0) throw error;
  }
  return found;
}

function takeNewest(pending: Map<string, GitCommit>): [string, GitCommit] {
  let best: [string, GitCommit] | undefined;
  for (const item of pending) {
    if (best === undefined || item[1].committer.ts > best[1].committer.ts) best = item;
  }
  pending.delete(best![0]);
  return best!;
}

function findCommit(objects: GitObjects, oid: string): GitCommit | undefined {
  const object = objects.find(oid, maxCommitBytes);
  if (object === undefined) return undefined;
  if (object.kind !== "commit") throw new GitDamage("a commit is none");
  return parseCommit(object.data);
}

function changesOf(
  objects: GitObjects,
  commit: GitCommit,
  { repository, lined }: { repository: GitRepository; lined: boolean },
): Pick<CommitFacts, "files" | "large" | "lines"> {
  if (commit.parents.length > 1) return { files: [] };
  const parent = commit.parents[0] === undefined
    ? undefined
    : findCommit(objects, commit.parents[0]);
  if (commit.parents.length === 1 && parent === undefined) return { files: [] };
  const { prefix } = repository;
  const changes: TreeChange[] = [];
  try {
    diffTrees(objects, { before: parent?.tree, after: commit.tree, prefix }, (change) => {
      changes.push({ ...change, path: change.path.slice(prefix.length) });
      return changes.length <= maxFiles;
    });
  } catch (error) {
    // A clone without its directories knows nothing of older changes.
    if (!(error instanceof GitMissing)) throw error;
    return { files: [] };
  }
  const files = changes.map(({ path }) => path);
  if (files.length > maxFiles) return { files: files.slice(0, maxFiles), large: true };
  if (!lined || files.length > maxLinedFiles) return { files };
  return { files, lines: linesOf(objects, changes) };
}

/** The lines that a commit wrote: those that were not in the file before. */
function linesOf(objects: GitObjects, changes: TreeChange[]): Record<string, number[]> {
  const lines: Record<string, number[]> = {};
  for (const { path, before, after } of changes) {
    if (!isWorded(path)) continue;
    const now = readText(objects, after?.oid);
    if (now === undefined) continue;
    const old = new Set(markLines((readText(objects, before?.oid) ?? "").split("\n")));
    const fresh = markLines(now.split("\n")).filter((mark) => !old.has(mark));
    if (fresh.length > 0) lines[path] = fresh.slice(0, maxLines);
  }
  return lines;
}

function readText(objects: GitObjects, oid: string | undefined): string | undefined {
  const data = oid === undefined ? undefined : objects.find(oid, maxBlobBytes)?.data;
  if (data === undefined || data.length > maxBlobBytes || isBinary(data)) return undefined;
  return new TextDecoder().decode(data);
}
