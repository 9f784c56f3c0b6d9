// Reads git objects, loose and packed, with positioned reads. Missing objects (a shallow or partial
// clone) are undefined; damaged ones throw GitDamage. Nothing outside of the repository is read: links
// in it are not followed out of it, and objects are borrowed (alternates) only within the workspace.

import { inflateSync } from "node:zlib";
import { whenPresent } from "../store/files/files.ts";
import { GitBudget, GitDamage, type GitObject, maxObjectBytes } from "./git_object.ts";
import { GitPack, type Wanted } from "./git_pack.ts";
import { findRealPath, findTextIn, type GitRepository, isWithin } from "./git_repository.ts";

const maxCachedBytes = 64 << 20;
/** Each pack takes two open files. */
const maxPacks = 200;
const maxAlternates = 8;

/** The objects of a repository; close it. */
export class GitObjects implements Disposable {
  readonly #directories: string[];
  readonly #packs: GitPack[] = [];
  readonly #cache = new Map<string, GitObject>();
  readonly #budget: GitBudget;
  #cachedBytes = 0;

  constructor(repository: GitRepository, oidBytes: number, budget = new GitBudget()) {
    this.#budget = budget;
    this.#directories = objectDirectories(repository);
    const options = { oidBytes, budget, findBase: this.#find.bind(this) };
    using opened = new DisposableStack();
    for (const directory of this.#directories) {
      for (const name of listDirectory(`${directory}/pack`)) {
        if (!name.endsWith(".idx") || this.#packs.length === maxPacks) continue;
        const path = `${directory}/pack/${name.slice(0, -4)}`;
        if (![".idx", ".pack"].every((end) => isFileIn(path + end, directory))) continue;
        const pack = GitPack.open(path, options);
        if (pack !== undefined) this.#packs.push(opened.use(pack));
      }
    }
    opened.move();
  }

  /** The object of that name, or undefined when it is not there or larger than wanted. */
  find(oid: string, maxBytes: number = maxObjectBytes): GitObject | undefined {
    return this.#find(oid, { maxBytes, deltas: 0, heldBytes: 0 });
  }

  [Symbol.dispose](): void {
    for (const pack of this.#packs) pack[Symbol.dispose]();
  }

  #find(oid: string, wanted: Wanted): GitObject | undefined {
    const known = this.#cache.get(oid);
    if (known !== undefined) return known;
    const object = this.#findPacked(oid, wanted) ?? this.#findLoose(oid, wanted);
    if (object !== undefined && object.data.length < 1 << 20) this.#keep(oid, object);
    return object;
  }

  #keep(oid: string, object: GitObject): void {
    if (this.#cachedBytes > maxCachedBytes) {
      this.#cache.clear();
      this.#cachedBytes = 0;
    }
    this.#cache.set(oid, object);
    this.#cachedBytes += object.data.length;
  }

  #findPacked(oid: string, wanted: Wanted): GitObject | undefined {
    for (const pack of this.#packs) {
      const object = pack.find(oid, wanted);
      if (object !== undefined) return object;
    }
    return undefined;
  }

  #findLoose(oid: string, { maxBytes }: Wanted): GitObject | undefined {
    for (const directory of this.#directories) {
      const path = `${directory}/${oid.slice(0, 2)}/${oid.slice(2)}`;
      const packed = findFileIn(path, directory, maxBytes);
      if (packed === undefined) continue;
      const object = parseLoose(packed, maxBytes);
      this.#budget.spend(object?.data.length ?? maxBytes);
      return object;
    }
    return undefined;
  }
}

const maxHeadBytes = 32;

/** A loose object; undefined when it is larger than wanted. */
function parseLoose(packed: Uint8Array, maxBytes: number): GitObject | undefined {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(inflateSync(packed, { maxOutputLength: maxBytes + maxHeadBytes }));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw new GitDamage("an object is damaged");
  }
  const end = bytes.indexOf(0);
  const head = new TextDecoder().decode(bytes.subarray(0, Math.min(end, maxHeadBytes)));
  const [, kind, size] = /^(commit|tree|blob|tag) (\d+)$/.exec(head) ?? [];
  const data = bytes.subarray(end + 1);
  if (end < 0 || Number(size) !== data.length) throw new GitDamage("an object is damaged");
  return { kind: kind as GitObject["kind"], data };
}

/** The repository's own objects, and those it borrows from within the workspace. */
function objectDirectories({ commonDirectory, root }: GitRepository): string[] {
  const own = findRealPath(`${commonDirectory}/objects`);
  if (own === undefined || !isWithin(own, commonDirectory)) {
    throw new GitDamage("its objects are outside of it");
  }
  const lines = findTextIn(own, "info/alternates", 64 << 10)?.split("\n") ?? [];
  const others = lines.filter((line) => line !== "" && !line.startsWith("#"))
    .slice(0, maxAlternates)
    .map((line) => findRealPath(line.startsWith("/") ? line : `${own}/${line}`))
    .filter((path) => path !== undefined).filter((path) => isWithin(path, root));
  return [own, ...others];
}

/** Whether a path is a plain file of a directory, not what a link leads to elsewhere. */
function isFileIn(path: string, directory: string): boolean {
  const real = findRealPath(path);
  return real !== undefined && isWithin(real, directory) && Deno.lstatSync(real).isFile;
}

/** A plain file of a directory; undefined when there is none, or a larger one, or it just went. */
function findFileIn(path: string, directory: string, maxBytes: number): Uint8Array | undefined {
  return whenPresent(() => {
    const isWanted = isFileIn(path, directory) && Deno.statSync(path).size <= maxBytes;
    return isWanted ? Deno.readFileSync(path) : undefined;
  });
}

function listDirectory(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].map((entry) => entry.name).sort();
  } catch {
    return [];
  }
}
