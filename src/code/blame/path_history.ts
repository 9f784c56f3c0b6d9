// The kept history: which commits changed a path, as derived data, so that the history of one file is
// known without reading every commit. Holds commits, parents and hashes of paths; no names and no text.
// A commit never changes, so nothing here grows old: newer commits are added (`keep_history.ts`), and
// those of a branch that is gone do no harm. Opening reads a few kilobytes. Throws IndexDamage.

import { hash64 } from "../../core/hash.ts";
import { IndexDamage, pageBytes, type PagedSource } from "../../disk/byte_source.ts";
import { openSealedFile, toSealedFile } from "../../disk/paged_file.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";

export interface HistoryParts {
  /** The bytes of a commit's name: 20, or 32. */
  oidBytes: number;
  /** The names of commits: parents before children. */
  oids: Uint8Array;
  /** Two words for each commit: its first parent, and where its other parents are listed. */
  commits: Uint32Array;
  /** The other parents of merges: a count, then the parents. */
  merges: Uint32Array;
  /** Four words for each path: its hash, its first change, how many there are; by hash. */
  paths: Uint32Array;
  /** For each change the commit, and the parent that has the same content; newest first. */
  changes: Uint32Array;
  /** The content that each change made. */
  blobs: Uint8Array;
}

/** In the place of a first parent: there is none; it lies outside, only its name is known. */
export const noParent = 0xffffffff;
export const isOutside = 0xfffffffe;
/** In the place of the parent with the same content: no parent has it. */
export const noneSame = 0xffffffff;

const magic = 0x33485043;
const headWords = 6;

export function encodeHistory(parts: HistoryParts): Uint8Array {
  const count = parts.oids.length / parts.oidBytes;
  const head = Uint32Array.of(
    magic,
    parts.oidBytes,
    count,
    parts.merges.length,
    parts.paths.length / 4,
    parts.changes.length / 2,
  );
  return toSealedFile([
    toBytes(head),
    toBytes(parts.commits),
    toBytes(sortedNames(parts)),
    toBytes(parts.merges),
    toBytes(parts.paths),
    toBytes(parts.changes),
    parts.oids,
    parts.blobs,
  ], magic);
}

/** Two words for each commit, by name: how the name starts, and the commit's number. */
function sortedNames({ oids, oidBytes }: HistoryParts): Uint32Array {
  const count = oids.length / oidBytes;
  const view = new DataView(oids.buffer, oids.byteOffset, oids.length);
  const order = Float64Array.from(
    { length: count },
    (_, id) => view.getUint32(id * oidBytes) * 2 ** 21 + id,
  ).sort();
  const words = new Uint32Array(count * 2);
  order.forEach((value, i) => {
    words[i * 2] = Math.floor(value / 2 ** 21);
    words[i * 2 + 1] = value % 2 ** 21;
  });
  return words;
}

/** An open history; close it. */
export class PathHistory implements Disposable {
  readonly #source: PagedSource;
  readonly oidBytes: number;
  readonly #counts: Record<"commits" | "merges" | "paths" | "changes", number>;
  readonly #start: Record<
    "commits" | "names" | "merges" | "paths" | "changes" | "oids" | "blobs",
    number
  >;
  readonly #pages = new Map<number, Uint8Array>();
  readonly #found = new Map<string, PathChanges>();
  readonly #ids = new Map<string, number | undefined>();
  #commits?: Uint32Array;

