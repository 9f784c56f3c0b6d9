// What came out of a session: the commits that took its edits, and the pull requests that it opened or
// that its commits went into. Commits are found by their lines, so it does not matter who made them.

import { PathWalk, takeNewest } from "../../code/blame/path_walk.ts";
import { findWorkTree } from "../../code/blame/find_work_tree.ts";
import { openHead, openRepository } from "../../code/blame/open_repository.ts";
import { toProblem } from "../../code/blame/to_problem.ts";
import { GitProblem } from "../../code/git/git_problem.ts";
import { findTextIn, type GitRepository } from "../../code/git/git_repository.ts";
import { isObject } from "../../core/json.ts";
import { breathe } from "../../core/breathe.ts";
import type { Entry } from "../../core/entry.ts";
import { isCommitCall, type MadeCommit, madeCommitsOf } from "../../core/rows/made_commits.ts";
import { withLines } from "../../index/lines/line_table.ts";
import { getMessages } from "../../read/session_messages.ts";
import type { Store } from "../../store/store.ts";
import { findCommitWork } from "./commit_work.ts";
import type { SessionCommit, SessionCommits, SessionPull } from "./pr_shapes.ts";

/** So many commits are looked at, from the start of a session until so long after its end. */
const maxCommits = 200;
const maxWalked = 5000;
const [beforeMs, afterMs] = [3_600_000, 30 * 86_400_000];

export async function findSessionCommits(
  store: Store,
  session: string,
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<SessionCommits> {
  using view = store.openView();
  const rows = (await getMessages(view, session)).map(({ entry }) => entry);
  const made = findMade(rows);
  const pulls = findOpened(rows);
  const own = (): SessionCommit[] =>
    made.map(({ oid, subject, id }) => ({ commit: oid, subject, files: [], id, on_head: false }));
  const repository = openRepository(findWorkTree(store.layout.workspace, cwd));
  const head = repository instanceof GitProblem ? repository : openHead(repository);
  if (repository instanceof GitProblem) {
    return { commits: own(), pulls, because: repository.message };
  }
  if (head instanceof GitProblem) return { commits: own(), pulls, because: head.message };
  const times = rows.map(({ ts }) => Date.parse(ts));
  const near = await listCommits(repository, head, {
    from: Math.min(...times) - beforeMs,
    to: Math.max(...times) + afterMs,
    signal,
  });
  if (near instanceof GitProblem) return { commits: own(), pulls, because: near.message };
  const { parts } = await withLines(store, {
    signal,
    work: (table) => findCommitWork(repository, near, { table, signal }),
  });
  const found = parts.filter((part) => part.session === session).map((part): SessionCommit => {
    const told = made.find(({ oid }) => part.commit.startsWith(oid)) ??
      made.find(({ subject }) => subject === part.subject);
    return {
      commit: part.commit,
      subject: part.subject,
      ts: new Date(part.time).toISOString(),
      files: part.files,
      ...(told && { id: told.id }),
      on_head: true,
    };
  });
  const known = new Set(found.map(({ id }) => id));
  const base = findRemotePage(repository);
  for (const { commit, subject } of found) {
    const number = Number(/ \(#(\d{1,9})\)$/.exec(subject)?.[1]);
    if (!number || pulls.some((pull) => pull.number === number)) continue;
    pulls.push({ number, commit, ...(base && { url: `${base}/pull/${number}` }) });
  }
  return { commits: [...own().filter(({ id }) => !known.has(id)), ...found], pulls };
}

/** The commits that the session made itself, each subject once, as git told it last. */
function findMade(rows: readonly Entry[]): (MadeCommit & { id: string })[] {
  const calls = callsOf(rows, isCommitCall);
  const made = rows.filter(({ tool }) => calls.has(tool?.call_id))
    .flatMap((row) => madeCommitsOf(row).map((commit) => ({ ...commit, id: row.id })));
  return [...new Map(made.map((commit) => [commit.subject, commit])).values()];
}

/** The pull requests that the session opened: by a command, or by a tool. */
function findOpened(rows: readonly Entry[]): SessionPull[] {
  const calls = callsOf(
    rows,
    ({ tool, text }) =>
      /create_(?:pull|merge)_request$/.test(tool?.name ?? "") ||
      tool?.effect === "run" && opening.test(text),
  );
  const pulls = new Map<string, SessionPull>();
  for (const { type, tool, text, id } of rows) {
    if (type !== "tool_output" || tool?.error || !calls.has(tool?.call_id)) continue;
    const [url, number] = pullAddress.exec(text.slice(0, maxOutputChars)) ?? [];
    if (url !== undefined) pulls.set(url, { number: Number(number), url, id });
  }
  return [...pulls.values()];
}

const opening = /\b(?:gh|hub) (?:pr create|pull-request)\b|\bglab mr create\b|\bgit push\b/;
const maxOutputChars = 64 << 10;
const pullAddress =
  /https:\/\/[\w.-]{1,100}\/[\w./~-]{1,200}\/(?:pull|merge_requests|pull-requests|pulls)\/(\d{1,9})\b/;

function callsOf(rows: readonly Entry[], isMeant: (row: Entry) => boolean): Set<unknown> {
  const calls = new Set<unknown>();
  for (const row of rows) {
    const id = row.type === "tool_call" && isObject(row.tool) ? row.tool.call_id : undefined;
    if (id !== undefined && isMeant(row)) calls.add(id);
  }
  return calls;
}

/** The commits of HEAD's history in a time, the newest first. */
async function listCommits(
  repository: GitRepository,
  head: string,
  { from, to, signal }: { from: number; to: number; signal: AbortSignal },
): Promise<string[] | GitProblem> {
  try {
    using walk = new PathWalk(repository, { oidBytes: head.length / 2 });
    const queue = new Map([[head, walk.commit(head).committer.ts]]);
    const seen = new Set([head]);
    const found: string[] = [];
    while (found.length < maxCommits && seen.size < maxWalked) {
      const [oid, ts] = takeNewest(queue, (time) => time) ?? [];
      if (oid === undefined || ts === undefined || ts < from) break;
      await breathe(signal);
      // A rebase comes later than what it moves: then the time of writing is meant.
      if (ts <= to || walk.commit(oid).author.ts <= to) found.push(oid);
      for (const parent of walk.commit(oid).parents) {
        if (seen.has(parent)) continue;
        seen.add(parent);
        queue.set(parent, walk.commit(parent).committer.ts);
      }
    }
    return found;
  } catch (error) {
    return toProblem(error);
  }
}

/** Where the repository's own pages are, if it came from GitHub. */
function findRemotePage({ commonDirectory }: GitRepository): string | undefined {
  const config = findTextIn(commonDirectory, "config", 1 << 20) ?? "";
  const section = config.split(/^\s*(?=\[)/m).find((part) => part.startsWith('[remote "origin"]'));
  const url = /^\s*url\s*=\s*(\S+)\s*$/m.exec(section ?? "")?.[1] ?? "";
  const path =
    /^(?:https:\/\/(?:[^@/]*@)?|git@|ssh:\/\/git@)(github\.com)[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/
      .exec(url);
  return path === null ? undefined : `https://${path[1]}/${path[2]}`;
}
