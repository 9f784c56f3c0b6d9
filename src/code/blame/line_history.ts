// What happened to a file, newest first: the commits that changed it with the lines they added and
// removed, back to a time. Renames are followed. Bounded.

import { breathe } from "../../core/breathe.ts";
import { isBinary } from "../git/file_hash.ts";
import { GitProblem } from "../git/git_problem.ts";
import type { GitRepository } from "../git/git_repository.ts";
import { diffTrees, type TreeChange } from "../git/git_tree.ts";
import { findRenamed } from "./blame_lines.ts";
import type { ChangedLine } from "./changes_of.ts";
import { type CommitDetails, toDetails } from "./commit_details.ts";
import { diffHunks } from "../../core/lines/line_hunks.ts";
import { openHead } from "./open_repository.ts";
import type { PathHistory } from "./path_history.ts";
import { madeAndRemoved, pairRenames } from "./pair_renames.ts";
import { isFile, type PathVersion, PathWalk, takeNewest } from "./path_walk.ts";
import { TextLines } from "../../core/lines/text_lines.ts";
import { toProblem } from "./to_problem.ts";

export interface LineHistoryOptions {
  /** Commits before this time, in milliseconds, are not looked at. */
  since?: number;
  /** Versions of the file that are looked at. */
  maxVersions?: number;
  /** The kept history, which makes it fast. */
  history?: PathHistory;
  /** Used in its place where there is one: it stays open, and what it read is read once. */
  walk?: PathWalk;
  signal?: AbortSignal;
}

/** A commit that changed a file, and what it did there. */
export interface LineChange {
  commit: CommitDetails;
  /** The file's path in that commit, from the repository's root. */
  path: string;
  /** Set when the commit gave the file another name: what is left of it is there. */
  renamedTo?: string;
  /** Runs of lines: what was removed, and what came in its place. */
  hunks: { removed: ChangedLine[]; added: ChangedLine[] }[];
}

const defaultVersions = 500;
const maxBlobBytes = 2 << 20;
const maxChars = 2000;

/**
 * The changes of a file from HEAD back, newest first; a path from the repository's root, also of a file
 * that is gone. A merge is told only where it differs from all of its parents. The generator returns
 * "end" when it came to the beginning or to `since`, "cut" when it stopped before that.
 */
export async function* lineHistory(
  repository: GitRepository,
  path: string,
  { since = 0, maxVersions = defaultVersions, signal, ...options }: LineHistoryOptions = {},
): AsyncGenerator<LineChange, "end" | "cut" | GitProblem> {
  const head = openHead(repository);
  if (head instanceof GitProblem) return head;
  try {
    const { history } = options;
    using opened = options.walk === undefined
      ? new PathWalk(repository, { oidBytes: head.length / 2, history })
      : undefined;
    const walk = options.walk ?? opened!;
    const pending = new Map<string, PathVersion>();
    const seen = new Set<string>();
    const add = (version: PathVersion | undefined): void => {
      const key = `${version?.commit} ${version?.path}`;
      if (version === undefined || seen.has(key)) return;
      seen.add(key);
      pending.set(key, version);
    };
    add(walk.versionAt(head, path) ?? removedVersion(walk, head, path));
    for (let left = maxVersions; pending.size > 0; left--) {
      await breathe(signal);
      if (left === 0) return "cut";
      const [, version] = takeNewest(pending, ({ commit }) => walk.rankOf(commit))!;
      const commit = walk.commit(version.commit);
      if (commit.committer.ts < since) continue;
      const before = versionsBefore(walk, version);
      before.forEach(add);
      const hunks = hunksBetween(walk, before, version);
      const renamedTo = version.blob === "" ? findNewName(walk, version) : undefined;
      if (hunks.length === 0 && renamedTo === undefined) continue;
      const details = toDetails(version.commit, commit);
      yield { commit: details, path: version.path, ...renamedTo && { renamedTo }, hunks };
    }
    return "end";
  } catch (error) {
    return toProblem(error);
  }
}

/** A file that is gone, as a version without content. */
function removedVersion(walk: PathWalk, head: string, path: string): PathVersion | undefined {
  const commit = walk.findRemoval(head, path);
  return commit === undefined ? undefined : { commit, path, blob: "" };
}

function versionsBefore(walk: PathWalk, { commit, path, blob }: PathVersion): PathVersion[] {
  return walk.parents(commit).map((parent) =>
    walk.versionAt(parent, path) ??
      (blob === "" ? undefined : findRenamed(walk, { commit, parent, path }))
  ).filter((version) => version !== undefined);
}

/** What a version has otherwise than the one before it; of a merge, than all before it. */
function hunksBetween(
  walk: PathWalk,
  [first, ...others]: PathVersion[],
  version: PathVersion,
): LineChange["hunks"] {
  const [old, now] = [first?.blob ?? "", version.blob].map((blob) => readText(walk, blob));
  const elsewhere = others.map(({ blob }) => {
    const lines = readText(walk, blob);
    return new Set(Array.from({ length: lines.count }, (_, line) => lines.textOf(line)));
  });
  const take = (lines: TextLines, from: number, count: number): ChangedLine[] =>
    Array.from({ length: count }, (_, i) => ({
      line: from + i + 1,
      text: lines.textOf(from + i).slice(0, maxChars),
    }));
  return diffHunks(old, now).map(({ from, removed, to, added }) => ({
    removed: take(old, from, removed).filter(({ text }) => elsewhere.every((set) => set.has(text))),
    added: take(now, to, added).filter(({ text }) => !elsewhere.some((set) => set.has(text))),
  })).filter(({ removed, added }) => removed.length + added.length > 0);
}

/** The name that a file got in the commit that removed it. */
function findNewName(walk: PathWalk, { commit, path }: PathVersion): string | undefined {
  const [parent] = walk.parents(commit);
  const entry = parent === undefined ? undefined : walk.entryAt(parent, path);
  if (entry === undefined || !isFile(entry)) return undefined;
  const trees = { before: walk.commit(parent).tree, after: walk.commit(commit).tree };
  const changes: TreeChange[] = [];
  diffTrees(walk.objects, trees, (change) => void changes.push(change));
  const renames = pairRenames(walk.objects, madeAndRemoved(changes));
  return [...renames].find(([, old]) => old === path)?.[0];
}

/** A version as lines; nothing for one that is gone, too large or no text. */
function readText(walk: PathWalk, blob: string): TextLines {
  const data = blob === "" ? undefined : walk.objects.find(blob, maxBlobBytes)?.data;
  if (data === undefined || isBinary(data)) return new TextLines(new Uint8Array());
  let lines = read.get(data);
  if (lines === undefined) read.set(data, lines = new TextLines(data));
  return lines;
}

/** Each version is compared with the one before and the one after it. */
const read = new WeakMap<Uint8Array, TextLines>();