  constructor(source: PagedSource) {
    this.#source = source;
    const [, oidBytes, commits, merges, paths, changes] = this.#words(0, headWords);
    this.oidBytes = oidBytes;
    this.#counts = { commits, merges, paths, changes };
    let at = headWords * 4;
    const take = (size: number): number => {
      at += size;
      return at - size;
    };
    this.#start = {
      commits: take(commits * 8),
      names: take(commits * 8),
      merges: take(merges * 4),
      paths: take(paths * 16),
      changes: take(changes * 8),
      oids: take(commits * oidBytes),
      blobs: take(changes * oidBytes),
    };
  }

  /** How many commits are known. */
  get count(): number {
    return this.#counts.commits;
  }

  [Symbol.dispose](): void {
    this.#source[Symbol.dispose]();
  }

  /** Whether a commit is known, and not only its name. */
  has(oid: string): boolean {
    const id = this.findId(oid);
    return id !== undefined && this.#firstParents()[id * 2] !== isOutside;
  }

  /** The parents of a commit; undefined when it is not known. */
  findParents(oid: string): string[] | undefined {
    const id = this.findId(oid);
    if (id === undefined) return undefined;
    const first = this.#firstParents()[id * 2];
    if (first === isOutside) return undefined;
    if (first === noParent) return [];
    return [first, ...this.#otherParents(id)].map((parent) => this.#oidOf(parent));
  }

  /**
   * The version of a path that a commit has. Undefined when the commit is not known; "absent" when it
   * has no such file; `outside` names an ancestor with the same version, behind which nothing is kept.
   */
  findVersion(
    oid: string,
    path: string,
  ): { commit: string; blob: string } | { outside: string } | "absent" | undefined {
    const start = this.findId(oid);
    if (start === undefined) return undefined;
    const changes = this.#changesOf(path);
    const found = this.#search(start, changes);
    if (found === "absent") return found;
    if ("at" in found) return this.#versionOf(found.id, changes.first + found.at);
    return found.id === start ? undefined : { outside: this.#oidOf(found.id) };
  }

  /** The change that made what a commit has of a path, or the commit behind which nothing is kept. */
  #search(
    start: number,
    { words }: PathChanges,
  ): { id: number; at: number } | { id: number } | "absent" {
    const parents = this.#firstParents();
    const size = words.length / 2;
    let id = start;
    // Parents have smaller numbers, and changes lie by theirs: none is looked at twice.
    for (let at = placeOf(words, id);;) {
      const next = at < size ? words[at * 2] : -1;
      let first = parents[id * 2];
      while (id > next && first < id) {
        id = first;
        first = parents[id * 2];
      }
      if (first === isOutside) return { id };
      if (id < next) {
        at++;
        continue;
      }
      if (id === next) {
        const same = words[at * 2 + 1];
        if (same === noneSame) return { id, at };
        first = this.#otherParents(id)[same] ?? id;
      } else if (first === noParent) return "absent";
      if (!(first < id)) throw cycle();
      id = first;
    }
  }

  /** The newest commit at or before one that removed a path; "none"; undefined when it is not known. */
  findRemoval(oid: string, path: string): string | "none" | undefined {
    const start = this.findId(oid);
    const parents = this.#firstParents();
    if (start === undefined || parents[start * 2] === isOutside) return undefined;
    const { first, words } = this.#changesOf(path);
    const removals = new Set<number>();
    for (let i = 0; i < words.length / 2; i++) {
      const isGone = words[i * 2 + 1] === noneSame && words[i * 2] <= start &&
        this.#versionOf(words[i * 2], first + i) === "absent";
      if (isGone) removals.add(words[i * 2]);
    }
    const reached = new Uint8Array(start + 1);
    reached[start] = 1;
    // Parents have smaller numbers: one way down meets every ancestor, the newest first.
    for (let id = start, left = removals.size; left > 0 && id >= 0; id--) {
      if (removals.has(id)) left--;
      if (!reached[id]) continue;
      if (removals.has(id)) return this.#oidOf(id);
      if (parents[id * 2] < id) reached[parents[id * 2]] = 1;
      for (const other of this.#otherParents(id)) reached[other] = 1;
    }
    return "none";
  }

  #versionOf(id: number, change: number): { commit: string; blob: string } | "absent" {
    const blob = this.#bytes(this.#start.blobs + change * this.oidBytes, this.oidBytes);
    if (blob.every((byte) => byte === 0)) return "absent";
    return { commit: this.#oidOf(id), blob: blob.toHex() };
  }

  /** Throws IndexDamage unless every page is sound, and every parent comes before its child. */
  verify(): void {
    this.#source.verify();
    for (let id = 0; id < this.count; id++) this.#otherParents(id);
  }

  readParts(): HistoryParts {
    const { commits, merges, paths, changes } = this.#counts;
    return {
      oidBytes: this.oidBytes,
      commits: this.#words(this.#start.commits, commits * 2),
      merges: this.#words(this.#start.merges, merges),
      paths: this.#words(this.#start.paths, paths * 4),
      changes: this.#words(this.#start.changes, changes * 2),
      oids: this.#source.read(this.#start.oids, commits * this.oidBytes),
      blobs: this.#source.read(this.#start.blobs, changes * this.oidBytes),
    };
  }

  /** The number of a commit, or undefined when it is not known. */
  findId(oid: string): number | undefined {
    if (this.#ids.has(oid)) return this.#ids.get(oid);
    const id = this.#searchId(oid);
    this.#ids.set(oid, id);
    return id;
  }

  #searchId(oid: string): number | undefined {
    if (oid.length !== this.oidBytes * 2) return undefined;
    const wanted = parseInt(oid.slice(0, 8), 16);
    const { names } = this.#start;
    let at = this.#searchPlace(names, { count: this.count, entryWords: 2, wanted });
    for (; at < this.count; at++) {
      const [start, id] = this.#entry(names + at * 8, 2);
      if (start !== wanted) return undefined;
      if (this.#oidOf(id) === oid) return id;
    }
    return undefined;
  }

  #changesOf(path: string): PathChanges {
    let found = this.#found.get(path);
    if (found === undefined) {
      found = this.#searchChanges(path);
      this.#found.set(path, found);
    }
    return found;
  }

  #searchChanges(path: string): PathChanges {
    const [high, low] = hash64(path);
    const { paths } = this.#start;
    const { paths: count } = this.#counts;
    let at = this.#searchPlace(paths, { count, entryWords: 4, wanted: high });
    for (; at < count; at++) {
      const [entryHigh, entryLow, first, size] = this.#entry(paths + at * 16, 4);
      if (entryHigh !== high) break;
      if (entryLow !== low) continue;
      return { first, words: this.#words(this.#start.changes + first * 8, size * 2) };
    }
    return { first: 0, words: new Uint32Array() };
  }

  /** The first entry whose first word is not smaller: hashes are spread evenly, so places are guessed. */
  #searchPlace(
    start: number,
    { count, entryWords, wanted }: { count: number; entryWords: number; wanted: number },
  ): number {
    let [from, to, least, most] = [0, count, 0, 2 ** 32];
    for (let tries = 0; from < to; tries++) {
      const share = tries < 6 && most > least ? (wanted - least) / (most - least) : 0.5;
      const middle = Math.min(to - 1, from + Math.floor(share * (to - from)));
      const [word] = this.#entry(start + middle * entryWords * 4, 1);
      if (word < wanted) [from, least] = [middle + 1, word];
      else [to, most] = [middle, word];
    }
    return from;
  }

  /** Parents have smaller numbers than their children, or no walk would be sure to end. */
  #firstParents(): Uint32Array {
    if (this.#commits !== undefined) return this.#commits;
    const commits = this.#words(this.#start.commits, this.count * 2);
    for (let id = 0; id < this.count; id++) {
      if (commits[id * 2] >= id && commits[id * 2] < isOutside) throw cycle();
    }
    return this.#commits = commits;
  }

  #otherParents(id: number): number[] {
    const at = this.#firstParents()[id * 2 + 1];
    if (at === 0) return [];
    const [count] = this.#entry(this.#start.merges + (at - 1) * 4, 1);
    const others = Array.from(this.#words(this.#start.merges + at * 4, count));
    if (others.some((parent) => parent >= id)) throw cycle();
    return others;
  }

  #oidOf(id: number): string {
    return this.#bytes(this.#start.oids + id * this.oidBytes, this.oidBytes).toHex();
  }

  #entry(offset: number, words: number): Uint32Array {
    return new Uint32Array(this.#bytes(offset, words * 4).buffer);
  }

  /** A few bytes, alone in their buffer; their pages are read once. */
  #bytes(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < bytes.length;) {
      const page = Math.floor((offset + done) / pageBytes);
      let kept = this.#pages.get(page);
      if (kept === undefined) {
        kept = this.#source.read(page * pageBytes, pageBytes);
        this.#pages.set(page, kept);
      }
      const start = offset + done - page * pageBytes;
      const part = kept.subarray(start, start + bytes.length - done);
      bytes.set(part, done);
      done += part.length;
    }
    return bytes;
  }

  #words(offset: number, count: number): Uint32Array {
    return new Uint32Array(this.#source.read(offset, count * 4).buffer);
  }
}

