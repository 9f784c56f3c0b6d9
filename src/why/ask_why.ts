// Why a line or a commit is so: from the work tree back to the commit that wrote the line, to the session
// that wrote the commit, to the words that led to it. Every question has an answer; where it is "unknown",
// it says because of what.

import { blameLines } from "../git/blame/blame_lines.ts";
import { changesOf } from "../git/blame/changes_of.ts";
import { openRepository } from "../git/blame/open_repository.ts";
import type { PathHistory } from "../git/blame/path_history.ts";
import { resolveCommit } from "../git/blame/resolve_commit.ts";
import { GitProblem } from "../git/git_problem.ts";
import type { GitRepository } from "../git/git_repository.ts";
import type { LineTable } from "../index/lines/line_table.ts";
import type { Store } from "../store/store.ts";
import { attribute } from "./attribute_change.ts";
import { attributeLine, type LineAttribution, mainEdit } from "./attribute_line.ts";
import { type Change, toChange } from "./change.ts";
import { toAnswer, unknown, type WhyAnswer } from "./why_answer.ts";

/** What is asked, and with what. */
export interface WhyOptions {
  table: LineTable;
  cwd: string;
  now: number;
  history?: PathHistory;
  signal?: AbortSignal;
}

/** So many commits of one file are looked into, those with most lines first. */
const maxCommits = 12;
const maxAnswers = 20;
/** A line is told by part of a large commit, too. */
const forLines = { maxFiles: 400, maxLines: 10_000 };
const maxFileBytes = 8 << 20;
/** Without history a file is all there is. */
const withoutHistory = new Set(["no-git", "no-commits", "untracked", "ignored"]);

/** Says whose a file, its lines or a commit are. */
export async function askWhy(
  store: Store,
  target: string,
  options: WhyOptions,
): Promise<WhyAnswer[]> {
  const { path, from, to } = parseTarget(target);
  const repository = openRepository(store.layout.workspace);
  const file = path.startsWith("/") ? path : `${options.cwd}/${path}`;
  const isFile = from !== undefined || findInfo(file) !== undefined || /[/\\.]/.test(path);
  if (!isFile || /^HEAD\b/.test(target)) {
    if (repository instanceof GitProblem) return [toUnknown(repository)];
    const oid = resolveCommit(repository, target);
    if (!(oid instanceof GitProblem)) return [await askCommit(store, repository, oid, options)];
    if (oid.reason !== "no-such-commit" || /^HEAD\b/.test(target)) return [toUnknown(oid)];
    return [unknown(`there is no file and no commit "${target}"`, "ctx why FILE:LINE")];
  }
  return await askLines(store, { repository, file, name: path, from, to }, options);
}

/** `FILE`, `FILE:LINE` or `FILE:LINE-LINE`. */
function parseTarget(target: string): { path: string; from?: number; to?: number } {
  const match = /^(.+?):(\d{1,9})(?:[-,](\d{1,9}))?$/.exec(target);
  if (match === null) return { path: target };
  const from = Number(match[2]);
  return { path: match[1], from, to: Number(match[3] ?? from) };
}

function toUnknown({ message, hint }: GitProblem): WhyAnswer {
  return unknown(message[0].toLowerCase() + message.slice(1), hint);
}

async function askCommit(
  store: Store,
  repository: GitRepository,
  oid: string,
  { table, signal }: WhyOptions,
): Promise<WhyAnswer> {
  const changes = await changesOf(repository, oid, { signal });
  if (changes instanceof GitProblem) return { ...toUnknown(changes), commit: oid };
  const change = toChange(changes);
  const whole = attribute(table, change);
  const { best, because = "", confidence } = whole;
  const answer = best === undefined ? unknown(because) : await toAnswer(store, {
    session: best.session,
    claim: mainEdit(best),
    by: "commit",
    confidence,
    whole,
  });
  return { ...answer, ...commitFacts(changes.commit) };
}

function commitFacts(
  { oid, subject, author, committer }: {
    oid: string;
    subject: string;
    author: { name: string };
    committer: { ts: number };
  },
): Partial<WhyAnswer> {
  const committed = new Date(committer.ts).toISOString();
  return { commit: oid, subject, author: author.name, committed };
}

interface Asked {
  repository: GitRepository | GitProblem;
  /** Absolute, and as it was given. */
  file: string;
  name: string;
  from?: number;
  to?: number;
}

/** A line of the file: its number, and in which commit and file it was written. */
interface OwnLine {
  line: number;
  commit?: string;
  path: string;
}

