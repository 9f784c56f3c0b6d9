// A kept history that grows: commits and changes are added to what was known, and laid out by path.

import { hash64 } from "../../core/hash.ts";
import { type HistoryParts, isOutside, noParent, type PathHistory } from "./path_history.ts";

export class HistoryTable {
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
    const old = this.#old;
    const total = this.#blobs.length + (old?.changes.length ?? 0) / 2;
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
      if (old === undefined || size === 0) return;
      changes.set(old.changes.subarray(first * 2, (first + size) * 2), at * 2);
      const bytes = this.#oidBytes;
      blobs.set(old.blobs.subarray(first * bytes, (first + size) * bytes), at * bytes);
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
