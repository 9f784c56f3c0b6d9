// What there is to describe: the newest commits, the pull requests among them, and the branches that are
// not merged, each with the sessions whose lines are in it. Reads git, the line table and the catalog.

import { readSessionCatalog, sessionTitle } from "../../store/session_catalog.ts";
import type { CatalogSession } from "../../store/catalog_sessions.ts";
import type { Store } from "../../store/store.ts";
import { withLines } from "../../index/lines/line_table.ts";
import { readRange } from "../../code/blame/commit_range.ts";
import { findDefaultBase } from "../../code/blame/default_base.ts";
import { findWorkTree } from "../../code/blame/find_work_tree.ts";
import { openHead, openRepository } from "../../code/blame/open_repository.ts";
import { PathWalk } from "../../code/blame/path_walk.ts";
import { toProblem } from "../../code/blame/to_problem.ts";
import type { GitCommit } from "../../code/git/git_commit.ts";
import { GitProblem } from "../../code/git/git_problem.ts";
import { findBranch, type GitRepository } from "../../code/git/git_repository.ts";
import { listBranches } from "../../code/git/list_branches.ts";
import { findCommitWork } from "./commit_work.ts";
import type { KnownChange, ListedChanges } from "./pr_shapes.ts";

/** What is asked, and what is known of the machine. */
export interface ListChangesOptions {
  /** So many commits are listed, and so many branches at most. */
  limit: number;
  /** The worktree that it is in is meant. */
  cwd: string;
  signal: AbortSignal;
}

/** A change before anybody has looked who wrote it. */
interface Plan extends Omit<KnownChange, "sessions" | "commits"> {
  oids: readonly string[];
}

/** So many commits of a branch or pull request are looked at. */
const maxOwn = 20;
const shortChars = 12;

/** Lists the newest commits and the branches, with the sessions behind each. */
export async function listChanges(
  store: Store,
  { limit, cwd, signal }: ListChangesOptions,
): Promise<ListedChanges> {
  const repository = openRepository(findWorkTree(store.layout.workspace, cwd));
  if (repository instanceof GitProblem) return { changes: [], because: repository.message };
  const head = openHead(repository);
  if (head instanceof GitProblem) return { changes: [], because: head.message };
  const plans = [
    ...await planBranches(repository, { head, limit, signal }),
    ...await planCommits(repository, { head, limit, signal }),
  ];
  using walk = new PathWalk(repository, { oidBytes: head.length / 2 });
  const oids = [...new Set(plans.flatMap((plan) => plan.oids))]
    .toSorted((a, b) => walk.commit(b).committer.ts - walk.commit(a).committer.ts);
  const { parts } = await withLines(store, {
    signal,
    work: (table) => findCommitWork(repository, oids, { table, signal }),
  });
  const byCommit = Map.groupBy(parts, ({ commit }) => commit);
  const catalog = readSessionCatalog(store);
  return {
    changes: plans.map(({ oids, ...plan }) => ({
      ...plan,
      commits: oids.length,
      sessions: [
        ...new Set(oids.flatMap((oid) => byCommit.get(oid) ?? []).map(({ session }) => session)),
      ].map((id) => toSession(id, catalog.get(id))),
    })),
  };
}

function toSession(
  id: string,
  session: CatalogSession | undefined,
): KnownChange["sessions"][number] {
  const title = session === undefined ? "" : sessionTitle(session);
  return { id, title, ...session?.source === undefined ? {} : { agent: session.source } };
}

interface PlanOptions {
  head: string;
  limit: number;
  signal: AbortSignal;
}

/** Branches with commits that the main one does not have, newest first. */
async function planBranches(
  repository: GitRepository,
  { head, limit, signal }: PlanOptions,
): Promise<Plan[]> {
  const all = listBranches(repository);
  const current = findBranch(repository);
  const own = new Set(all.filter(({ isRemote }) => !isRemote).map(({ oid }) => oid));
  const base = findDefaultBase(repository) ??
    (current === undefined ? undefined : { name: current, oid: head });
  if (base === undefined) return [];
  using walk = new PathWalk(repository, { oidBytes: head.length / 2 });
  // A branch that was pushed is listed once.
  const tips = all.filter(({ name, oid, isRemote }) =>
    name !== base.name && oid !== base.oid && !(isRemote && own.has(oid))
  ).flatMap(({ name, oid }) => {
    const commit = findCommit(walk, oid);
    return commit === undefined ? [] : [{ name, oid, commit }];
  }).toSorted((a, b) => b.commit.committer.ts - a.commit.committer.ts);
  const plans: Plan[] = [];
  for (const { name, oid, commit } of tips.slice(0, limit)) {
    const options = { base: base.oid, head: oid, maxCommits: maxOwn, signal };
    const range = await readRange(repository, options);
    if (range instanceof GitProblem || range.mergeBase === undefined || range.count === 0) continue;
    const said = { kind: "branch" as const, name, range: `${base.name}..${name}` };
    plans.push({ ...said, ...toFacts(oid, commit), oids: range.oids });
  }
  return plans;
}

/** The newest commits of the current branch; what a merge brought is one change. */
async function planCommits(
  repository: GitRepository,
  { head, limit, signal }: PlanOptions,
): Promise<Plan[]> {
  using walk = new PathWalk(repository, { oidBytes: head.length / 2 });
  const plans: Plan[] = [];
  for (let oid: string | undefined = head; oid !== undefined && plans.length < limit;) {
    const commit = findCommit(walk, oid);
    if (commit === undefined) break;
    const [parent, merged] = commit.parents;
    const short = oid.slice(0, shortChars);
    const number = /^Merge pull request #(\d+)\b/.exec(commit.subject)?.[1] ??
      /\(#(\d+)\)$/.exec(commit.subject)?.[1];
    const said: Pick<Plan, "kind" | "name"> = number === undefined
      ? { kind: "commit", name: short }
      : { kind: "pull_request", name: `#${number}` };
    const facts = toFacts(oid, commit);
    if (parent === undefined) plans.push({ ...said, ...facts, oids: [oid] });
    else if (merged === undefined) {
      plans.push({ ...said, range: `${short}^..${short}`, ...facts, oids: [oid] });
    } else {
      const options = { base: parent, head: merged, maxCommits: maxOwn, signal };
      const range = await readRange(repository, options);
      const oids = range instanceof GitProblem ? [] : range.oids;
      if (oids.length > 0) {
        plans.push({ ...said, range: `${short}^1..${short}^2`, ...facts, oids });
      }
    }
    oid = parent;
  }
  return plans;
}

function toFacts(
  commit: string,
  { subject, author }: GitCommit,
): Pick<Plan, "commit" | "subject" | "author" | "ts"> {
  return { commit, subject, author: author.name, ts: new Date(author.ts).toISOString() };
}

/** A commit; undefined where this clone does not have it. */
function findCommit(walk: PathWalk, oid: string): GitCommit | undefined {
  try {
    return walk.commit(oid);
  } catch (error) {
    toProblem(error);
    return undefined;
  }
}
