// What reviewers of some commits should know. Goes from the commits to the edits that wrote their
// lines, to the exchanges of those edits, to what was asked, decided, dropped and left open there. Text
// leaves the store here, so every word goes through `toPublic`.

import { readSessionCatalog } from "../../store/session_catalog.ts";
import { CtxError } from "../../core/errors.ts";
import { findWorkTree } from "../../code/blame/find_work_tree.ts";
import { findDefaultBase, type NamedCommit } from "../../code/blame/default_base.ts";
import { readRange } from "../../code/blame/commit_range.ts";
import { openHead, openRepository } from "../../code/blame/open_repository.ts";
import { resolveCommit } from "../../code/blame/resolve_commit.ts";
import { GitProblem } from "../../code/git/git_problem.ts";
import type { GitRepository } from "../../code/git/git_repository.ts";
import { withLines } from "../../index/lines/line_table.ts";
import type { RecordRow } from "../distil/list_records.ts";
import { noteFresh, readFreshRecords } from "../review/fresh_records.ts";
import type { Store } from "../../store/store.ts";
import { type CommitWork, findCommitWork } from "./commit_work.ts";
import { findOwnExchanges, type OwnExchange } from "./own_exchanges.ts";
import { type Surroundings, toPublic } from "./public_text.ts";
import {
  type CommitFacts,
  onlyOnce,
  pickRecords,
  toAsked,
  toldTypes,
  toNotes,
} from "./own_notes.ts";
import { toMarkdown } from "./to_markdown.ts";
import type { PullRequest } from "./pr_shapes.ts";

/** What is asked, and what is known of the machine. */
export interface PullRequestOptions {
  /** The most lines of each kind. */
  limit: number;
  format: "markdown" | "html";
  /** `BASE`, or `BASE..HEAD` for commits that need not be checked out. */
  range?: string;
  /** The worktree that it is in is meant. */
  cwd: string;
  now: () => number;
  signal: AbortSignal;
  home?: string;
  host?: string;
}

/** More commits than this are no pull request. */
const maxCommits = 500;
/** Characters of a line, before it is escaped. */
const lineChars = 320;

/** Tells what is known of a branch. */
export async function describePullRequest(
  store: Store,
  options: PullRequestOptions,
): Promise<PullRequest> {
  const work = await findBranchWork(store, options);
  const { base, base_commit, head } = work;
  const facts = { ...base === undefined ? {} : { base, base_commit, head } };
  if ("because" in work) return { ...nothing(work.because), ...facts };
  return { ...await tell(store, work, options), ...facts };
}

/** The commits that are meant. */
interface BranchFacts {
  base?: string;
  base_commit?: string;
  head?: string;
}

interface BranchWork extends BranchFacts {
  found: CommitWork;
  exchanges: OwnExchange[];
  /** The only commit's subject, or the range. */
  title: string;
  /** Commits that are too many to look at. */
  beyond: number;
  around: Surroundings;
}

/** Finds the work behind the commits of a branch, or says why there is none. */
export async function findBranchWork(
  store: Store,
  options: Omit<PullRequestOptions, "limit" | "now" | "format">,
): Promise<BranchWork | BranchFacts & { because: string }> {
  const { signal, cwd } = options;
  const workspace = findWorkTree(store.layout.workspace, cwd);
  const repository = openRepository(workspace);
  const around = {
    home: options.home,
    host: options.host,
    roots: [workspace, store.layout.workspace],
  };
  if (repository instanceof GitProblem) return { because: explain(repository, around) };
  around.roots.push(repository.root);
  const asked = parseRange(options.range);
  const head = asked.head === undefined
    ? openHead(repository)
    : findCommit(repository, asked.head).oid;
  if (head instanceof GitProblem) return { because: explain(head, around) };
  const base = findBase(repository, asked.base);
  const facts = { base: base.name, base_commit: base.oid, head };
  const tip = asked.head ?? "HEAD";
  const range = await readRange(repository, { base: base.oid, head, maxCommits, signal });
  if (range instanceof GitProblem) return { because: explain(range, around), ...facts };
  if (range.mergeBase === undefined) {
    const cut = range.isShallow ? "; the clone is shallow (git fetch --unshallow)" : "";
    const because = `${tip} and ${base.name} have no commit in common here${cut}`;
    return { because: toPublic(because, { ...around, chars: lineChars }), ...facts };
  }
  if (range.count === 0) {
    const because = `${tip} has no commits that are not in ${base.name}`;
    return { because: toPublic(because, { ...around, chars: lineChars }), ...facts };
  }
  const found = await withLines(store, {
    signal,
    work: (table) => findCommitWork(repository, range.oids, { table, signal }),
  });
  const [only, ...more] = found.subjects.values();
  const title = only === undefined || more.length > 0 ? `${base.name}..${tip}` : only;
  const catalog = readSessionCatalog(store);
  const parentOf = (session: string): string | undefined => catalog.get(session)?.parent;
  const exchanges = await findOwnExchanges(store, found.parts, { parentOf });
  return { found, exchanges, title, beyond: range.count - range.oids.length, around, ...facts };
}

