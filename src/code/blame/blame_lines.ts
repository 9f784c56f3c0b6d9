// Which commit wrote each line of a file, as `git blame` tells: from the work tree back through the
// versions of the file, renames included, until every line that was asked for is found. A line that is
// in no commit yet belongs to none.

import { breathe } from "../../core/breathe.ts";
import { isBotCommit } from "../git/git_commit.ts";
import { commitCycle, GitMissing, GitOversized, GitSpent } from "../git/git_object.ts";
import { GitProblem } from "../git/git_problem.ts";
import type { GitRepository } from "../git/git_repository.ts";
import { diffTrees } from "../git/git_tree.ts";
import { diffHunks, type LineHunk } from "../../core/lines/line_hunks.ts";
import { pairRenames, type PlacedFile } from "./pair_renames.ts";
import { openHead } from "./open_repository.ts";
import type { PathHistory } from "./path_history.ts";
import { isFile, type PathVersion, PathWalk, takeNewest } from "./path_walk.ts";
import { alignEnds } from "./align_ends.ts";
import { TextLines } from "../../core/lines/text_lines.ts";
import { toProblem } from "./to_problem.ts";
import { openWorkFile, type WorkFile } from "./work_file.ts";

export interface BlameOptions {
  /** The first and the last line, from 1; the whole file when they are not said. */
  from?: number;
  to?: number;
  /** What the file is called in messages; else as it is given. */
  name?: string;
  /** Blames the file of a commit, not that of the work tree. */
  at?: string;
  /** The kept history, which makes it fast. */
  history?: PathHistory;
  /** Used in its place where there is one: it stays open. */
  walk?: PathWalk;
  signal?: AbortSignal;
}

export interface BlamedLine {
  /** In the file that was asked for, from 1. */
  line: number;
  /** Undefined: not committed yet. */
  commit?: string;
  /** The line's number in that commit, and the file's path there, from the repository's root. */
  commitLine: number;
  commitPath: string;
}

export interface BlamedCommit {
  /** When it was written and when it was committed, in milliseconds. */
  authored: number;
  committed: number;
  author: string;
  email: string;
  subject: string;
  isBot: boolean;
  isMerge: boolean;
  /** The lines may be older: the clone ends here, or has not all of its objects. */
  cutOff?: "shallow" | "missing" | "oversized" | "too-much";
}

/** The lines of a file and who wrote them. */
export interface Blame {
  /** From the repository's root. */
  path: string;
  /** How many lines the file has. */
  count: number;
  lines: BlamedLine[];
  /** The text of a line of the file, by its number from 1. */
  textOf(line: number): string;
  commits: Map<string, BlamedCommit>;
  /** What git is in the middle of: its lines are not committed yet. */
  state?: WorkFile["state"];
  /** What to know about the answer, in sentences. */
  notes: string[];
}

/** Who wrote the lines of a file of the workspace, or why that is unknown. */
export async function blameLines(
  repository: GitRepository,
  path: string,
  options: BlameOptions = {},
): Promise<Blame | GitProblem> {
  try {
    const head = options.at ?? openHead(repository);
    if (head instanceof GitProblem) return head;
    const { history, at } = options;
    using opened = options.walk === undefined
      ? new PathWalk(repository, { oidBytes: head.length / 2, history })
      : undefined;
    const walk = options.walk ?? opened!;
    const { name = path } = options;
    const file = await openWorkFile(repository, path, { walk, head, at, name });
    if (file instanceof GitProblem) return file;
    const { from = 1, to = file.lines.count } = options;
    const isPast = from > file.lines.count && !(from === 1 && options.from === undefined);
    if (isPast || from < 1 || to < from && options.to !== undefined) {
      const lines = `${file.lines.count} ${file.lines.count === 1 ? "line" : "lines"}`;
      return new GitProblem("past-end", `"${name}" has ${lines}, no line ${from}`);
    }
    const search = new BlameSearch(walk, file);
    await search.run({ from: from - 1, to: Math.min(to, file.lines.count) }, options.signal);
    return search.toBlame();
  } catch (error) {
    return toProblem(error);
  }
}

/** Lines that may come from a version: their numbers in the file that is asked for, and in it. */
interface Suspect {
  version: PathVersion;
  finals: number[];
  heres: number[];
}

const maxTextBytes = 48 << 20;

class BlameSearch {
  readonly #walk: PathWalk;
  readonly #file: WorkFile;
  readonly #pending = new Map<string, Suspect>();
  /** Versions that were looked at, and from the second time on for which lines. */
  readonly #visits = new Map<string, Set<number> | undefined>();
  readonly #found = new Map<number, BlamedLine>();
  readonly #cutOff = new Map<string, BlamedCommit["cutOff"]>();
  readonly #texts = new Map<string, TextLines>();
  #textBytes = 0;

