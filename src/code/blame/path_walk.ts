// Goes back through the history of single files: which commit made the version that another commit
// has, and what that version was made from. Reads commits and the directories on the way to a file;
// where the kept history (`path_history.ts`) knows a commit, that is asked instead. Throws GitDamage,
// GitMissing for what a partial clone does not have, GitSpent.

import { IndexDamage } from "../../disk/byte_source.ts";
import { type GitCommit, parseCommit } from "../git/git_commit.ts";
import { commitCycle, type GitBudget, GitDamage } from "../git/git_object.ts";
import { GitObjects } from "../git/git_objects.ts";
import { findTextIn, type GitRepository } from "../git/git_repository.ts";
import { fileMode, findInTree, moduleMode, type TreeEntry, treeMode } from "../git/git_tree.ts";
import type { PathHistory } from "./path_history.ts";

/** A version of a file: the commit that made it, its path there, and its content. */
export interface PathVersion {
  commit: string;
  path: string;
  blob: string;
}

export interface WalkOptions {
  oidBytes: number;
  history?: PathHistory;
  budget?: GitBudget;
}

const maxCommitBytes = 1 << 20;
/** What is not kept is newer than what is. */
const unknownRank = 2 ** 40;
/** Commits that are looked through for the one that removed a file. */
const maxSearched = 20_000;
const maxShallowBytes = 8 << 20;
const encoder = new TextEncoder();

/** The history of files, going back; close it. */
export class PathWalk implements Disposable {
  readonly objects: GitObjects;
  #history?: PathHistory;
  readonly #shallow: Set<string>;
  readonly #commits = new Map<string, GitCommit>();
  readonly #entries = new Map<string, TreeEntry | undefined>();
  readonly #names = new Map<string, Uint8Array[]>();

  constructor(repository: GitRepository, { oidBytes, history, budget }: WalkOptions) {
    this.objects = new GitObjects(repository, oidBytes, budget);
    this.#history = history;
    this.#shallow = readShallow(repository);
  }

  [Symbol.dispose](): void {
    this.objects[Symbol.dispose]();
  }

