// From an import as it is written to the file of the workspace it means. Pure: the files are handed
// in. What is not relative is found by the end of its path, so that no configuration needs reading but
// the name of a Go module: aliases and packages name a path within the workspace.

import type { FileFacts } from "./file_facts.ts";
import { scriptExtensions } from "./languages.ts";

/** The files of a workspace, by path, name and directory. */
export class ImportWorld {
  /** The module that the go.mod of the workspace names. */
  readonly goModule?: string;
  readonly #paths: ReadonlySet<string>;
  readonly #byName: Map<string, string[]>;
  readonly #byDirectory: Map<string, string[]>;

  constructor(paths: Iterable<string>, goModule?: string) {
    this.goModule = goModule;
    this.#paths = new Set(paths);
    this.#byName = Map.groupBy(this.#paths, (path) => path.slice(path.lastIndexOf("/") + 1));
    this.#byDirectory = Map.groupBy(this.#paths, directoryOf);
  }

  /** Whether a file is there. */
  has(path: string): boolean {
    return this.#paths.has(path);
  }

  findNamed(name: string): readonly string[] {
    return this.#byName.get(name) ?? [];
  }

  listDirectory(directory: string): readonly string[] {
    return this.#byDirectory.get(directory) ?? [];
  }

  /** The first of some paths that is there. */
  pick(paths: readonly string[]): string | undefined {
    return paths.find((path) => this.#paths.has(path));
  }

  /** The file that ends so, if only one does. */
  findEnding(end: string): string | undefined {
    const named = this.findNamed(end.slice(end.lastIndexOf("/") + 1));
    const found = named.filter((path) => path === end || path.endsWith(`/${end}`));
    return found.length === 1 ? found[0] : undefined;
  }

  findDirectory(end: string): string | undefined {
    return this.#byDirectory.keys().find((path) => path === end || path.endsWith(`/${end}`));
  }
}

/** The files and directories that a file's imports lead to. */
export function resolveImports(facts: FileFacts, world: ImportWorld): string[] {
  const resolve = resolvers[facts.language];
  const links = new Set<string>();
  for (const spec of facts.specs) {
    const link = resolve(facts.path, spec, world);
    if (link !== undefined && link !== facts.path) links.add(link);
  }
  return [...links];
}

const resolvers = {
  script: resolveScript,
  python: resolvePython,
  rust: resolveRust,
  go: (_from: string, spec: string, { goModule }: ImportWorld): string | undefined =>
    goModule !== undefined && spec.startsWith(`${goModule}/`)
      ? `${spec.slice(goModule.length + 1)}/`
      : undefined,
  java: (_from: string, spec: string, world: ImportWorld): string | undefined => {
    const parts = spec.split(".");
    if (parts.at(-1) === "*") return world.findDirectory(`${parts.slice(0, -1).join("/")}/`);
    // The last part may be a member of the class.
    return world.findEnding(`${parts.join("/")}.java`) ??
      world.findEnding(`${parts.slice(0, -1).join("/")}.java`);
  },
};

function resolveScript(from: string, spec: string, world: ImportWorld): string | undefined {
  if (/^\.\.?(\/|$)/.test(spec)) {
    const path = joinPath(directoryOf(from), spec);
    return path === undefined ? undefined : world.pick(scriptNames(path));
  }
  if (spec.includes(":")) return undefined;
  // An alias stands for a directory: `@/auth/token`, `~/auth/token`, `#auth/token`.
  const alias = /^(?:[@~#]|[@#]\w+)\/(.+)$/.exec(spec)?.[1];
  const names = scriptNames(alias ?? spec);
  return world.pick(names) ??
    (alias === undefined ? undefined : names.map((name) => world.findEnding(name)).find(Boolean));
}

function scriptNames(path: string): string[] {
  const stem = path.replace(/\.(m|c)?jsx?$/, "");
  const bases = stem === path ? [path] : [stem, path];
  return [
    path,
    ...bases.flatMap((base) => scriptExtensions.map((extension) => `${base}.${extension}`)),
    ...scriptExtensions.map((extension) => `${path}/index.${extension}`),
  ];
}

function resolvePython(from: string, spec: string, world: ImportWorld): string | undefined {
  const dots = /^\.*/.exec(spec)![0].length;
  const path = spec.slice(dots).replaceAll(".", "/");
  const names = [`${path}.py`, path === "" ? "__init__.py" : `${path}/__init__.py`, `${path}.pyi`];
  if (dots === 0) return names.map((name) => world.findEnding(name)).find(Boolean);
  let directory = directoryOf(from);
  for (let i = 1; i < dots; i++) directory = directoryOf(directory.slice(0, -1));
  return world.pick(names.map((name) => directory + name));
}

function resolveRust(from: string, spec: string, world: ImportWorld): string | undefined {
  const directory = directoryOf(from);
  const stem = from.slice(directory.length).replace(/\.rs$/, "");
  const own = ["mod", "lib", "main"].includes(stem) ? directory : `${directory}${stem}/`;
  const [first, ...rest] = spec.startsWith("mod ") ? ["self", spec.slice(4)] : spec.split("::");
  const root = from.slice(0, from.lastIndexOf("src/") + 4);
  const above = own === directory ? directoryOf(directory.slice(0, -1)) : directory;
  const base = { crate: root, self: own, super: above }[first];
  for (let length = base === undefined ? 0 : rest.length; length > 0; length--) {
    const path = base + rest.slice(0, length).join("/");
    const found = world.pick([`${path}.rs`, `${path}/mod.rs`]);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** Joins and normalises; undefined when it leads out of the workspace. */
function joinPath(directory: string, spec: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${directory}/${spec}`.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
