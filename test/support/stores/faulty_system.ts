// System calls that fail at a chosen change after a chosen number of bytes: as a kill (nothing
// later reaches the disk), as a loss of power (what was not synced is gone too) or as a full disk
// (the process lives on and cleans up). Real files, no real syncs.

import type { FileSystem } from "../../../src/disk/files.ts";

/** How a failure looks to the program. */
export type Fault = "kill" | "power" | "full";

/** One change to the disk: what kind, and how many bytes it writes. */
export interface Change {
  kind: "write" | "sync" | "rename" | "remove" | "truncate" | "create" | "mkdir";
  bytes: number;
}

/** Where and how to fail; `failAt` counts changes from 1, 0 never fails. */
export interface FaultPlan {
  failAt: number;
  afterBytes: number;
  fault: Fault;
}

/** The moment the process would have died. */
export class Crash extends Error {
  override readonly name = "Crash";
}

/** A file system over the real one that fails as planned and records what it was asked to change. */
export class FaultySystem implements FileSystem {
  readonly changes: Change[] = [];
  /** Whether the planned failure happened. */
  failed = false;
  readonly statSync = Deno.statSync;
  readonly readDirSync = Deno.readDirSync;
  readonly readFileSync = Deno.readFileSync;
  readonly #plan: FaultPlan;
  readonly #durable = new Map<string, number>();

  constructor(plan: FaultPlan) {
    this.#plan = plan;
  }

  openSync(path: string | URL, options: Deno.OpenOptions = {}): Deno.FsFile {
    const name = String(path);
    if (!options.write && !options.append) return Deno.openSync(path, options);
    const size = findSize(name);
    if (size === undefined || options.truncate) {
      this.#change({ kind: "create", bytes: 0 }, () => Deno.openSync(path, options).close());
    }
    if (!this.#durable.has(name)) this.#durable.set(name, options.truncate ? 0 : size ?? 0);
    return this.#watch(Deno.openSync(path, { ...options, truncate: false }), name);
  }

  renameSync(from: string | URL, to: string | URL): void {
    this.#change({ kind: "rename", bytes: 0 }, () => {
      Deno.renameSync(from, to);
      this.#durable.set(String(to), this.#durable.get(String(from)) ?? 0);
      this.#durable.delete(String(from));
    });
  }

  removeSync(path: string | URL): void {
    if (findSize(String(path)) === undefined) throw new Deno.errors.NotFound(String(path));
    this.#change({ kind: "remove", bytes: 0 }, () => {
      Deno.removeSync(path);
      this.#durable.delete(String(path));
    });
  }

  truncateSync(path: string, size = 0): void {
    this.#change({ kind: "truncate", bytes: 0 }, () => {
      Deno.truncateSync(path, size);
      this.#durable.set(path, Math.min(size, this.#durable.get(path) ?? size));
    });
  }

  mkdirSync(path: string | URL, options?: Deno.MkdirOptions): void {
    if (findSize(String(path)) !== undefined) return;
    this.#change({ kind: "mkdir", bytes: 0 }, () => Deno.mkdirSync(path, options));
  }

  #watch(file: Deno.FsFile, path: string): Deno.FsFile {
    const overrides: Record<string | symbol, unknown> = {
      writeSync: (bytes: Uint8Array): number => {
        const change: Change = { kind: "write", bytes: bytes.length };
        const part = (size: number): void => void file.writeSync(bytes.subarray(0, size));
        this.#change(change, () => part(bytes.length), part);
        return bytes.length;
      },
      syncSync: () => this.#sync(path),
      syncDataSync: () => this.#sync(path),
    };
    return new Proxy(file, {
      get(target, name) {
        if (name in overrides) return overrides[name];
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }

  #sync(path: string): void {
    this.#change(
      { kind: "sync", bytes: 0 },
      () => this.#durable.set(path, findSize(path) ?? 0),
    );
  }

  /** Runs a change, or the part of it that is planned, or nothing once the process is dead. */
  #change(change: Change, whole: () => void, part?: (bytes: number) => void): void {
    const { failAt, afterBytes, fault } = this.#plan;
    this.changes.push(change);
    const n = this.changes.length;
    const isFull = fault === "full" && this.failed && change.kind === "write";
    if (isFull) throw noSpace();
    if (fault !== "full" && this.failed) throw new Crash();
    if (n !== failAt) return whole();
    this.failed = true;
    if (part) part(Math.min(afterBytes, change.bytes));
    else if (afterBytes > 0) whole();
    if (fault === "full") throw noSpace();
    if (fault === "power") this.#losePower();
    throw new Crash();
  }

  #losePower(): void {
    for (const [path, size] of this.#durable) {
      if ((findSize(path) ?? 0) > size) Deno.truncateSync(path, size);
    }
  }
}

function noSpace(): Error {
  return new Error("No space left on device (os error 28)");
}

function findSize(path: string): number | undefined {
  try {
    return Deno.statSync(path).size;
  } catch {
    return undefined;
  }
}
