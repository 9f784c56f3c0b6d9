// Brings the kept history up to HEAD: reads the commits that are not in it yet and compares the trees
// of each with those of its parents. Throws GitDamage, GitMissing and GitSpent; what is kept stays then.

import { breathe } from "../../core/breathe.ts";
import { hash64 } from "../../core/hash.ts";
import { IndexDamage } from "../../pages/byte_source.ts";
import type { Files } from "../../store/files/files.ts";
import { GitBudget } from "../git_object.ts";
import { GitObjects } from "../git_objects.ts";
import { findHead, type GitRepository } from "../git_repository.ts";
import { diffTrees, type TreeChange } from "../git_tree.ts";
import {
  encodeHistory,
  type HistoryParts,
  isOutside,
  noneSame,
  noParent,
  openHistory,
  type PathHistory,
} from "./path_history.ts";
import { isFile, readCommit, readShallow } from "./path_walk.ts";

/** Where the history is kept, and how much of it. */
export interface KeepOptions {
  files: Files;
  /** The file that it is kept in. */
  path: string;
  /** Older commits are left out, and read from git where they are needed. */
  maxCommits?: number;
  /** Fewer new commits than this are left for the next time. */
  leastNew?: number;
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
  { files, path, maxCommits = defaultMaxCommits, leastNew = 1, signal }: KeepOptions,
): Promise<KeptHistory | undefined> {
  const head = findHead(repository);
  if (head === undefined) return undefined;
  using opened = openSound(files, path);
  const oidBytes = head.length / 2;
  const known = opened?.oidBytes === oidBytes ? opened : undefined;
  using objects = new GitObjects(repository, oidBytes, new GitBudget(maxBytes));
  const fresh = await collectFresh(objects, { head, known, repository, maxCommits, signal });
  const count = known?.count ?? 0;
  if (fresh.commits.size < leastNew) return { added: 0, count };
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
    if (!(error instanceof IndexDamage)) throw error;
    return undefined;
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
): Promise<{ commits: Map<string, LeanCommit>; outside: Set<string> }> {
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
    const [oid, commit] = takeNewest(pending);
    commits.set(oid, commit);
    commit.parents.forEach(add);
  }
  return { commits, outside: new Set(pending.keys()) };
}

function takeNewest(pending: Map<string, LeanCommit>): [string, LeanCommit] {
  let best: [string, LeanCommit] | undefined;
  for (const item of pending) {
    if (best === undefined || item[1].ts > best[1].ts) best = item;
  }
  pending.delete(best![0]);
  return best!;
}

