// Whether an edit breaks a guard: the files that it changes, the lines that it adds, how things in them
// are named, what they import. Only what is added counts, never what the file had before. Pure.

import type { Breach, CodeKind, Guard } from "./guard_kinds.ts";
import type { EditedFile } from "./added_lines.ts";
import { type CodePart, codeParts, importedModules, isKnownCode } from "./code_parts.ts";
import { matchGlob, matchPath } from "./match_glob.ts";

/** A file of an edit, by its path in the workspace, and whether it is there already. */
export interface FileChange extends EditedFile {
  exists: boolean;
  /** Whether a command takes it away, a directory with all that is in it. */
  removes?: true;
}

/** The guards that an edit breaks, each once. */
export function checkEdit(guards: readonly Guard[], files: readonly FileChange[]): Breach[] {
  return guards.flatMap((guard): Breach[] => {
    for (const file of files) {
      if (guard.except?.some((pattern) => matchPath(pattern, file.path))) continue;
      const found = findBreach(guard, file);
      if (found !== undefined) {
        const line = file.added.find((one) => one.trim().length >= minChars);
        return [{ guard, what: file.path, file: file.path, line, ...found }];
      }
    }
    return [];
  });
}

/** A shorter line may be anywhere. */
const minChars = 4;

function findBreach({ check }: Guard, file: FileChange): { found?: string } | undefined {
  if (check.on !== "edit") return undefined;
  const { path, added, exists } = file;
  if ("touches" in check) {
    if (file.removes && buildOutputs.has(path.split("/").at(-1) ?? "")) return undefined;
    if (check.existing && !exists) return undefined;
    return check.touches.some((pattern) => matchPath(pattern, path)) ? {} : undefined;
  }
  if (file.removes) return undefined;
  if ("creates" in check) {
    const name = path.split("/").at(-1) ?? path;
    const isSuch = !exists && check.creates.some((pattern) => matchGlob(pattern, name));
    const isThere = check.below.some((pattern) => matchPath(pattern, path));
    return isSuch && !isThere ? {} : undefined;
  }
  const isMeant = check.in?.some((pattern) => matchPath(pattern, path)) ?? true;
  if (!isMeant) return undefined;
  if ("adds" in check) {
    const lines = check.outside === "text" ? added.map((line) => codeOf(line, path)) : added;
    const found = lines.find((line) => check.adds.some((pattern) => hasWords(line, pattern)));
    return found === undefined ? undefined : { found: found.trim() };
  }
  if ("imports" in check) {
    const found = importedModules(path, added).find((module) =>
      check.imports.some((name) => isModule(module, name))
    );
    return found === undefined ? undefined : { found };
  }
  if (!isKnownCode(path)) return undefined;
  if ("names" in check) {
    const part = codeParts(path, added).find(({ kind, name }) =>
      kind === check.names && !isNamed(name, check.like) && !isUsual({ kind, name }, path)
    );
    return part && { found: part.name };
  }
  return findLacking(check, file);
}

function findLacking(
  { each, has }: { each: CodeKind | "file"; has: string },
  { path, added, text, isWhole, isComplete }: FileChange,
): { found?: string } | undefined {
  if (each === "file") {
    if (!isWhole) return undefined;
    const module = /^import (.+)$/.exec(has)?.[1];
    if (module !== undefined) {
      return importedModules(path, text).some((one) => isModule(one, module)) ? undefined : {};
    }
    const mark = path.endsWith(".py") ? /#/ : /\/\/|\/\*|^\s*#/;
    return has === "comments" && !text.some((line) => mark.test(line)) ? {} : undefined;
  }
  // What the edit adds, by what stands there afterwards: a docstring may have been there before.
  const own = new Set(codeParts(path, added).filter(isSuch).map(({ name }) => name));
  const part = codeParts(path, text, { isFragment: !isComplete })
    .find((part) => isSuch(part) && own.has(part.name) && lacks(part, has));
  return part && { found: part.name };

  function isSuch({ kind }: CodePart): boolean {
    return kind === each;
  }
}

function lacks({ has, unknown }: CodePart, wanted: string): boolean {
  return !has.has(wanted) && !unknown.has(wanted.startsWith("@") ? "decorators" : wanted);
}

/** Directories that are removed before they are built anew. */
const buildOutputs: ReadonlySet<string> = new Set(
  "dist build out target coverage generated node_modules .next .cache".split(" "),
);

/** Names that everybody writes so, whatever the rule: components, and constants of scripts. */
function isUsual({ kind, name }: Pick<CodePart, "kind" | "name">, path: string): boolean {
  if (kind === "function") return /\.[jt]sx$/.test(path) && /^[A-Z]/.test(name);
  return kind === "variable" && !/\.pyi?$/.test(path) && /^[A-Z][A-Z0-9_]*$/.test(name);
}

/** A line without its comment, its strings empty. */
function codeOf(line: string, path: string): string {
  if (/^\s*(?:\/\/|\/?\*|<!--)/.test(line)) return "";
  return line.replace(/"[^"]*"|'[^']*'/g, '""').replace(
    /\.(?:py|rb)$/.test(path) ? /(?:^|\s)#.*$/ : /(?:^|\s)\/\/.*$/,
    "",
  );
}

/** Whether a module is the named one or a part of it. */
function isModule(module: string, name: string): boolean {
  return module === name || ["/", ".", "::"].some((sign) => module.startsWith(name + sign));
}

/** Whether a name is as a rule wants it: a case by its name, or a pattern. */
function isNamed(name: string, like: string): boolean {
  const form = cases.get(like);
  return form === undefined ? matchGlob(like, name) : form.test(name);
}

const cases = new Map<string, RegExp>([
  ["snake_case", /^_{0,2}[a-z0-9]+(?:_[a-z0-9]+)*_{0,2}$/],
  ["camelCase", /^[_$]{0,2}[a-z][A-Za-z0-9]*$/],
  ["PascalCase", /^_?[A-Z][A-Za-z0-9]*$/],
  ["UPPERCASE", /^[A-Z][A-Z0-9_]*$/],
  ["kebab-case", /^[a-z0-9]+(?:-[a-z0-9]+)*$/],
]);

/** Whether a line has the words of a pattern: `console.log` is no part of `myconsole.logger`. */
function hasWords(line: string, pattern: string): boolean {
  if (pattern.includes("*")) return matchGlob(`*${pattern}*`, line);
  for (let at = line.indexOf(pattern); at >= 0; at = line.indexOf(pattern, at + 1)) {
    const before = line.charAt(at - 1);
    const behind = line.charAt(at + pattern.length);
    const isBegun = isWord(pattern[0]) && isWord(before);
    if (!isBegun && !(isWord(pattern.at(-1) ?? "") && isWord(behind))) return true;
  }
  return false;
}

function isWord(char: string): boolean {
  return /\w/.test(char);
}
