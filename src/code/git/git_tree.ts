// Directories of git: finds a name in one, and tells how two differ. Equal sub-directories are never
// read, and names are made into text only where something differs. Throws GitDamage.

import { GitDamage } from "./git_object.ts";
import type { GitObjects } from "./git_objects.ts";

/** What a name in a directory stands for. */
export interface TreeEntry {
  /** As in git: 0o40000 is a directory, 0o120000 a link, 0o160000 a submodule, else a file. */
  mode: number;
  oid: string;
}

/** A file that differs between two trees. */
export interface TreeChange {
  path: string;
  before?: TreeEntry;
  after?: TreeEntry;
}

export const fileMode = 0o100644;
export const treeMode = 0o40000;
/** The mode of a submodule: a commit of another repository. */
export const moduleMode = 0o160000;

/** Trees that are compared for one commit; more are a way of going round in circles. */
const maxTrees = 5000;
const maxDepth = 200;
const decoder = new TextDecoder();

/** What a name stands for in a directory, or undefined. */
export function findInTree(
  objects: GitObjects,
  tree: string,
  name: Uint8Array,
): TreeEntry | undefined {
  const cursor = new TreeCursor(readTree(objects, tree), tree.length / 2);
  for (; cursor.isInside; cursor.next()) {
    if (cursor.nameLength === name.length && cursor.hasName(name)) return cursor.entry();
  }
  return undefined;
}

/** What is compared. */
export interface TreePair {
  before?: string;
  after?: string;
  /** Only what is below this directory (`dir/`), or everything. */
  prefix?: string;
}

/**
 * Tells each file that differs between two trees; one that is told stops the comparison by answering
 * false. Throws GitMissing for a tree that is not there.
 */
export function diffTrees(
  objects: GitObjects,
  { before, after, prefix = "" }: TreePair,
  tell: (change: TreeChange) => boolean | void,
): void {
  let trees = 0;
  const compare = (
    old: string | undefined,
    now: string | undefined,
    path: string,
    depth: number,
  ) => {
    if (++trees > maxTrees || depth > maxDepth) throw new GitDamage("its directories do not end");
    const a = new TreeCursor(readTree(objects, old), (old ?? "").length / 2);
    const b = new TreeCursor(readTree(objects, now), (now ?? "").length / 2);
    while (a.isInside || b.isInside) {
      const order = !a.isInside ? 1 : !b.isInside ? -1 : a.compare(b);
      const isDifferent = order !== 0 || !a.isSame(b);
      if (
        isDifferent && !report(order > 0 ? undefined : a, order < 0 ? undefined : b, path, depth)
      ) {
        return false;
      }
      if (order <= 0) a.next();
      if (order >= 0) b.next();
    }
    return true;
  };
  const report = (
    a: TreeCursor | undefined,
    b: TreeCursor | undefined,
    directory: string,
    depth: number,
  ): boolean => {
    const name = (a ?? b)!.name();
    if (isOddName(name)) return true;
    const path = directory + name;
    const [old, now] = [a?.entry(), b?.entry()];
    if (old?.mode === treeMode || now?.mode === treeMode) {
      const below = `${path}/`;
      if (!below.startsWith(prefix) && !prefix.startsWith(below)) return true;
      return compare(old?.oid, now?.oid, below, depth + 1);
    }
    return !path.startsWith(prefix) || tell({ path, before: old, after: now }) !== false;
  };
  compare(before, after, "", 0);
}

function readTree(objects: GitObjects, oid: string | undefined): Uint8Array {
  if (oid === undefined) return new Uint8Array();
  const object = objects.find(oid);
  if (object === undefined) throw objects.explain(oid, "a directory");
  if (object.kind !== "tree") throw new GitDamage("a directory is damaged");
  return object.data;
}

/** Names that git refuses to check out: they would lead elsewhere. */
function isOddName(name: string): boolean {
  return name === "" || name === "." || name === ".." || name.includes("/");
}

/** Goes through the entries of a directory: `mode name`, a zero byte, the oid. */
class TreeCursor {
  readonly #data: Uint8Array;
  readonly #oidBytes: number;
  #at = 0;
  #name = 0;
  #zero = 0;

  constructor(data: Uint8Array, oidBytes: number) {
    this.#data = data;
    this.#oidBytes = oidBytes;
    this.#parse();
  }

  get isInside(): boolean {
    return this.#at < this.#data.length;
  }

  get nameLength(): number {
    return this.#zero - this.#name;
  }

  next(): void {
    this.#at = this.#zero + 1 + this.#oidBytes;
    this.#parse();
  }

  #parse(): void {
    const data = this.#data;
    if (this.#at >= data.length) return;
    this.#name = data.indexOf(32, this.#at) + 1;
    this.#zero = this.#name === 0 ? -1 : data.indexOf(0, this.#name);
    if (this.#zero < 0 || this.#zero + 1 + this.#oidBytes > data.length) {
      throw new GitDamage("a directory is damaged");
    }
  }

  get #isTree(): boolean {
    return this.#data[this.#at] === 52;
  }

  hasName(name: Uint8Array): boolean {
    for (let i = 0; i < name.length; i++) if (this.#data[this.#name + i] !== name[i]) return false;
    return true;
  }

  /** The order of git: as if directories ended with a slash. */
  compare(other: TreeCursor): number {
    const [lengthA, lengthB] = [this.nameLength, other.nameLength];
    const least = Math.min(lengthA, lengthB);
    for (let i = 0; i < least; i++) {
      const order = this.#data[this.#name + i] - other.#data[other.#name + i];
      if (order !== 0) return order;
    }
    return this.#byteAfter(least) - other.#byteAfter(least);
  }

  #byteAfter(at: number): number {
    if (at < this.nameLength) return this.#data[this.#name + at];
    return at === this.nameLength && this.#isTree ? 47 : 0;
  }

  /** Whether two entries of one name have the same content; a change of mode alone is none. */
  isSame(other: TreeCursor): boolean {
    for (let i = 1; i <= this.#oidBytes; i++) {
      if (this.#data[this.#zero + i] !== other.#data[other.#zero + i]) return false;
    }
    return true;
  }

  name(): string {
    return decoder.decode(this.#data.subarray(this.#name, this.#zero));
  }

  entry(): TreeEntry {
    let mode = 0;
    for (let at = this.#at; at < this.#name - 1; at++) mode = mode * 8 + this.#data[at] - 48;
    const oid = this.#data.subarray(this.#zero + 1, this.#zero + 1 + this.#oidBytes).toHex();
    return { mode, oid };
  }
}
