// What git says of code that changed: the commit that took lines away, and the name that a file has
// now. Loaded when something changed. Reads only; where git cannot tell, nothing is told.

import { lineHistory } from "../git/blame/line_history.ts";
import { openRepository } from "../git/blame/open_repository.ts";
import { PathWalk } from "../git/blame/path_walk.ts";
import { historyPathOf, openHistory, type PathHistory } from "../git/blame/path_history.ts";
import { type IndexEntry, readIndex } from "../git/git_index.ts";
import { GitDamage } from "../git/git_object.ts";
import { GitProblem } from "../git/git_problem.ts";
import { findHead, type GitRepository } from "../git/git_repository.ts";
import { IndexDamage } from "../pages/byte_source.ts";
import type { Store } from "../store/store.ts";

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

/** Versions of a file that are looked at. */
const maxVersions = 60;
/** A file that was renamed more often is not followed further. */
const maxNames = 4;

/** The history of one workspace; close it. */
export class CodeHistory implements Disposable {
  readonly #repository?: GitRepository;
  readonly #history?: PathHistory;
  readonly #names = new Map<string, Promise<string[]>>();
  readonly #isWalked: boolean = false;
  #walk?: PathWalk;
  #index?: Map<string, IndexEntry>;

  constructor(store: Store, { isPatient = false }: { isPatient?: boolean } = {}) {
    const repository = openRepository(store.layout.workspace);
    if (repository instanceof GitProblem) return;
    this.#repository = repository;
    this.#history = findHistory(store);
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
    this.#index ??= readEntries(this.#repository);
    const oid = this.#index.get(path)?.oid;
    if (oid === undefined) return false;
    const bytes = Deno.readFileSync(`${root}/${prefix}${path}`);
    const blob = new Blob([`blob ${bytes.length}\0`, bytes]);
    const kind = oid.length === 40 ? "SHA-1" : "SHA-256";
    const hash = await crypto.subtle.digest(kind, await blob.arrayBuffer());
    return new Uint8Array(hash).toHex() === oid;
  }

  async #follow(path: string): Promise<string[]> {
    const names: string[] = [];
    for (let left = maxNames; left > 0; left--) {
      const next = await this.#renamed(names[0] ?? path);
      if (next === undefined) break;
      names.unshift(next);
    }
    return [...names.slice(0, 1), ...this.#namesakes(path)];
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
    if (this.#repository === undefined) return [];
    this.#index ??= readEntries(this.#repository);
    const name = path.slice(path.lastIndexOf("/") + 1);
    const found = [...this.#index.keys()].filter((other) =>
      other.endsWith(`/${name}`) || other === name
    );
    return found.length > maxNames ? [] : found;
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

function findHistory({ files, layout }: Store): PathHistory | undefined {
  try {
    return openHistory(files, historyPathOf(layout));
  } catch (error) {
    if (error instanceof IndexDamage) return undefined;
    throw error;
  }
}