interface PathChanges {
  /** The number of the first change. */
  first: number;
  words: Uint32Array;
}

/** The first change that is not newer than a commit; changes lie newest first. */
function placeOf(words: Uint32Array, id: number): number {
  let [from, to] = [0, words.length / 2];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (words[middle * 2] > id) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Where the history of a workspace is kept, below its `index/`. */
export function historyPathOf({ index }: Pick<Layout, "index">): string {
  return `${index}/git.paths.bin`;
}

/** Opens a kept history; undefined when there is none, or it is damaged: then it is made anew. */
export function openHistory(files: Files, path: string): PathHistory | undefined {
  using opened = new DisposableStack();
  const reader = opened.use(files.openReader(path));
  if (reader === undefined) return undefined;
  try {
    const source = openSealedFile(reader, { label: path, magic });
    const history = new PathHistory(source);
    opened.move();
    return history;
  } catch (error) {
    if (!(error instanceof IndexDamage)) throw error;
    return undefined;
  }
}

/** Opens a kept history that has a commit: then there is nothing to add to it. */
export function openHistoryWith(
  oid: string,
  { files, path }: { files: Files; path: string },
): PathHistory | undefined {
  using opened = new DisposableStack();
  try {
    const history = opened.use(openHistory(files, path));
    if (!history?.has(oid)) return undefined;
    opened.move();
    return history;
  } catch (error) {
    if (error instanceof IndexDamage) return undefined;
    throw error;
  }
}

function toBytes(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

function cycle(): IndexDamage {
  return new IndexDamage("the kept history has a cycle");
}
