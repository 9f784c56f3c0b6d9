// Reads git objects, loose and packed, with positioned reads. Missing objects (a shallow or partial
// clone) are undefined; damaged ones throw GitDamage. Nothing outside of the repository is read: links
// in it are not followed out of it, and objects are borrowed (alternates) only within the workspace.

import { resolvePath } from "../../core/platform_path.ts";
import { diskFiles, whenPresent } from "../../disk/files.ts";
import {
  GitBudget,
  GitDamage,
  GitMissing,
  type GitObject,
  GitOversized,
  maxObjectBytes,
} from "./git_object.ts";
import { GitPack, type PackOptions, type Wanted } from "./git_pack.ts";
import { inflateUpTo } from "./inflate.ts";
import { findRealPath, findTextIn, type GitRepository, isWithin } from "./git_repository.ts";

const maxCachedBytes = 64 << 20;
/** Each pack takes two open files. */
const maxPacks = 200;
const maxAlternates = 8;

/** The objects of a repository; close it. */
export class GitObjects implements Disposable {
  readonly #directories: string[];
  /** Paths of packs that were not needed yet, and packs that were, the last one that helped first. */
  readonly #closed: string[];
  readonly #packs: GitPack[] = [];
  readonly #options: PackOptions;
  readonly #cache = new Map<string, GitObject>();
  readonly #budget: GitBudget;
  #cachedBytes = 0;

  constructor(repository: GitRepository, oidBytes: number, budget = new GitBudget()) {
    this.#budget = budget;
    this.#directories = objectDirectories(repository);
    this.#options = { oidBytes, budget, findBase: this.#find.bind(this) };
    this.#closed = this.#directories.flatMap(listPacks).slice(0, maxPacks);
  }

  /** The object of that name, or undefined when it is not there or larger than wanted. */
  find(oid: string, maxBytes: number = maxObjectBytes): GitObject | undefined {
    return this.#find(oid, { maxBytes, deltas: 0, heldBytes: 0 });
  }

  /** Whether an object is there, however large. */
  has(oid: string): boolean {
    return this.namesWith(oid).has(oid);
  }

  /** Why an object was not found: fetching it again helps only where it is not there. */
  explain(oid: string, what: string): GitMissing {
    return this.has(oid)
      ? new GitOversized(`${what} is too large`)
      : new GitMissing(`${what} is not there`);
  }

  /** The names of objects that start with some hexadecimal digits, at least two of them. */
  namesWith(prefix: string): Set<string> {
    while (this.#openNext() !== undefined);
    const names = new Set(this.#packs.flatMap((pack) => [...pack.namesWith(prefix)]));
    const [folder, rest] = [prefix.slice(0, 2), prefix.slice(2)];
    for (const directory of this.#directories) {
      for (const name of listDirectory(`${directory}/${folder}`)) {
        const isObject = name.length === this.#options.oidBytes * 2 - 2 && /^[0-9a-f]+$/.test(name);
        if (isObject && name.startsWith(rest)) names.add(folder + name);
      }
    }
    return names;
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
    for (let i = 0;; i++) {
      const pack = this.#packs[i] ?? this.#openNext();
      if (pack === undefined) return undefined;
      const object = pack.find(oid, wanted);
      if (object === undefined) continue;
      if (i > 0) this.#packs.unshift(...this.#packs.splice(this.#packs.indexOf(pack), 1));
      return object;
    }
  }

  #openNext(): GitPack | undefined {
    for (let path = this.#closed.shift(); path !== undefined; path = this.#closed.shift()) {
      const directory = path.slice(0, path.lastIndexOf("/pack/"));
      if (![".idx", ".pack"].every((end) => isFileIn(path + end, directory))) continue;
      const pack = GitPack.open(path, this.#options);
      if (pack === undefined) continue;
      this.#packs.push(pack);
      return pack;
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
  const bytes = inflateUpTo(packed, maxBytes + maxHeadBytes);
  if (bytes === undefined) return undefined;
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
    .map((line) => findRealPath(resolvePath(line, own)))
    .filter((path) => path !== undefined).filter((path) => isWithin(path, root));
  return [own, ...others];
}

/** The packs of a directory, without their endings: the largest, which is the likeliest, first. */
function listPacks(directory: string): string[] {
  return listDirectory(`${directory}/pack`).filter((name) => name.endsWith(".idx"))
    .map((name) => `${directory}/pack/${name.slice(0, -4)}`)
    .map((path) => ({ path, size: diskFiles.findSize(`${path}.idx`) ?? 0 }))
    .sort((a, b) => b.size - a.size).map(({ path }) => path);
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
