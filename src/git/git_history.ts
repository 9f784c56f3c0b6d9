// Walks the history from HEAD and tells which files each commit changed. Bounded: the newest commits
// are what suggestions are about. Merges count as no change of their own. Throws GitDamage.

import { breathe } from "../core/breathe.ts";
import { type GitBudget, GitDamage, GitSpent } from "./git_object.ts";
import { GitObjects } from "./git_objects.ts";
import { findHead, type GitRepository } from "./git_repository.ts";
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
const maxParents = 100;
const maxCommitBytes = 1 << 20;
/** Trees that are compared for one commit; more are a way of going round in circles. */
const maxTrees = 5000;
const maxDepth = 200;
const maxSeconds = 8.64e12;
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
  const pending = new Map<string, Commit>();
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
      const { ts, subject } = commit;
      found.push({ oid, ts, subject, ...changesOf(objects, commit, { repository, lined }) });
    }
  } catch (error) {
    // The newest commits are worth more than none.
    if (!(error instanceof GitSpent) || found.length === 0) throw error;
  }
  return found;
}

interface Commit {
  tree: string;
  parents: string[];
  ts: number;
  subject: string;
}

function takeNewest(pending: Map<string, Commit>): [string, Commit] {
  let best: [string, Commit] | undefined;
  for (const item of pending) if (best === undefined || item[1].ts > best[1].ts) best = item;
  pending.delete(best![0]);
  return best!;
}

function findCommit(objects: GitObjects, oid: string): Commit | undefined {
  const object = objects.find(oid, maxCommitBytes);
  if (object === undefined) return undefined;
  if (object.kind !== "commit") throw new GitDamage("a commit is none");
  const text = new TextDecoder().decode(object.data);
  const end = text.indexOf("\n\n");
  const head = text.slice(0, end);
  const seconds = Number(/^committer .* (\d+) [+-]\d{4}$/m.exec(head)?.[1] ?? 0);
  return {
    tree: /^tree ([0-9a-f]+)$/m.exec(head)?.[1] ?? "",
    parents: [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].slice(0, maxParents)
      .map((match) => match[1]),
    ts: seconds <= maxSeconds ? seconds * 1000 : 0,
    subject: text.slice(end + 2).split("\n", 1)[0].slice(0, 200),
  };
}

function changesOf(
  objects: GitObjects,
  commit: Commit,
  { repository, lined }: { repository: GitRepository; lined: boolean },
): Pick<CommitFacts, "files" | "large" | "lines"> {
  if (commit.parents.length > 1) return { files: [] };
  const parent = commit.parents[0] === undefined
    ? undefined
    : findCommit(objects, commit.parents[0]);
  if (commit.parents.length === 1 && parent === undefined) return { files: [] };
  const changes: FileChange[] = [];
  const { prefix } = repository;
  const pair = { before: parent?.tree, after: commit.tree, path: "", depth: 0, prefix };
  diffTrees(objects, pair, { changes, trees: 0 });
  const files = changes.map(({ path }) => path);
  if (files.length > maxFiles) return { files: files.slice(0, maxFiles), large: true };
  if (!lined || files.length > maxLinedFiles) return { files };
  return { files, lines: linesOf(objects, changes) };
}

/** The lines that a commit wrote: those that were not in the file before. */
function linesOf(objects: GitObjects, changes: FileChange[]): Record<string, number[]> {
  const lines: Record<string, number[]> = {};
  for (const { path, before, after } of changes) {
    if (!isWorded(path)) continue;
    const now = readText(objects, after);
    if (now === undefined) continue;
    const old = new Set(markLines((readText(objects, before) ?? "").split("\n")));
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

interface FileChange {
  path: string;
  before?: string;
  after?: string;
}

interface TreePair {
  before?: string;
  after?: string;
  path: string;
  depth: number;
  prefix: string;
}

interface TreeDiff {
  changes: FileChange[];
  trees: number;
}

/** Adds the files that differ between two trees; equal subtrees are never read. */
function diffTrees(objects: GitObjects, pair: TreePair, diff: TreeDiff): void {
  if (diff.changes.length > maxFiles) return;
  if (++diff.trees > maxTrees || pair.depth > maxDepth) {
    throw new GitDamage("its directories do not end");
  }
  const before = readTree(objects, pair.before);
  const after = readTree(objects, pair.after);
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(name);
    const now = after.get(name);
    if (old?.oid === now?.oid) continue;
    const path = pair.path + name;
    const oids = { before: old?.oid, after: now?.oid };
    if (old?.isTree || now?.isTree) {
      const inside = `${path}/`.startsWith(pair.prefix) || pair.prefix.startsWith(`${path}/`);
      if (!old?.isTree) oids.before = undefined;
      if (!now?.isTree) oids.after = undefined;
      const next = { ...pair, ...oids, path: `${path}/`, depth: pair.depth + 1 };
      if (inside) diffTrees(objects, next, diff);
    } else if (path.startsWith(pair.prefix)) {
      diff.changes.push({ path: path.slice(pair.prefix.length), ...oids });
    }
  }
}

function readTree(
  objects: GitObjects,
  oid: string | undefined,
): Map<string, { oid: string; isTree: boolean }> {
  const entries = new Map<string, { oid: string; isTree: boolean }>();
  const object = oid === undefined ? undefined : objects.find(oid);
  if (object === undefined) return entries;
  const { kind, data } = object;
  const oidBytes = oid!.length / 2;
  for (let at = 0; at < data.length;) {
    const space = data.indexOf(32, at);
    const zero = data.indexOf(0, space);
    const next = zero + 1 + oidBytes;
    if (kind !== "tree" || space < 0 || zero < 0 || next > data.length) {
      throw new GitDamage("a directory is damaged");
    }
    const name = new TextDecoder().decode(data.subarray(space + 1, zero));
    const isTree = data[at] === 52;
    if (!isOddName(name)) entries.set(name, { oid: data.subarray(zero + 1, next).toHex(), isTree });
    at = next;
  }
  return entries;
}

/** Names that git refuses to check out: they would lead elsewhere. */
function isOddName(name: string): boolean {
  return name === "" || name === "." || name === ".." || name.includes("/");
}
