// Whose the lines of a file are: each is followed to the commit that wrote it, and with what that commit
// did around it to a session. Lines that are in no commit yet are known by themselves.

import { isAbsent } from "../../core/errors.ts";
import { findInfo, findRealPath, findSmallText } from "../../disk/outside_files.ts";
import { type BlamedCommit, blameLines } from "../blame/blame_lines.ts";
import { type CommitChanges, readChanges } from "../blame/changes_of.ts";
import { openHead } from "../blame/open_repository.ts";
import { PathWalk } from "../blame/path_walk.ts";
import { toProblem } from "../blame/to_problem.ts";
import { GitProblem } from "../git/git_problem.ts";
import type { GitRepository } from "../git/git_repository.ts";
import type { Store } from "../../store/store.ts";
import { attribute, isBeforeAll, unreadableDate } from "./attribute_change.ts";
import { attributeLine } from "./attribute_line.ts";
import { type Change, toChange } from "./change.ts";
import { openKeptHistory } from "./kept_history.ts";
import {
  commitFacts,
  explain,
  toAnswer,
  toCommitted,
  toOthers,
  toUnknown,
  unknown,
  type WhyOptions,
} from "./why_answer.ts";
import type { WhyAnswer } from "./why_row.ts";

export interface AskedLines {
  repository: GitRepository | GitProblem;
  /** The workspace, maybe that of another worktree. */
  workspace: string;
  /** Absolute, and as it was given. */
  file: string;
  name: string;
  from?: number;
  to?: number;
  limits?: AskLimits;
}

/** How many commits of a file are looked into, and how many answers there are at most. */
export interface AskLimits {
  commits: number;
  answers: number;
}

/** Those with most lines come first. */
const defaultLimits: AskLimits = { commits: 12, answers: 20 };
/** Of a commit the file itself is looked at, and as much of the rest. */
const forLines = { maxFiles: 12, maxLines: 800 };
/** So many lines of one commit are looked up one by one. */
const maxOwnLines = 2000;
const maxFileBytes = 8 << 20;
/** Without history a file is all there is. */
const withoutHistory = new Set(["no-git", "no-commits", "untracked", "ignored"]);

/** A line of the file: its number, and in which commit and file it was written. */
interface OwnLine {
  line: number;
  commit?: string;
  path: string;
}

/** The lines of a file, and what is known of the commits that wrote them. */
interface FoundLines {
  lines: OwnLine[];
  textOf: (line: number) => string;
  commits: ReadonlyMap<string, BlamedCommit>;
  notes: string[];
  walk?: PathWalk;
}

export async function askLines(
  store: Store,
  asked: AskedLines,
  options: WhyOptions,
): Promise<WhyAnswer[]> {
  using opened = new DisposableStack();
  const found = await findLines(store, asked, { ...options, opened });
  if (found instanceof GitProblem) return [{ ...toUnknown(found), path: asked.name }];
  const limits = asked.limits ?? defaultLimits;
  const groups = largestFirst(found.lines, ({ commit }) => commit);
  const answers: WhyAnswer[] = [];
  for (const [commit, own] of groups.slice(0, limits.commits)) {
    options.signal.throwIfAborted();
    answers.push(...await askGroup(store, { ...asked, ...found, commit, own }, options));
  }
  const left = groups.slice(limits.commits);
  if (left.length > 0) {
    const rest = left.flatMap(([, own]) => own.map(({ line }) => line));
    const because = `${left.length} more commits changed these lines; ask for fewer lines`;
    answers.push({ ...unknown(because), path: asked.name, lines: toRanges(rest) });
  }
  return answers.slice(0, limits.answers);
}

/** The lines by blame; of a file without history as they are there. */
async function findLines(
  store: Store,
  asked: AskedLines,
  { opened, signal, progress }: WhyOptions & { opened: DisposableStack },
): Promise<FoundLines | GitProblem> {
  const { repository, file, name, from, to } = asked;
  if (repository instanceof GitProblem) return findPlain(asked, repository);
  const head = openHead(repository);
  if (head instanceof GitProblem) return findPlain(asked, head);
  const kept = await openKeptHistory(store, { repository, head, signal, progress });
  const history = opened.use(kept);
  try {
    const walk = opened.use(new PathWalk(repository, { oidBytes: head.length / 2, history }));
    const blame = await blameLines(repository, file, { name, from, to, walk, signal });
    if (blame instanceof GitProblem) return findPlain(asked, blame);
    const lines = blame.lines.map(({ line, commit, commitPath }) => {
      return { line, commit, path: commitPath };
    });
    const empty = new GitProblem("past-end", `"${asked.name}" has no line`);
    return lines.length === 0 ? empty : { ...blame, lines, walk };
  } catch (error) {
    return toProblem(error);
  }
}

/** Whether a file is not there; one that may not be looked at is not missing. */
function isMissing(file: string): boolean {
  try {
    Deno.lstatSync(file);
    return false;
  } catch (error) {
    return isAbsent(error);
  }
}