async function askLines(store: Store, asked: Asked, options: WhyOptions): Promise<WhyAnswer[]> {
  const { repository, file, name, from, to } = asked;
  const blame = repository instanceof GitProblem
    ? repository
    : await blameLines(repository, file, { from, to, ...options });
  if (blame instanceof GitProblem && !withoutHistory.has(blame.reason)) {
    return [{ ...toUnknown(blame), path: name }];
  }
  if (blame instanceof GitProblem && !isWithin(file, store.layout.workspace)) {
    return [{ ...unknown(`"${name}" is not in this workspace`), path: name }];
  }
  const text = readFile(file);
  if (text === undefined) return [{ ...unknown(`"${name}" cannot be read as text`), path: name }];
  const texts = text.split("\n");
  const lines: OwnLine[] = blame instanceof GitProblem
    ? rangeOf(texts, asked).map((line) => ({ line, path: name }))
    : blame.lines.map(({ line, commit, commitPath }) => ({ line, commit, path: commitPath }));
  if (lines.length === 0) {
    const count = texts.at(-1) === "" ? texts.length - 1 : texts.length;
    return [{ ...unknown(`"${name}" has ${count} lines, and no line ${from}`), path: name }];
  }
  const groups = [...Map.groupBy(lines, ({ commit }) => commit)]
    .sort((a, b) => b[1].length - a[1].length);
  const answers: WhyAnswer[] = [];
  for (const [commit, own] of groups.slice(0, maxCommits)) {
    options.signal?.throwIfAborted();
    answers.push(...await askGroup(store, { ...asked, commit, own, texts }, options));
  }
  const left = groups.slice(maxCommits);
  if (left.length > 0) {
    const rest = left.flatMap(([, own]) => own.map(({ line }) => line));
    const because = `${left.length} more commits have them; ask for fewer lines`;
    answers.push({ ...unknown(because), path: name, lines: toRanges(rest) });
  }
  return answers.slice(0, maxAnswers);
}

/** The lines of a file that one commit wrote, or that are in none yet. */
async function askGroup(
  store: Store,
  { repository, file, name, commit, own, texts }: Asked & {
    commit?: string;
    own: OwnLine[];
    texts: string[];
  },
  { table, now, signal }: WhyOptions,
): Promise<WhyAnswer[]> {
  const changes = commit === undefined || repository instanceof GitProblem
    ? undefined
    : await changesOf(repository, commit, { ...forLines, signal });
  const lines = { lines: toRanges(own.map(({ line }) => line)), path: name };
  if (changes instanceof GitProblem) return [{ ...toUnknown(changes), ...lines, commit }];
  const { path } = own[0];
  const added = own.map(({ line }) => texts[line - 1] ?? "");
  const written = findInfo(file)?.mtime?.getTime() ?? now;
  const change: Change = changes === undefined
    ? { authored: written, committed: now, files: [] }
    : toChange(changes);
  let changed = change.files.find((one) => one.path === path);
  if (changed === undefined) change.files.push(changed = { path, added, removed: [] });
  const whole = attribute(table, change);
  const facts = changes === undefined ? {} : commitFacts(changes.commit);
  const found = new Map<string, { attribution: LineAttribution; lines: number[] }>();
  for (const { line } of own) {
    const asked = { text: texts[line - 1] ?? "", file: changed, change };
    const attribution = attributeLine(table, asked, whole);
    const { session, claim } = attribution;
    const key = JSON.stringify([session, claim?.place]);
    const known = found.get(key);
    if (known === undefined) found.set(key, { attribution, lines: [line] });
    else known.lines.push(line);
  }
  const answers: WhyAnswer[] = [];
  const most = [...found.values()].sort((a, b) => b.lines.length - a.lines.length);
  for (const { attribution, lines } of most.slice(0, maxAnswers)) {
    const { session, claim, by, confidence, because = "" } = attribution;
    const answer = session === undefined || by === "nothing"
      ? unknown(because)
      : await toAnswer(store, { session, claim, path, by, confidence, whole });
    answers.push({ ...answer, path: name, lines: toRanges(lines), ...facts });
  }
  return answers;
}

/** The numbers of the lines that are asked for. */
function rangeOf(texts: string[], { from = 1, to = texts.length }: Asked): number[] {
  const end = Math.min(to, texts.at(-1) === "" ? texts.length - 1 : texts.length);
  return Array.from({ length: Math.max(0, end - from + 1) }, (_, i) => from + i)
    .filter((line) => line >= 1);
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

function findInfo(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

function isWithin(file: string, workspace: string): boolean {
  try {
    return Deno.realPathSync(file).startsWith(`${Deno.realPathSync(workspace)}/`);
  } catch {
    return false;
  }
}

function readFile(path: string): string | undefined {
  const info = findInfo(path);
  if (info === undefined || !info.isFile || info.size > maxFileBytes) return undefined;
  try {
    const text = Deno.readTextFileSync(path);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
