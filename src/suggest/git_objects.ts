// Reads git objects, loose and packed, with positioned reads. Missing objects (a shallow or partial
// clone) are undefined, never an error.

import { inflateSync } from "node:zlib";
import { GitPack, maxObjectBytes } from "./git_pack.ts";

/** A raw object. */
export interface GitObject {
  kind: "commit" | "tree" | "blob" | "tag";
  data: Uint8Array;
}

const maxCachedBytes = 64 << 20;

/** The objects of a repository; close it. */
export class GitObjects implements Disposable {
  readonly #directories: string[];
  readonly #packs: GitPack[] = [];
  readonly #cache = new Map<string, GitObject>();
  #cachedBytes = 0;

  constructor(commonDirectory: string, oidBytes: number) {
    this.#directories = withAlternates(`${commonDirectory}/objects`);
    for (const directory of this.#directories) {
      for (const name of listDirectory(`${directory}/pack`)) {
        if (!name.endsWith(".idx")) continue;
        const path = `${directory}/pack/${name.slice(0, -4)}`;
        const pack = GitPack.open(path, { oidBytes, findObject: (oid) => this.find(oid) });
        if (pack !== undefined) this.#packs.push(pack);
      }
    }
  }

  /** The object of that name, or undefined. */
  find(oid: string): GitObject | undefined {
    const known = this.#cache.get(oid);
    if (known !== undefined) return known;
    const object = this.#findPacked(oid) ?? this.#findLoose(oid);
    if (object !== undefined && object.data.length < 1 << 20) this.#keep(oid, object);
    return object;
  }

  [Symbol.dispose](): void {
    for (const pack of this.#packs) pack[Symbol.dispose]();
  }

  #keep(oid: string, object: GitObject): void {
    if (this.#cachedBytes > maxCachedBytes) {
      this.#cache.clear();
      this.#cachedBytes = 0;
    }
    this.#cache.set(oid, object);
    this.#cachedBytes += object.data.length;
  }

  #findPacked(oid: string): GitObject | undefined {
    for (const pack of this.#packs) {
      const object = pack.find(oid);
      if (object !== undefined) return object;
    }
    return undefined;
  }

  #findLoose(oid: string): GitObject | undefined {
    for (const directory of this.#directories) {
      try {
        const path = `${directory}/${oid.slice(0, 2)}/${oid.slice(2)}`;
        if (Deno.statSync(path).size > maxObjectBytes) continue;
        const limits = { maxOutputLength: maxObjectBytes };
        const bytes = new Uint8Array(inflateSync(Deno.readFileSync(path), limits));
        const end = bytes.indexOf(0);
        const kind = new TextDecoder().decode(bytes.subarray(0, end)).split(" ")[0];
        return { kind: kind as GitObject["kind"], data: bytes.subarray(end + 1) };
      } catch {
        continue;
      }
    }
    return undefined;
  }
}

/** Object directories that this one borrows from, one level deep and on. */
function withAlternates(directory: string, depth = 0): string[] {
  if (depth > 4) return [];
  let text = "";
  try {
    text = Deno.readTextFileSync(`${directory}/info/alternates`);
  } catch {
    return [directory];
  }
  const others = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.startsWith("/") ? line : `${directory}/${line}`);
  return [directory, ...others.flatMap((other) => withAlternates(other, depth + 1))];
}

function listDirectory(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].map((entry) => entry.name).sort();
  } catch {
    return [];
  }
}
