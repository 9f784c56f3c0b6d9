// Which paths a project has, as rules name them: from the root, from the folder of the file, or by their
// last parts alone. What git ignores may be there on another machine.

import { normalizePath } from "../core/platform_path.ts";
import { findInfo, findSmallText } from "../disk/outside_files.ts";

export class ProjectPaths {
  readonly #workspace: string;
  readonly #known = new Set<string>();
  readonly #byName = new Map<string, string[]>();
  readonly #ignored: Promise<((path: string) => boolean)[]>;

  constructor(workspace: string, files: readonly string[]) {
    this.#workspace = workspace;
    for (const path of files) {
      const parts = path.split("/");
      for (let end = 1; end <= parts.length; end++) {
        const part = parts.slice(0, end).join("/");
        if (this.#known.has(part)) continue;
        this.#known.add(part);
        const name = parts[end - 1];
        const same = this.#byName.get(name);
        if (same) same.push(part);
        else this.#byName.set(name, [part]);
      }
    }
    this.#ignored = readIgnored(workspace, files);
  }

  /** Whether a path leads to something, seen from a folder, from those around it, or by its end. */
  has(path: string, folder: string): boolean {
    const clean = path.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
    for (let from = folder;; from = from.slice(0, Math.max(0, from.lastIndexOf("/")))) {
      const whole = normalizePath(`/${from}/${clean}`).slice(1);
      if (this.#known.has(whole) || findInfo(`${this.#workspace}/${whole}`)) return true;
      if (from === "") break;
    }
    const last = clean.slice(clean.lastIndexOf("/") + 1);
    return (this.#byName.get(last) ?? []).some((one) => one.endsWith(`/${clean}`));
  }

  /** Whether the first part of a path is a folder here: then the path is one of this project. */
  isOwn(path: string, folder: string): boolean {
    const [first, ...rest] = path.replace(/^(?:\.\/)+/, "").split("/");
    if (rest.length === 0) return false;
    if (/^\.+$/.test(first)) return true;
    return this.#known.has(first) || this.#known.has(folder === "" ? first : `${folder}/${first}`);
  }

  /** The only file with the same name, if there is one: it was moved there. */
  findMoved(path: string): string | undefined {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const same = this.#byName.get(name) ?? [];
    return same.length === 1 && !common.test(name) ? same[0] : undefined;
  }

  /** Whether git ignores it: then it is made, or of one machine. */
  async isIgnored(path: string): Promise<boolean> {
    const clean = path.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
    const parts = clean.split("/");
    const above = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
    return (await this.#ignored).some((matches) => above.some(matches));
  }
}

/** Names that files of every folder have. */
const common =
  /^(?:README\.md|index\.\w+|mod\.\w+|main\.\w+|__init__\.py|package\.json|types\.ts)$/;

async function readIgnored(
  workspace: string,
  files: readonly string[],
): Promise<((path: string) => boolean)[]> {
  const own = files.filter((path) => /(?:^|\/)\.gitignore$/.test(path)).slice(0, 50);
  const globs = own.flatMap((path) => {
    const folder = path.slice(0, -".gitignore".length);
    return (findSmallText(`${workspace}/${path}`) ?? "").split("\n")
      .map((line) => line.trim()).filter((line) => line !== "" && !/^[#!]/.test(line))
      .map((line) => {
        const bare = line.replace(/\/+$/, "").replace(/^\//, "");
        return folder + (line.replace(/\/+$/, "").includes("/") ? bare : `**/${bare}`);
      });
  });
  if (globs.length === 0) return [];
  const { makeGlob } = await import("../core/glob.ts");
  return globs.slice(0, 500).flatMap((glob) => {
    try {
      return [makeGlob(glob)];
    } catch {
      return [];
    }
  });
}
