// Brings the kept history up to HEAD: reads the commits that are not in it yet and compares the trees
// of each with those of its parents. Throws GitDamage, GitMissing and GitSpent; what is kept stays then.

import { breathe } from "../../core/breathe.ts";
import { IndexDamage } from "../../disk/byte_source.ts";
import type { Files } from "../../disk/files.ts";
import { commitCycle, GitBudget } from "../git/git_object.ts";
import { GitObjects } from "../git/git_objects.ts";
import { findHead, type GitRepository } from "../git/git_repository.ts";
import { diffTrees, type TreeChange } from "../git/git_tree.ts";
import { HistoryTable } from "./history_table.ts";
import { encodeHistory, noneSame, openHistory, type PathHistory } from "./path_history.ts";
import { isFile, readCommit, readShallow, takeNewest } from "./path_walk.ts";

/** Where the history is kept, and how much of it. */
export interface KeepOptions {
  files: Files;
  /** The file that it is kept in. */
  path: string;
  /** Older commits are left out, and read from git where they are needed. */
  maxCommits?: number;
  signal?: AbortSignal;
}

/** What is held of each commit: there may be many. */
interface LeanCommit {
  tree: string;
  parents: string[];
  ts: number;
}

/** How many commits were added, and how many are known now. */
export interface KeptHistory {
  added: number;
  count: number;
}

const defaultMaxCommits = 50_000;
/** What may be unpacked: as much as such a number of commits takes. */
const maxBytes = 16 * 2 ** 30;

/** Adds the commits of HEAD's history that are not kept yet; undefined when HEAD names none. */
export async function keepHistory(
  repository: GitRepository,
  { files, path, maxCommits = defaultMaxCommits, signal }: KeepOptions,
): Promise<KeptHistory | undefined> {
  const head = findHead(repository);
  if (head === undefined) return undefined;
  using opened = openSound(files, path);
  const oidBytes = head.length / 2;
  const known = opened?.oidBytes === oidBytes ? opened : undefined;
  using objects = new GitObjects(repository, oidBytes, new GitBudget(maxBytes));
  const fresh = await collectFresh(objects, { head, known, repository, maxCommits, signal });
  const count = known?.count ?? 0;
  if (fresh.commits.size === 0) return { added: 0, count };
  const table = new HistoryTable(oidBytes, known);
  const order = inOrder(fresh.commits);
  for (const oid of fresh.outside) table.addOutside(oid);
  for (const oid of order) table.addCommit(oid, fresh.commits.get(oid)!.parents);
  // The newest first: packs keep it nearest.
  for (const oid of order.reverse()) {
    await breathe(signal);
    signal?.throwIfAborted();
    addChanges(table, { oid, objects, commits: fresh.commits });
  }
  files.makeDirectory(path.slice(0, path.lastIndexOf("/")));
  files.replace(path, encodeHistory(table.toParts()), { sync: false });
  return { added: order.length, count: table.count };
}

/** A kept history without damage; one with damage is made anew. */
function openSound(files: Files, path: string): PathHistory | undefined {
  using opened = new DisposableStack();
  const history = opened.use(openHistory(files, path));
  try {
    history?.verify();
  } catch (error) {
    if (error instanceof IndexDamage) return undefined;
    throw error;
  }
  opened.move();
  return history;
}

/** The commits that are not known, newest first, and the parents that are left out. */
async function collectFresh(
  objects: GitObjects,
  { head, known, repository, maxCommits, signal }: {
    head: string;
    known?: PathHistory;
    repository: GitRepository;
    maxCommits: number;
    signal?: AbortSignal;
  },
): Promise<{ commits: Map<string, LeanCommit>; outside: string[] }> {
  const shallow = readShallow(repository);
  const commits = new Map<string, LeanCommit>();
  const pending = new Map<string, LeanCommit>();
  const add = (oid: string): void => {
    if (commits.has(oid) || pending.has(oid) || known?.findId(oid) !== undefined) return;
    const { tree, parents, committer: { ts } } = readCommit(objects, oid);
    pending.set(oid, { tree, parents: shallow.has(oid) ? [] : parents, ts });
  };
  add(head);
  while (pending.size > 0 && commits.size < maxCommits) {
    await breathe(signal);
    const [oid, commit] = takeNewest(pending, ({ ts }) => ts)!;
    commits.set(oid, commit);
    commit.parents.forEach(add);
  }
  return { commits, outside: [...pending.keys()] };
}

/** Parents before their children; throws GitDamage where a commit is its own ancestor. */
function inOrder(commits: Map<string, LeanCommit>): string[] {
  const done = new Set<string>();
  /** Commits that wait for their parents: one that waits for itself is in a cycle. */
  const open = new Set<string>();
  for (const start of commits.keys()) {
    const stack = [start];
    while (stack.length > 0) {
      const oid = stack.at(-1)!;
      const missing = done.has(oid)
        ? []
        : commits.get(oid)!.parents.filter((parent) => commits.has(parent) && !done.has(parent));
      if (missing.length === 0) {
        stack.pop();
        done.add(oid);
        continue;
      }
      open.add(oid);
      if (missing.some((parent) => open.has(parent))) throw commitCycle();
      stack.push(...missing);
    }
  }
  return [...done];
}

/** What a commit changed: paths whose content its first parent does not have. */
function addChanges(
  table: HistoryTable,
  { oid, objects, commits }: {
    oid: string;
    objects: GitObjects;
    commits: Map<string, LeanCommit>;
  },
): void {
  const { tree, parents } = commits.get(oid)!;
  const [first, ...others] = parents.map((parent) =>
    (commits.get(parent) ?? readCommit(objects, parent)).tree
  );
  const changes: TreeChange[] = [];
  diffTrees(objects, { before: first, after: tree }, (change) => void changes.push(change));
  const same = changes.length === 0 ? [] : others.map((other) => {
    const different = new Set<string>();
    diffTrees(objects, { before: other, after: tree }, ({ path }) => void different.add(path));
    return different;
  });
  for (const { path, after } of changes) {
    const parent = same.findIndex((different) => !different.has(path));
    table.addChange(oid, {
      path,
      same: parent < 0 ? noneSame : parent,
      blob: after !== undefined && isFile(after) ? after.oid : undefined,
    });
  }
}