  constructor(walk: PathWalk, file: WorkFile) {
    this.#walk = walk;
    this.#file = file;
  }

  async run({ from, to }: { from: number; to: number }, signal?: AbortSignal): Promise<void> {
    const finals = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
    this.#start(finals);
    while (this.#pending.size > 0) {
      await breathe(signal);
      const suspect = this.#takeNewest();
      try {
        this.#pass(suspect);
      } catch (error) {
        const cutOff = error instanceof GitOversized
          ? "oversized"
          : error instanceof GitMissing
          ? "missing"
          : error instanceof GitSpent
          ? "too-much"
          : undefined;
        if (cutOff === undefined) throw error;
        this.#cutOff.set(suspect.version.commit, cutOff);
        this.#settle(suspect);
      }
    }
  }

  /** From the work tree to HEAD, and in a merge to what is merged. */
  #start(finals: number[]): void {
    const { lines, parents, path, version } = this.#file;
    if (version !== undefined) return this.#push(version, finals, finals);
    const versions = parents.map((parent) =>
      this.#walk.versionAt(parent, path) ?? this.#file.findRenamed(parent)
    ).filter((found) => found !== undefined);
    let left = { finals, heres: finals };
    const isMerge = versions.length > 1;
    for (const found of isMerge ? sortSame(versions, (blob) => this.#isSame(blob)) : versions) {
      const [old, now] = alignEnds(this.#textOf(found.blob), lines);
      const options = { isForBlame: true, asked: left.heres };
      left = this.#hand(found, left, diffHunks(old, now, options));
    }
    left.finals.forEach((line, i) => {
      const commitLine = left.heres[i] + 1;
      this.#found.set(line, { line: line + 1, commitLine, commitPath: path });
    });
  }

  #isSame(blob: string): boolean {
    const [{ bytes: a }, { bytes: b }] = [this.#textOf(blob), this.#file.lines];
    return a.length === b.length && a.every((byte, i) => byte === b[i]);
  }

  /** Hands lines to the parents that have them; the rest was written here. */
  #pass(suspect: Suspect): void {
    const { version } = suspect;
    const before = this.#versionsBefore(version);
    if (before.length === 1 && before[0].blob === version.blob) {
      return this.#push(before[0], suspect.finals, suspect.heres);
    }
    let left: Omit<Suspect, "version"> = suspect;
    for (const found of before) {
      if (left.finals.length === 0) return;
      left = this.#hand(found, left, this.#compare(found, version, left));
    }
    this.#settle({ version, ...left });
  }