function findPlain(
  { workspace, file, name, from = 1, to }: AskedLines,
  problem: GitProblem,
): FoundLines | GitProblem {
  if (!withoutHistory.has(problem.reason)) return problem;
  if (isMissing(file)) return new GitProblem("no-file", `There is no file "${name}"`);
  const root = findRealPath(workspace);
  if (root === undefined || !findRealPath(file)?.startsWith(`${root}/`)) {
    return new GitProblem("outside", `"${name}" is not in this workspace`);
  }
  const text = findSmallText(file, maxFileBytes);
  if (text === undefined || text.includes("\0")) {
    return new GitProblem("binary", `"${name}" cannot be read as text`);
  }
  const texts = text.split("\n");
  const count = texts.at(-1) === "" ? texts.length - 1 : texts.length;
  const lines = Array.from({ length: Math.max(0, Math.min(to ?? count, count) - from + 1) })
    .map((_, i) => ({ line: from + i, path: name })).filter(({ line }) => line >= 1);
  if (lines.length === 0) {
    const lines = `${count} ${count === 1 ? "line" : "lines"}`;
    return new GitProblem("past-end", `"${name}" has ${lines}, no line ${from}`);
  }
  return { lines, textOf: (line) => texts[line - 1] ?? "", commits: new Map(), notes: [] };
}

interface Group extends AskedLines, FoundLines {
  commit?: string;
  own: OwnLine[];
}

/** The lines of a file that one commit wrote, or that are in none yet. */
async function askGroup(
  store: Store,
  group: Group,
  { table, now, signal }: WhyOptions,
): Promise<WhyAnswer[]> {
  const { file, name, commit, own, textOf, commits, notes } = group;
  const { path } = own[0];
  const known = commit === undefined ? undefined : commits.get(commit);
  if (commit !== undefined && known !== undefined && isBeforeAll(table, known.committed)) {
    const lines = toRanges(own.map(({ line }) => line));
    const { subject, author, committed } = known;
    const because = committed === 0 ? unreadableDate : "it is older than the first recorded edit";
    const facts = { path: name, lines, commit, subject, author, ...toCommitted(committed) };
    return [{ ...explain(table, because), ...facts, ...toNote(notes) }];
  }
  // Where the history ends, its oldest commit seems to have written everything.
  const isCutOff = known?.cutOff !== undefined;
  const changes = isCutOff ? undefined : await findChanges(group, { ...forLines, signal });
  const lines = { lines: toRanges(own.map(({ line }) => line)), path: name };
  if (changes instanceof GitProblem) return [{ ...toUnknown(changes), ...lines, commit }];
  const change: Change = changes === undefined
    ? {
      authored: known?.authored ?? findInfo(file)?.mtime?.getTime() ?? now,
      committed: now,
      files: [],
    }
    : toChange(changes);
  let changed = change.files.find((one) => one.path === path);
  if (changed === undefined) change.files.push(changed = { path, added: [], removed: [] });
  if (changed.added.length === 0) {
    // It has more lines than are looked at, or is known by what the file has now.
    changed.added = own.slice(0, maxOwnLines).map(({ line }) => textOf(line));
  }
  const whole = attribute(table, change);
  const attributed = own.map(({ line }, i) => {
    const text = i < maxOwnLines ? textOf(line) : "";
    return { line, ...attributeLine(table, { text, file: changed, change }, whole) };
  });
  const facts: Partial<WhyAnswer> = {
    ...changes !== undefined && commitFacts(changes.commit),
    ...isCutOff && { commit },
    ...toNote(notes),
  };
  const answers: WhyAnswer[] = [];
  // One story for each session, however many edits it took.
  for (const [session, lines] of largestFirst(attributed, (one) => one.session)) {
    const edits = largestFirst(lines, ({ claim }) => JSON.stringify(claim?.place));
    const [{ because }] = lines;
    // Of what is known of its lines, what is known least.
    const [{ by, confidence }] = lines.toSorted((a, b) => a.confidence - b.confidence);
    const answer = session === undefined || by === "nothing"
      ? { ...explain(table, because), others: toOthers(whole) }
      : await toAnswer(store, {
        session,
        claims: edits.flatMap(([, [{ claim }]]) => claim ?? []),
        path,
        by,
        confidence,
        whole,
      });
    answers.push({
      ...answer,
      path: name,
      lines: toRanges(lines.map(({ line }) => line)),
      ...facts,
    });
  }
  return answers;
}

function largestFirst<T, K>(items: readonly T[], keyOf: (item: T) => K): [K, T[]][] {
  return [...Map.groupBy(items, keyOf)].sort((a, b) => b[1].length - a[1].length);
}

async function findChanges(
  { walk, commit, own }: Group,
  options: { maxFiles: number; maxLines: number; signal: AbortSignal },
): Promise<CommitChanges | GitProblem | undefined> {
  if (walk === undefined || commit === undefined) return undefined;
  try {
    return await readChanges(walk, { oid: commit, first: own[0].path, ...options });
  } catch (error) {
    return toProblem(error);
  }
}

function toNote(notes: string[]): { note?: string } {
  return notes.length === 0 ? {} : { note: notes.join("; ") };
}

/** Numbers as `3-5,9`. */
function toRanges(numbers: number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => from === to ? `${from}` : `${from}-${to}`).join(",");
}
