// What git says of code that changed: the commit that took lines away, and the name that a file has
// now. Loaded when something changed. Reads only; where git cannot tell, nothing is told.

import { lineHistory } from "../blame/line_history.ts";
import { openRepository } from "../blame/open_repository.ts";
import { isFile, PathWalk } from "../blame/path_walk.ts";
import { historyPathOf, openHistory, type PathHistory } from "../blame/path_history.ts";
import { toProblem } from "../blame/to_problem.ts";
import { blobName, isBinary } from "../git/file_hash.ts";
import { type IndexEntry, readIndex } from "../git/git_index.ts";
import { GitDamage } from "../git/git_object.ts";
import { GitProblem } from "../git/git_problem.ts";
import {
  findBranch,
  findHead,
  findRealPath,
  findRef,
  type GitRepository,
} from "../git/git_repository.ts";
import type { Store } from "../../store/store.ts";
import { normalLine } from "./normal_line.ts";

/** A commit, and when it was made. */
export interface ChangeCommit {
  commit: string;
  since: string;
}

/** What is asked of the history of a file. */
export interface HistoryQuestion {
  /** Commits before this time are not looked at. */
  sinceMs: number;
  /** Whether a line is one of those that went. */
  isLine: (text: string) => boolean;
}

const maxVersions = 60;
/** A file that was renamed more often is not followed further. */
const maxNames = 4;
/** So many files that are not there are looked for commit by commit, where no history is kept. */
const maxSought = 64;
const maxFileBytes = 2 << 20;
/** People save what they decided, then commit the edit: a commit within this time is that one. */
const soonMs = 12 * 3_600_000;

/** The history of one workspace; close it. */
export class CodeHistory implements Disposable {
  readonly #repository?: GitRepository;
  readonly #history?: PathHistory;
  readonly #names = new Map<string, Promise<string[]>>();
  readonly #isWalked: boolean = false;
  #walk?: PathWalk;
  #index?: Map<string, IndexEntry>;
  #sought = 0;

  constructor(store: Store, { isPatient = false }: { isPatient?: boolean } = {}) {
    const repository = openRepository(store.layout.workspace);
    if (repository instanceof GitProblem) return;
    this.#repository = repository;
    this.#history = openHistory(store.files, historyPathOf(store.layout));
    this.#isWalked = isPatient || this.#history !== undefined || isSmall(repository);
  }

  /** The newest commit since a time that took one of some lines away. */
  async findEnd(
    path: string,
    { sinceMs, isLine }: HistoryQuestion,
  ): Promise<ChangeCommit | undefined> {
    for await (const { commit, hunks } of this.#changes(path, sinceMs)) {
      const isMoved = hunks.some(({ added }) => added.some(({ text }) => isLine(text)));
      if (isMoved || !hunks.some(({ removed }) => removed.some(({ text }) => isLine(text)))) {
        continue;
      }
      return { commit: commit.oid, since: new Date(commit.committer.ts).toISOString() };
    }
    return undefined;
  }

  /** Those of some lines that were in a file at a time or later; undefined where git does not know it. */
  async findTaken(
    path: string,
    { sinceMs, lines }: { sinceMs: number; lines: ReadonlySet<string> },
  ): Promise<Set<string> | undefined> {
    const head = this.#readText(path);
    if (head === undefined && this.findLeave(path, sinceMs) === undefined) return undefined;
    const taken = new Set<string>();
    const take = (text: string): void => {
      const line = normalLine(text);
      if (line !== undefined && lines.has(line)) taken.add(line);
    };
    head?.split("\n").forEach(take);
    for await (const { hunks } of this.#changes(path, sinceMs)) {
      for (const { removed } of hunks) removed.forEach(({ text }) => take(text));
    }
    return taken;
  }

