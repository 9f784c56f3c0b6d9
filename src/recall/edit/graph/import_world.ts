// Reads what a workspace says about its own import names: import maps, tsconfig paths, go.mod, and
// the packages that Java files declare. Files that cannot be read say nothing.

import { parse } from "jsonc-parser";
import { toFields } from "../../../core/json.ts";
import type { FileFacts } from "./file_facts.ts";
import { directoryOf, type ImportWorld } from "./resolve_imports.ts";

/** The world that the imports of some files are resolved in. */
export function readImportWorld(
  root: string,
  files: Iterable<Pick<FileFacts, "path" | "language" | "module">>,
): ImportWorld {
  const paths = new Set<string>();
  const javaClasses = new Map<string, string>();
  const goDirectories = new Set<string>();
  for (const { path, language, module } of files) {
    if (language === undefined) continue;
    paths.add(path);
    if (language === "go") {
      for (const directory of parentsOf(path)) goDirectories.add(directory);
    }
    if (language === "java") {
      const name = path.slice(path.lastIndexOf("/") + 1, -".java".length);
      javaClasses.set(module === undefined ? name : `${module}.${name}`, path);
    }
  }
  const goModules = new Map<string, string>();
  for (const directory of goDirectories) {
    const module = /^module\s+(\S+)/m.exec(findText(`${root}/${directory}go.mod`) ?? "")?.[1];
    if (module !== undefined) goModules.set(directory, module);
  }
  return {
    has: (path) => paths.has(path),
    aliases: readAliases(root),
    goModules,
    javaClasses,
  };
}

function readAliases(root: string): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const name of ["deno.json", "deno.jsonc", "import_map.json", "package.json"]) {
    const { imports } = readObject(`${root}/${name}`);
    for (const [prefix, target] of Object.entries(toFields(imports))) {
      if (typeof target === "string" && target.startsWith(".//")) {
        aliases.set(prefix.replace(/\*$/, ""), target.replace(/^\.\/|\*$/g, ""));
      }
    }
  }
  for (const name of ["tsconfig.json", "jsconfig.json"]) {
    const options = toFields(readObject(`${root}/${name}`).compilerOptions);
    const base = typeof options.baseUrl === "string" ? `${options.baseUrl}/` : "";
    for (const [prefix, targets] of Object.entries(toFields(options.paths))) {
      const target = Array.isArray(targets) ? targets[0] : undefined;
      if (typeof target === "string") {
        const path = (base + target).replace(/^(\.\/)+|\*$/g, "").replaceAll("/./", "/");
        aliases.set(prefix.replace(/\*$/, ""), path);
      }
    }
  }
  return aliases;
}

function readObject(path: string): Record<string, unknown> {
  const text = findText(path);
  if (text === undefined) return {};
  return toFields(parseLoosely(text));
}

/** JSON with comments and trailing commas, as tsconfig files are; undefined when it is neither. */
function parseLoosely(text: string): unknown {
  try {
    return parse(text, [], { allowTrailingComma: true });
  } catch {
    return undefined;
  }
}

function parentsOf(path: string): string[] {
  const parents: string[] = [];
  let directory = directoryOf(path);
  while (directory !== "") {
    parents.push(directory);
    directory = directoryOf(directory.slice(0, -1));
  }
  return [...parents, ""];
}

/** Larger files say nothing here: they are not what they are called. */
const maxTextBytes = 256 << 10;

function findText(path: string): string | undefined {
  try {
    const { isFile, size } = Deno.statSync(path);
    return isFile && size <= maxTextBytes ? Deno.readTextFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}