  #compare(
    before: PathVersion,
    after: PathVersion,
    { heres }: Omit<Suspect, "version">,
  ): LineHunk[] {
    const options = { isForBlame: true, asked: heres };
    return diffHunks(this.#textOf(before.blob), this.#textOf(after.blob), options);
  }

  /** The versions that a version was made from: one that is equal, else each that differs. */
  #versionsBefore({ commit, path, blob }: PathVersion): PathVersion[] {
    const parents = this.#walk.parents(commit);
    if (parents.length === 0 && this.#walk.isShallow(commit)) this.#cutOff.set(commit, "shallow");
    const found = parents.map((parent) => this.#walk.versionAt(parent, path));
    parents.forEach((parent, i) => {
      found[i] ??= findRenamed(this.#walk, { commit, parent, path });
    });
    const versions = found.filter((version) => version !== undefined);
    return sortSame(versions, (other) => other === blob);
  }

  #hand(
    version: PathVersion,
    { finals, heres }: Omit<Suspect, "version">,
    hunks: LineHunk[],
  ): Omit<Suspect, "version"> {
    const passed: Omit<Suspect, "version"> = { finals: [], heres: [] };
    const left: Omit<Suspect, "version"> = { finals: [], heres: [] };
    let [at, shift] = [0, 0];
    for (let i = 0; i < heres.length; i++) {
      const here = heres[i];
      for (; at < hunks.length && hunks[at].to + hunks[at].added <= here; at++) {
        shift += hunks[at].removed - hunks[at].added;
      }
      const isOwn = at < hunks.length && hunks[at].to <= here;
      const target = isOwn ? left : passed;
      target.finals.push(finals[i]);
      target.heres.push(isOwn ? here : here + shift);
    }
    if (passed.finals.length > 0) this.#push(version, passed.finals, passed.heres);
    return left;
  }

  #push(version: PathVersion, finals: number[], heres: number[]): void {
    const key = `${version.commit} ${version.path}`;
    const known = this.#pending.get(key);
    if (known === undefined) {
      this.#pending.set(key, { version, finals, heres });
      return;
    }
    const joined = [...known.finals, ...finals].map((line, i) => ({
      line,
      here: i < known.heres.length ? known.heres[i] : heres[i - known.heres.length],
    })).sort((a, b) => a.here - b.here);
    known.finals = joined.map(({ line }) => line);
    known.heres = joined.map(({ here }) => here);
  }

  #settle({ version: { commit, path }, finals, heres }: Suspect): void {
    finals.forEach((line, i) => {
      const blamed = { line: line + 1, commit, commitLine: heres[i] + 1, commitPath: path };
      this.#found.set(line, blamed);
    });
  }

  /** Children before parents: lines that reach a version on two ways are then looked at once. */
  #takeNewest(): Suspect {
    const [key, suspect] = takeNewest(
      this.#pending,
      ({ version }) => this.#walk.rankOf(version.commit),
    )!;
    this.#noteVisit(key, suspect);
    return suspect;
  }

  /** A line takes one way back: one that comes to a version again and again is in a cycle. */
  #noteVisit(key: string, { finals }: Suspect): void {
    if (!this.#visits.has(key)) return void this.#visits.set(key, undefined);
    const lines = this.#visits.get(key);
    if (lines !== undefined && finals.some((line) => lines.has(line))) throw commitCycle();
    this.#visits.set(key, new Set([...lines ?? [], ...finals]));
  }

  #textOf(blob: string): TextLines {
    let text = this.#texts.get(blob);
    if (text !== undefined) return text;
    const object = this.#walk.objects.find(blob);
    if (object === undefined) {
      throw this.#walk.objects.explain(blob, "an older version of the file");
    }
    text = new TextLines(object.data);
    if (this.#textBytes > maxTextBytes) {
      this.#texts.clear();
      this.#textBytes = 0;
    }
    this.#texts.set(blob, text);
    this.#textBytes += object.data.length;
    return text;
  }

  toBlame(): Blame {
    const lines = [...this.#found.values()].sort((a, b) => a.line - b.line);
    const commits = new Map<string, BlamedCommit>();
    for (const { commit } of lines) {
      if (commit === undefined || commits.has(commit)) continue;
      const { author, committer, subject, parents } = this.#walk.commit(commit);
      const cutOff = this.#cutOff.get(commit);
      commits.set(commit, {
        authored: author.ts,
        committed: committer.ts,
        author: author.name,
        email: author.email,
        subject,
        isBot: isBotCommit({ author }),
        isMerge: parents.length > 1,
        ...cutOff && { cutOff },
      });
    }
    const { path, state, notes } = this.#file;
    const count = this.#file.lines.count;
    return {
      path,
      count,
      lines,
      textOf: (line) => this.#file.lines.textOf(line - 1),
      commits,
      ...state && { state },
      notes: [...notes, ...this.#said()],
    };
  }

  #said(): string[] {
    const words = {
      shallow: "the clone is shallow: lines from its oldest commit may be older",
      missing: "the clone is partial: lines whose history was not fetched may be older",
      oversized: "an older version or commit is too large to read: lines may be older",
      "too-much":
        "the history is too long: lines from the oldest commit that was read may be older",
    };
    return [...new Set(this.#cutOff.values())].filter((kind) => kind !== undefined)
      .map((kind) => words[kind]);
  }
}

/** A version with the same content takes all; else those that differ, each content once. */
function sortSame(versions: PathVersion[], isSame: (blob: string) => boolean): PathVersion[] {
  const same = versions.find(({ blob }) => isSame(blob));
  if (same !== undefined) return [same];
  return versions.filter(({ blob }, i) => versions.findIndex((one) => one.blob === blob) === i);
}

/** The version that a file was renamed from in a commit, or undefined. */
export function findRenamed(
  walk: PathWalk,
  { commit, parent, path }: { commit: string; parent: string; path: string },
): PathVersion | undefined {
  const removed: PlacedFile[] = [];
  const trees = { before: walk.commit(parent).tree, after: walk.commit(commit).tree };
  diffTrees(walk.objects, trees, (change) => {
    if (change.before !== undefined && change.after === undefined && isFile(change.before)) {
      removed.push({ path: change.path, entry: change.before });
    }
  });
  const entry = walk.entryAt(commit, path);
  if (entry === undefined || removed.length === 0) return undefined;
  const old = pairRenames(walk.objects, { made: [{ path, entry }], removed }).get(path);
  return old === undefined ? undefined : walk.versionAt(parent, old);
}