/** The branch or commit to compare with. */
function findBase(repository: GitRepository, asked: string | undefined): NamedCommit {
  if (asked === undefined) {
    const found = findDefaultBase(repository);
    if (found !== undefined) return found;
    throw new CtxError(
      "USAGE",
      "Cannot find the base branch: this branch has no upstream, and there is no origin/HEAD, main or master",
      { hint: "name it: ctx pr BASE; a branch, a commit hash or HEAD~3 works" },
    );
  }
  return findCommit(repository, asked);
}

/** `BASE`, `BASE..HEAD`, `..HEAD`; with three dots too, as forges write it. */
function parseRange(range = ""): { base?: string; head?: string } {
  const [, base, head] = /^(.*?)\.{2,3}(.*)$/s.exec(range) ?? ["", range, ""];
  return { ...base !== "" && { base }, ...head !== "" && { head } };
}

function findCommit(repository: GitRepository, asked: string): NamedCommit {
  const oid = resolveCommit(repository, asked);
  if (!(oid instanceof GitProblem)) return { name: asked, oid };
  const state = oid.message[0].toLowerCase() + oid.message.slice(1);
  throw new CtxError("NOT_FOUND", `Cannot compare with "${asked}": ${state}`, {
    hint: "git branch --all lists branches; a commit hash or HEAD~3 works too",
  });
}

async function tell(
  store: Store,
  { found, exchanges, title, beyond, around }: BranchWork,
  { now, signal, limit, format }: PullRequestOptions,
): Promise<Omit<PullRequest, "base">> {
  const catalog = readSessionCatalog(store);
  const bySession = Map.groupBy(found.parts, ({ session }) => session);
  const fresh = await readFreshRecords(store, {
    types: toldTypes,
    withSuperseded: true,
    sessions: [...new Set(exchanges.map(({ session }) => session))],
    now,
    signal,
  });
  const projects = [...bySession.keys()].flatMap((session) => catalog.get(session)?.project ?? []);
  const known = { ...around, roots: [...around.roots, ...projects] };
  const facts = { subjects: found.subjects, subjectOf: makeSubjectOf(store, fresh.rows) };
  const records = pickRecords(fresh.rows, exchanges, facts);
  const told = [...toAsked(exchanges), ...toNotes(records, facts, makePrinted(store, records))];
  const say = (text: string): string => toPublic(text, { ...known, chars: lineChars });
  const results = onlyOnce(told).map(({ text, because, ...note }) => ({
    ...note,
    text: say(text),
    ...because === undefined ? {} : { because: say(because) },
  }));
  const { commits, unattributed, merges } = found;
  const sessions = [...bySession].map(([id, parts]) => {
    const session = catalog.get(id);
    return {
      id,
      ...session?.source === undefined ? {} : { agent: session.source },
      commits: parts.map(({ commit }) => commit),
    };
  });
  const { text, leftOut } = toMarkdown(results, {
    ...found,
    sessions: sessions.length,
    beyond,
    limit,
  });
  const notes = noteFresh(fresh);
  return {
    title: say(title),
    commits,
    unattributed,
    merges,
    sessions,
    results,
    left_out: leftOut,
    ...notes.length > 0 ? { notes } : {},
    text: format === "markdown" ? text : await (await import("./to_html.ts")).toHtml(results, {
      title: say(title),
      commits: [...found.subjects].toReversed().map(([oid, subject]) => [oid, say(subject)]),
      sessions,
    }),
  };
}

/** Recognizes records made from a commit message: their first evidence is the command that made the commit. */
function makeSubjectOf(store: Store, records: readonly RecordRow[]): CommitFacts["subjectOf"] {
  const calls = store.find(records.flatMap(({ refs }) => refs.slice(0, 1)));
  return ({ refs: [first = ""], title }) => {
    const entry = calls.get(first)?.row?.entry;
    return entry?.type === "tool_call" && entry.tool?.effect === "run" ? title : undefined;
  };
}

/** Knows the lines of records that a tool printed. */
function makePrinted(
  store: Store,
  records: readonly RecordRow[],
): (record: RecordRow, line: string) => boolean {
  const outputs = new Map<string, string>();
  for (const [id, { row }] of store.find(records.flatMap(({ refs }) => refs))) {
    if (row?.entry.role === "tool") outputs.set(id, toWords(row.entry.text.slice(0, maxOutput)));
  }
  return ({ refs }, line) => {
    const words = toWords(line).slice(0, telling);
    return words.length >= leastTelling && refs.some((id) => outputs.get(id)?.includes(words));
  };
}

const maxOutput = 100_000;
/** So much of a line tells it: long ones were cut, and short ones are everywhere. */
const telling = 60;
const leastTelling = 12;

function toWords(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function nothing(because: string): PullRequest {
  return {
    commits: 0,
    unattributed: 0,
    merges: 0,
    sessions: [],
    results: [],
    left_out: 0,
    because,
    text: `Nothing to describe: ${because}\n`,
  };
}

function explain({ message, hint }: GitProblem, around: Surroundings): string {
  const said = message[0].toLowerCase() + message.slice(1);
  return toPublic(hint === undefined ? said : `${said} (${hint})`, { ...around, chars: lineChars });
}
