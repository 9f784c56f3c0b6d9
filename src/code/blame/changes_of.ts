// What a commit changed against its first parent: files, and the lines that it added and removed.
// Bounded in files, lines and bytes; what was passed over is named with its reason.

import { breathe } from "../../core/breathe.ts";
import { isBinary } from "../git/file_hash.ts";
import type { GitObjects } from "../git/git_objects.ts";
import type { GitProblem } from "../git/git_problem.ts";
import type { GitRepository } from "../git/git_repository.ts";
import { diffTrees, type TreeChange, type TreeEntry } from "../git/git_tree.ts";
import { type CommitDetails, toDetails } from "./commit_details.ts";
import { diffHunks } from "../../core/lines/line_hunks.ts";
import { madeAndRemoved, pairRenames } from "./pair_renames.ts";
import { isFile, PathWalk } from "./path_walk.ts";
import { TextLines } from "../../core/lines/text_lines.ts";
import { toProblem } from "./to_problem.ts";

/** A line that was added or removed, with its number in the new or the old file. */
export interface ChangedLine {
  line: number;
  text: string;
}

export interface FileChanges {
  /** From the repository's root. */
  path: string;
  oldPath?: string;
  kind: "added" | "removed" | "changed" | "renamed";
  added: ChangedLine[];
  removed: ChangedLine[];
  /** Why no lines are told. */
  passedOver?: "binary" | "huge" | "submodule" | "missing" | "beyond";
  /** The content, by its name in git: what changed when no lines are told. */
  blob?: string;
}

export interface CommitChanges {
  commit: CommitDetails;
  files: FileChanges[];
  /** The commit changed more than is told: files are missing, or the lines of some. */
  isCut: boolean;
}

/** How much is told. */
export interface ChangesOptions {
  /** Files that are listed. */
  maxFiles?: number;
  /** Lines that are told in all. */
  maxLines?: number;
  /** Larger files are passed over. */
  maxBytes?: number;
  /** Characters of a line; the rest of a longer one is left out. */
  maxChars?: number;
  /** This file is told first, and in any case. */
  first?: string;
  signal?: AbortSignal;
}

/** What a commit, by its whole name, changed against its first parent. */
export async function changesOf(
  repository: GitRepository,
  oid: string,
  options: ChangesOptions = {},
): Promise<CommitChanges | GitProblem> {
  try {
    using walk = new PathWalk(repository, { oidBytes: oid.length / 2 });
    return await readChanges(walk, { oid, ...options });
  } catch (error) {
    return toProblem(error);
  }
}

/** As `changesOf`, for many commits of one repository: what they share is read once. */
export async function readChanges(
  walk: PathWalk,
  { oid, maxFiles = 5000, maxLines = 50_000, maxBytes = 2 << 20, maxChars = 2000, first, signal }:
    & ChangesOptions
    & { oid: string },
): Promise<CommitChanges> {
  const commit = walk.commit(oid);
  const [parent] = commit.parents;
  const trees = { before: parent && walk.commit(parent).tree, after: commit.tree };
  const changes = first === undefined ? [] : findChange(walk, { oid, parent, path: first });
  let isCut = false;
  diffTrees(walk.objects, trees, (change) => {
    if (changes.length >= maxFiles) isCut = true;
    else if (change.path !== first) changes.push(change);
    return !isCut;
  });
  const found: CommitChanges = { commit: toDetails(oid, commit), files: [], isCut };
  let left = maxLines;
  for (const change of withRenames(walk.objects, changes)) {
    await breathe(signal);
    const file = toFile(change);
    found.files.push(file);
    const lines = left > 0 ? readLines(walk.objects, change, { maxBytes, maxChars }) : "beyond";
    if (typeof lines === "string") file.passedOver = lines;
    else if (lines.added.length + lines.removed.length > left) file.passedOver = "beyond";
    else {
      Object.assign(file, lines);
      left -= lines.added.length + lines.removed.length;
    }
    if (file.passedOver === "beyond") found.isCut = true;
  }
  return found;
}

function findChange(
  walk: PathWalk,
  { oid, parent, path }: { oid: string; parent?: string; path: string },
): TreeChange[] {
  const before = parent === undefined ? undefined : walk.entryAt(parent, path);
  const after = walk.entryAt(oid, path);
  return before?.oid === after?.oid ? [] : [{ path, before, after }];
}

interface PairedChange extends TreeChange {
  oldPath?: string;
}

function withRenames(objects: GitObjects, changes: TreeChange[]): PairedChange[] {
  const { made, removed } = madeAndRemoved(changes);
  if (made.length === 0 || removed.length === 0) return changes;
  const renames = pairRenames(objects, { made, removed });
  const gone = new Set(renames.values());
  const entries = new Map(removed.map(({ path, entry }) => [path, entry]));
  return changes.filter(({ path, after }) => after !== undefined || !gone.has(path))
    .map((change) => {
      const oldPath = change.before === undefined ? renames.get(change.path) : undefined;
      return oldPath === undefined ? change : { ...change, oldPath, before: entries.get(oldPath) };
    });
}

function toFile({ path, oldPath, before, after }: PairedChange): FileChanges {
  const kind = oldPath !== undefined
    ? "renamed"
    : before === undefined
    ? "added"
    : after === undefined
    ? "removed"
    : "changed";
  const names = { path, ...oldPath !== undefined && { oldPath } };
  return { ...names, kind, added: [], removed: [], ...after && { blob: after.oid } };
}

function readLines(
  objects: GitObjects,
  { before, after }: TreeChange,
  { maxBytes, maxChars }: { maxBytes: number; maxChars: number },
): Pick<FileChanges, "added" | "removed"> | NonNullable<FileChanges["passedOver"]> {
  const [old, now] = [before, after].map((entry) => readText(objects, entry, maxBytes));
  if (typeof old === "string") return old;
  if (typeof now === "string") return now;
  const added: ChangedLine[] = [];
  const removed: ChangedLine[] = [];
  const take = (lines: TextLines, line: number): ChangedLine => {
    return { line: line + 1, text: lines.textOf(line).slice(0, maxChars) };
  };
  for (const hunk of diffHunks(old, now)) {
    for (let i = 0; i < hunk.removed; i++) removed.push(take(old, hunk.from + i));
    for (let i = 0; i < hunk.added; i++) added.push(take(now, hunk.to + i));
  }
  return { added, removed };
}

function readText(
  objects: GitObjects,
  entry: TreeEntry | undefined,
  maxBytes: number,
): TextLines | NonNullable<FileChanges["passedOver"]> {
  if (entry === undefined) return new TextLines(new Uint8Array());
  if (!isFile(entry)) return "submodule";
  const data = objects.find(entry.oid, maxBytes)?.data;
  if (data === undefined) return objects.has(entry.oid) ? "huge" : "missing";
  return isBinary(data) ? "binary" : new TextLines(data);
}