  /** Asks the kept history; one that turns out to be damaged is not asked again. */
  #ask<T>(question: (history: PathHistory) => T | undefined): T | undefined {
    try {
      return this.#history && question(this.#history);
    } catch (error) {
      if (!(error instanceof IndexDamage)) throw error;
      this.#history = undefined;
      return undefined;
    }
  }

  /** Whether the history was cut off behind a commit when it was cloned. */
  isShallow(oid: string): boolean {
    return this.#shallow.has(oid);
  }

  /** A commit; throws GitMissing when it is not there. */
  commit(oid: string): GitCommit {
    let commit = this.#commits.get(oid);
    if (commit === undefined) {
      commit = readCommit(this.objects, oid);
      if (this.#shallow.has(oid)) commit = { ...commit, parents: [] };
      this.#commits.set(oid, commit);
    }
    return commit;
  }

  parents(oid: string): string[] {
    return this.#ask((history) => history.findParents(oid)) ?? this.commit(oid).parents;
  }

  /** Larger for a commit than for any that came before it. */
  rankOf(oid: string): number {
    return this.#ask((history) => history.has(oid) ? history.findId(oid) : undefined) ??
      unknownRank + this.commit(oid).committer.ts;
  }

  /** What a path stands for in a commit, or undefined. */
  entryAt(oid: string, path: string): TreeEntry | undefined {
    return this.#entryIn(this.commit(oid).tree, path, 0);
  }

  /** As `entryAt`, from the kept history where it knows the file: its mode is not kept there. */
  findEntry(oid: string, path: string): TreeEntry | undefined {
    const kept = this.#keptVersion(oid, path);
    const isKept = typeof kept === "object" && "blob" in kept;
    return isKept ? { mode: fileMode, oid: kept.blob } : this.entryAt(oid, path);
  }

  /** What is kept of a version; `outside` is where nothing more is. */
  #keptVersion(oid: string, path: string): ReturnType<PathHistory["findVersion"]> {
    return this.#ask((history) => history.findVersion(oid, path));
  }

  #entryIn(tree: string, path: string, depth: number): TreeEntry | undefined {
    const key = `${tree}${depth}:${path}`;
    if (this.#entries.has(key)) return this.#entries.get(key);
    const names = this.#namesOf(path);
    const found = findInTree(this.objects, tree, names[depth]);
    const entry = depth === names.length - 1 || found === undefined
      ? found
      : found.mode === treeMode
      ? this.#entryIn(found.oid, path, depth + 1)
      // What is inside a submodule belongs to another repository.
      : found.mode === moduleMode
      ? found
      : undefined;
    this.#entries.set(key, entry);
    return entry;
  }

  #namesOf(path: string): Uint8Array[] {
    let names = this.#names.get(path);
    if (names === undefined) {
      names = path.split("/").map((name) => encoder.encode(name));
      this.#names.set(path, names);
    }
    return names;
  }

  /** The version of a file that a commit has; undefined when it has no such file. */
  versionAt(oid: string, path: string): PathVersion | undefined {
    const seen = new Set<string>();
    let [commit, blob] = [oid, ""];
    while (true) {
      if (seen.has(commit)) throw commitCycle();
      seen.add(commit);
      const kept = this.#keptVersion(commit, path);
      if (kept === "absent") return undefined;
      if (kept !== undefined && !("outside" in kept)) return { ...kept, path };
      if (kept !== undefined) commit = kept.outside;
      if (blob === "") {
        const entry = this.entryAt(commit, path);
        if (entry === undefined || !isFile(entry)) return undefined;
        blob = entry.oid;
      }
      const same = this.parents(commit).find((parent) => this.entryAt(parent, path)?.oid === blob);
      if (same === undefined) return { commit, path, blob };
      commit = same;
    }
  }

  /**
   * The commit at or before one that does not have a file which removed it; undefined for none. What is
   * before a time, in milliseconds, need not be looked at.
   */
  findRemoval(oid: string, path: string, { since = 0 } = {}): string | undefined {
    const seen = new Set<string>();
    const pending = [oid];
    for (
      let at = pending.shift();
      at !== undefined && seen.size < maxSearched;
      at = pending.shift()
    ) {
      if (seen.has(at)) continue;
      seen.add(at);
      const kept = this.#ask((history) => history.findRemoval(at, path));
      if (kept === "none") continue;
      if (kept !== undefined) return kept;
      if (since > 0 && this.commit(at).committer.ts < since) continue;
      const parents = this.parents(at);
      const without = parents.filter((parent) => this.entryAt(parent, path) === undefined);
      if (parents.length > 0 && without.length === 0) return at;
      pending.push(...without);
    }
    return undefined;
  }
}

/** Takes the item with the highest rank out of some that wait; undefined when none does. */
export function takeNewest<T>(
  pending: Map<string, T>,
  rankOf: (item: T, key: string) => number,
): [key: string, item: T] | undefined {
  let best: [string, T] | undefined;
  let most = -Infinity;
  for (const [key, item] of pending) {
    const rank = pending.size === 1 ? 0 : rankOf(item, key);
    if (best === undefined || rank > most) [best, most] = [[key, item], rank];
  }
  if (best !== undefined) pending.delete(best[0]);
  return best;
}

/** Whether an entry is a file or a link, which have content. */
export function isFile({ mode }: TreeEntry): boolean {
  return mode !== treeMode && mode !== moduleMode;
}

/** Reads a commit; throws GitMissing when it is not there. */
export function readCommit(objects: GitObjects, oid: string): GitCommit {
  const object = objects.find(oid, maxCommitBytes);
  if (object === undefined) throw objects.explain(oid, "a commit");
  if (object.kind !== "commit") throw new GitDamage("a commit is none");
  return parseCommit(object.data);
}

/** The commits behind which a clone was cut off. */
export function readShallow({ commonDirectory }: GitRepository): Set<string> {
  const text = findTextIn(commonDirectory, "shallow", maxShallowBytes) ?? "";
  return new Set(text.split("\n").filter((line) => line !== ""));
}
