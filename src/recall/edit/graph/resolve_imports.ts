// From an import as it is written to the file of the workspace it means. Pure: the set of files and
// the aliases are handed in. What leads out of the workspace resolves to nothing.

import type { FileFacts } from "./file_facts.ts";
import { scriptExtensions } from "./languages.ts";

/** What resolving needs to know of the workspace. */
export interface ImportWorld {
  has(path: string): boolean;
  /** Import-map and tsconfig aliases: prefix to path; a prefix with `/` at the end matches its tree. */
  aliases: ReadonlyMap<string, string>;
  /** The module path of the nearest go.mod, by directory ("" or `dir/`). */
  goModules: ReadonlyMap<string, string>;
  /** Java files by qualified class name. */
  javaClasses: ReadonlyMap<string, string>;
}

/** The files and directories that a file's imports lead to. */
export function resolveImports(facts: FileFacts, world: ImportWorld): string[] {
  const links = new Set<string>();
  for (const spec of facts.specs) {
    const link = resolveOne(facts, spec, world);
    if (link !== undefined && link !== facts.path) links.add(link);
  }
  return [...links];
}

function resolveOne(facts: FileFacts, spec: string, world: ImportWorld): string | undefined {
  switch (facts.language) {
    case "python":
      return resolvePython(facts.path, spec, world);
    case "go":
      return resolveGo(spec, world);
    case "rust":
      return resolveRust(facts.path, spec, world);
    case "java":
      return resolveJava(spec, world);
    default:
      return resolveScript(facts.path, spec, world);
  }
}

function resolveScript(from: string, spec: string, world: ImportWorld): string | undefined {
  if (spec.startsWith(".//") || spec.startsWith("../") || spec === "." || spec === "..") {
    return findScript(joinPath(directoryOf(from), spec), world);
  }
  for (const [prefix, target] of world.aliases) {
    if (spec === prefix) return findScript(target, world);
    if (prefix.endsWith("/") && spec.startsWith(prefix)) {
      return findScript(joinPath(target, spec.slice(prefix.length)), world);
    }
  }
  return undefined;
}

function findScript(path: string | undefined, { has }: ImportWorld): string | undefined {
  if (path === undefined) return undefined;
  if (has(path)) return path;
  const stem = path.replace(/\.(m|c)?jsx?$/, "");
  for (const base of stem === path ? [path] : [stem, path]) {
    for (const extension of scriptExtensions) {
      if (has(`${base}.${extension}`)) return `${base}.${extension}`;
    }
  }
  return scriptExtensions.map((extension) => `${path}/index.${extension}`).find(has);
}

function resolvePython(from: string, spec: string, { has }: ImportWorld): string | undefined {
  const dots = /^\.*/.exec(spec)![0].length;
  const parts = spec.slice(dots).split(".").filter((part) => part !== "");
  const pick = (base: string): string | undefined => {
    const path = base + parts.join("/");
    const init = `${path}${parts.length > 0 ? "/" : ""}__init__.py`;
    return [`${path}.py`, init, `${path}.pyi`].find(has);
  };
  if (dots > 0) {
    let directory = directoryOf(from);
    for (let i = 1; i < dots; i++) directory = directoryOf(directory.slice(0, -1));
    return pick(directory);
  }
  for (let directory = directoryOf(from);; directory = directoryOf(directory.slice(0, -1))) {
    const found = pick(directory) ?? pick(`${directory}src/`);
    if (found !== undefined || directory === "") return found;
  }
}

function resolveGo(spec: string, { goModules }: ImportWorld): string | undefined {
  for (const [directory, module] of goModules) {
    if (spec === module) return directory === "" ? ".//" : directory;
    if (spec.startsWith(`${module}/`)) return `${directory}${spec.slice(module.length + 1)}/`;
  }
  return undefined;
}

function resolveRust(from: string, spec: string, { has }: ImportWorld): string | undefined {
  const directory = directoryOf(from);
  const stem = from.slice(directory.length).replace(/\.rs$/, "");
  const own = ["mod", "lib", "main"].includes(stem) ? directory : `${directory}${stem}/`;
  if (spec.startsWith("mod ")) return pickRust(own + spec.slice(4), has);
  const parts = spec.split("::");
  let base: string;
  if (parts[0] === "crate") {
    const at = from.lastIndexOf("src/");
    base = at < 0 ? directory : from.slice(0, at + 4);
  } else if (parts[0] === "self") base = own;
  else if (parts[0] === "super") base = own === directory ? parentOf(directory) : directory;
  else return undefined;
  for (let length = parts.length; length > 1; length--) {
    const found = pickRust(base + parts.slice(1, length).join("/"), has);
    if (found !== undefined) return found;
  }
  return undefined;
}

function pickRust(path: string, has: (path: string) => boolean): string | undefined {
  return [`${path}.rs`, `${path}/mod.rs`].find(has);
}

function resolveJava(spec: string, { javaClasses }: ImportWorld): string | undefined {
  if (spec.endsWith(".*")) {
    const prefix = spec.slice(0, -1);
    for (const [name, path] of javaClasses) {
      const isMember = name.startsWith(prefix) && !name.slice(prefix.length).includes(".");
      if (isMember) return directoryOf(path);
    }
  }
  const parts = spec.split(".");
  for (let length = parts.length; length > 1; length--) {
    const found = javaClasses.get(parts.slice(0, length).join("."));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The directory of a path with its slash, or "". */
export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function parentOf(directory: string): string {
  return directoryOf(directory.slice(0, -1));
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