/** Parents before their children. */
function inOrder(commits: Map<string, LeanCommit>): string[] {
  const done = new Set<string>();
  const order: string[] = [];
  for (const start of commits.keys()) {
    const stack = [start];
    while (stack.length > 0) {
      const oid = stack.at(-1)!;
      const missing = done.has(oid)
        ? []
        : commits.get(oid)!.parents.filter((parent) => commits.has(parent) && !done.has(parent));
      if (missing.length > 0) {
        stack.push(...missing);
        continue;
      }
      stack.pop();
      if (!done.has(oid)) order.push(oid);
      done.add(oid);
    }
  }
  return order;
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

/** A history that grows. */
class HistoryTable {
  readonly #oidBytes: number;
  readonly #old?: HistoryParts;
  readonly #known?: PathHistory;
  readonly #ids = new Map<string, number>();
  readonly #commits: number[] = [];
  readonly #merges: number[];
  readonly #paths = new Map<string, number>();
  readonly #hashes: [number, number][] = [];
  /** For each change its path, its commit, the parent with the same content, and the content. */
  readonly #changes: number[] = [];
  readonly #blobs: (string | undefined)[] = [];

  constructor(oidBytes: number, known?: PathHistory) {
    this.#oidBytes = oidBytes;
    this.#known = known;
    this.#old = known?.readParts();
    this.#merges = [...this.#old?.merges ?? []];
  }

  get count(): number {
    return (this.#known?.count ?? 0) + this.#ids.size;
  }

  addOutside(oid: string): void {
    this.#ids.set(oid, this.count);
    this.#commits.push(isOutside, 0);
  }

  addCommit(oid: string, parents: string[]): void {
    const [first = noParent, ...others] = parents.map((parent) => this.#idOf(parent));
    this.#ids.set(oid, this.count);
    this.#commits.push(first, others.length === 0 ? 0 : this.#merges.length + 1);
    if (others.length > 0) this.#merges.push(others.length, ...others);
  }

  addChange(oid: string, change: { path: string; same: number; blob?: string }): void {
    let path = this.#paths.get(change.path);
    if (path === undefined) {
      path = this.#hashes.push(hash64(change.path)) - 1;
      this.#paths.set(change.path, path);
    }
    this.#changes.push(path, this.#idOf(oid), change.same);
    this.#blobs.push(change.blob);
  }

  #idOf(oid: string): number {
    return this.#ids.get(oid) ?? this.#known!.findId(oid)!;
  }

  toParts(): HistoryParts {
    const old = this.#old;
    const oids = new Uint8Array(this.count * this.#oidBytes);
    oids.set(old?.oids ?? []);
    for (const [oid, id] of this.#ids) oids.set(Uint8Array.fromHex(oid), id * this.#oidBytes);
    return {
      oidBytes: this.#oidBytes,
      oids,
      commits: joined(old?.commits, this.#commits),
      merges: Uint32Array.from(this.#merges),
      ...this.#toPaths(),
    };
  }

  /** The changes by path, those of one path side by side. */
  #toPaths(): Pick<HistoryParts, "paths" | "changes" | "blobs"> {
    const rows = this.#pathRows();
    const total = this.#blobs.length + (this.#old?.changes.length ?? 0) / 2;
    const paths = new Uint32Array(rows.length * 4);
    const changes = new Uint32Array(total * 2);
    const blobs = new Uint8Array(total * this.#oidBytes);
    let at = 0;
    rows.forEach(({ hash, fresh, first, size }, row) => {
      paths.set([hash[0], hash[1], at, fresh.length + size], row * 4);
      for (const change of fresh) {
        changes.set([this.#changes[change * 3 + 1], this.#changes[change * 3 + 2]], at * 2);
        const blob = this.#blobs[change];
        if (blob !== undefined) blobs.set(Uint8Array.fromHex(blob), at * this.#oidBytes);
        at++;
      }
      if (size === 0) return;
      changes.set(this.#old!.changes.subarray(first * 2, (first + size) * 2), at * 2);
      const bytes = this.#oidBytes;
      blobs.set(this.#old!.blobs.subarray(first * bytes, (first + size) * bytes), at * bytes);
      at += size;
    });
    return { paths, changes, blobs };
  }

  /** Every path with its new changes, and where its old ones are; by hash. */
  #pathRows(): PathRow[] {
    const rows = new Map<string, PathRow>();
    const old = this.#old?.paths ?? new Uint32Array();
    for (let i = 0; i < old.length; i += 4) {
      const [high, low, first, size] = old.subarray(i, i + 4);
      rows.set(`${high} ${low}`, { hash: [high, low], fresh: [], first, size });
    }
    const byPath = this.#hashes.map((hash) => {
      const key = hash.join(" ");
      const row = rows.get(key) ?? { hash, fresh: [], first: 0, size: 0 };
      rows.set(key, row);
      return row;
    });
    this.#blobs.forEach((_, change) => byPath[this.#changes[change * 3]].fresh.push(change));
    return [...rows.values()].sort((a, b) => a.hash[0] - b.hash[0] || a.hash[1] - b.hash[1]);
  }
}

interface PathRow {
  hash: [number, number];
  fresh: number[];
  first: number;
  size: number;
}

function joined(old: Uint32Array | undefined, fresh: number[]): Uint32Array {
  const words = new Uint32Array((old?.length ?? 0) + fresh.length);
  words.set(old ?? []);
  words.set(fresh, old?.length ?? 0);
  return words;
}