  /**
   * How a file that is not in the work tree went since a time: by a commit, or by none yet. Undefined
   * where git does not know it, it went before, or was moved without a commit.
   */
  findLeave(path: string, sinceMs: number): Partial<ChangeCommit> | undefined {
    return this.#ask(path, ({ walk, head, place }) => {
      const entry = walk.findEntry(head, place);
      if (entry) return isFile(entry) && !this.#isMoved(path, entry.oid) ? {} : undefined;
      if (this.#history === undefined && ++this.#sought > maxSought) return undefined;
      const commit = walk.findRemoval(head, place, { since: sinceMs });
      if (commit === undefined) return undefined;
      const before = walk.entryAt(walk.parents(commit)[0], place);
      const { ts } = walk.commit(commit).committer;
      if (before === undefined || !isFile(before) || ts < sinceMs) return undefined;
      return { commit, since: new Date(ts).toISOString() };
    });
  }

  /** Whether there is a repository to ask. */
  get hasGit(): boolean {
    return this.#repository !== undefined;
  }

  /** Whether git ever had a file; undefined where it cannot tell, or not quickly. */
  knows(path: string): boolean | undefined {
    if (this.#useIndex().has(path)) return true;
    return this.#ask(path, ({ walk, head, place }) => {
      if (walk.findEntry(head, place)) return true;
      if (this.#history === undefined && ++this.#sought > maxSought) return undefined;
      return walk.findRemoval(head, place) !== undefined;
    });
  }

  /** The name that a file has now which a commit renamed, as git tells it. */
  async findRenamed(path: string): Promise<string | undefined> {
    let name: string | undefined;
    for (let left = maxNames; left > 0; left--) {
      const next = await this.#renamed(name ?? path);
      if (next === undefined) break;
      name = next;
    }
    return name;
  }

  /** The text of a file as it was at a time, or in a commit soon after; undefined where git has none. */
  async findText(path: string, atMs: number): Promise<string | undefined> {
    let first: { oid: string; committer: { ts: number } } | undefined;
    for await (const { commit } of this.#changes(path, atMs)) first = commit;
    const isSoon = first !== undefined && first.committer.ts - atMs <= soonMs;
    return this.#readText(path, { [isSoon ? "at" : "before"]: first?.oid });
  }

  /** The text of a file at HEAD, at a commit or before one; undefined where it is not there. */
  #readText(path: string, { at, before }: { at?: string; before?: string } = {}) {
    return this.#ask(path, ({ walk, head, place }) => {
      const commit = before === undefined ? at ?? head : walk.parents(before)[0];
      const entry = commit === undefined ? undefined : walk.findEntry(commit, place);
      if (entry === undefined || !isFile(entry)) return undefined;
      const data = walk.objects.find(entry.oid, maxFileBytes)?.data;
      return data === undefined || isBinary(data) ? "" : new TextDecoder().decode(data);
    });
  }

  /** Asks git of a file; undefined where there is none that answers, or not quickly. */
  #ask<T>(
    path: string,
    question: (at: { walk: PathWalk; head: string; place: string }) => T,
  ): T | undefined {
    if (this.#repository === undefined || !this.#isWalked) return undefined;
    try {
      const head = findHead(this.#repository);
      const walk = this.#walk ??= this.#openWalk(this.#repository);
      if (head === undefined || walk === undefined) return undefined;
      return question({ walk, head, place: `${this.#repository.prefix}${path}` });
    } catch (error) {
      toProblem(error);
      return undefined;
    }
  }

  /** Whether a file that HEAD has may be elsewhere, or was never checked out. */
  #isMoved(path: string, oid: string): boolean {
    const { gitDirectory } = this.#repository!;
    if (findRealPath(`${gitDirectory}/info/sparse-checkout`) !== undefined) return true;
    if (this.#namesakes(path).some((other) => other !== path)) return true;
    return [...this.#useIndex()].some(([other, its]) => other !== path && its.oid === oid);
  }

  /** Whether a branch is there that is not checked out, while no commit since a time knows some lines. */
  async isElsewhere(
    branch: string,
    { path, sinceMs, isLine }: HistoryQuestion & { path: string },
  ): Promise<boolean> {
    const repository = this.#repository;
    if (repository === undefined || findBranch(repository) === branch) return false;
    if (findRef(repository, `refs/heads/${branch}`) === undefined) return false;
    // Without the history nobody knows whether it was merged, and what nobody knows is not told.
    if (!this.#isWalked) return true;
    for await (const { hunks } of this.#changes(path, sinceMs)) {
      const isKnown = hunks.some(({ added, removed }) =>
        [...added, ...removed].some(({ text }) => isLine(text))
      );
      if (isKnown) return false;
    }
    return true;
  }

  /** Names that a file which is gone may have now: git's word first, then files of the same name. */
  findNames(path: string): Promise<string[]> {
    let names = this.#names.get(path);
    if (names === undefined) this.#names.set(path, names = this.#follow(path));
    return names;
  }

  /** Whether a file is as git has it: then its time tells when it was checked out, not when it changed. */
  async isUnchanged(path: string): Promise<boolean> {
    if (this.#repository === undefined) return false;
    const { root, prefix } = this.#repository;
    const oid = this.#useIndex().get(path)?.oid;
    if (oid === undefined) return false;
    const bytes = Deno.readFileSync(`${root}/${prefix}${path}`);
    return await blobName(bytes, oid.length / 2) === oid;
  }

  async #follow(path: string): Promise<string[]> {
    const name = await this.findRenamed(path);
    return [...(name === undefined ? [] : [name]), ...this.#namesakes(path)];
  }

  async #renamed(path: string): Promise<string | undefined> {
    for await (const { renamedTo } of this.#changes(path, 0)) {
      const prefix = this.#repository?.prefix ?? "";
      return renamedTo?.startsWith(prefix) ? renamedTo.slice(prefix.length) : undefined;
    }
    return undefined;
  }

  /** Files of git's index in other directories; a name that many have says nothing. */
  #namesakes(path: string): string[] {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const found = [...this.#useIndex().keys()].filter((other) =>
      other.endsWith(`/${name}`) || other === name
    );
    return found.length > maxNames ? [] : found;
  }

  #useIndex(): Map<string, IndexEntry> {
    return this.#index ??= this.#repository === undefined
      ? new Map()
      : readEntries(this.#repository);
  }

  async *#changes(path: string, since: number) {
    if (this.#repository === undefined || !this.#isWalked) return;
    const walk = this.#walk ??= this.#openWalk(this.#repository);
    const options = { since, maxVersions, walk };
    yield* lineHistory(this.#repository, `${this.#repository.prefix}${path}`, options);
  }

  /** One for all questions: rows that are found together often speak of one file. */
  #openWalk(repository: GitRepository): PathWalk | undefined {
    const head = findHead(repository);
    try {
      const options = { oidBytes: (head ?? "").length / 2, history: this.#history };
      return head === undefined ? undefined : new PathWalk(repository, options);
    } catch (error) {
      // What is wrong is said where it is read.
      if (error instanceof GitDamage) return undefined;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#walk?.[Symbol.dispose]();
    this.#history?.[Symbol.dispose]();
  }
}

/** Whether all of a history is read in a moment. */
function isSmall({ commonDirectory }: GitRepository): boolean {
  try {
    const directory = `${commonDirectory}/objects/pack`;
    const packs = [...Deno.readDirSync(directory)].filter(({ name }) => name.endsWith(".pack"));
    const size = (name: string): number => Deno.statSync(`${directory}/${name}`).size;
    return packs.reduce((sum, { name }) => sum + size(name), 0) <= smallBytes;
  } catch {
    return false;
  }
}

const smallBytes = 1 << 20;

/** The files of git's index within the workspace. */
function readEntries({ gitDirectory, prefix }: GitRepository): Map<string, IndexEntry> {
  for (const oidBytes of [20, 32]) {
    try {
      const own = [...readIndex(gitDirectory, oidBytes)].filter(([path]) =>
        path.startsWith(prefix)
      );
      return new Map(own.map(([path, entry]) => [path.slice(prefix.length), entry]));
    } catch (error) {
      if (!(error instanceof GitDamage)) throw error;
    }
  }
  return new Map();
}
