// Which files a tool call touches, what it does to them, and which commits an output tells of.
// Knows the argument names of all agents, so that no source needs its own list. Pure.

import { partBelow, toWholePath } from "../../core/platform_path.ts";
import { decodePercent } from "../../core/utf8.ts";
import { findJson, type Json, toList, toObject, toText } from "./loose_json.ts";

/** What a tool does: decides whether its files were edited, read or searched. */
export type ToolEffect = "edit" | "read" | "search" | "run" | "agent";

const maxFiles = 100;
const maxMentionChars = 20_000;

/** What a tool does, by its name; undefined when the name does not tell. */
export function toolEffect(name: string): ToolEffect | undefined {
  const word = name.toLowerCase().replace(/[^a-z]/g, "");
  if (
    /(edit|write|patch|replace|insert|createfile|createnew|^create$|newfile|diff|delete)/.test(word)
  ) {
    return word.includes("stdin") || word.includes("todo") ? "run" : "edit";
  }
  if (/^(bash|shell|exec|run|terminal|localshell|execute|writestdin)/.test(word)) return "run";
  if (/(grep|glob|search|find|list|^ls$|codebase)/.test(word)) return "search";
  if (/(read|view|open|cat|fetch)/.test(word)) return "read";
  if (/^(task|agent|spawn|subagent|dispatch)/.test(word)) return "agent";
  return undefined;
}

/** The files that a call names in its arguments, relative to the project where they are inside it. */
export function findTouched(name: string, input: unknown, cwd?: string): string[] {
  const files = new Set<string>();
  const object = toObject(input);
  for (const path of object ? pathsIn(object) : []) addPath(files, path, cwd);
  const effect = toolEffect(name);
  if (effect === "edit" || effect === "run") {
    for (const path of patchedFiles(patchText(input))) addPath(files, path, cwd);
  }
  return [...files].slice(0, maxFiles);
}

/** A path as it is kept: relative inside the project, absolute outside, without `file://`. */
export function toProjectPath(path: string, cwd?: string): string {
  let clean = path.startsWith("file://") ? decodePercent(path.slice(7)) : path;
  clean = toWholePath(clean.replaceAll("\\", "/")) ?? clean.replaceAll("\\", "/");
  const below = cwd === undefined || cwd === "/"
    ? undefined
    : partBelow(clean, toWholePath(cwd) ?? cwd);
  if (below !== undefined) return below;
  return clean.startsWith(".//") ? clean.slice(2) : clean;
}

/** A path in a text or in an object of VS Code's, as it stands there. */
export function findPath(value: unknown): string | undefined {
  const object = toObject(value);
  return toText(value) ?? toText(object?.fsPath) ?? toText(object?.path);
}

export function pathsOf(values: readonly unknown[], cwd?: string): string[] {
  return values.map(findPath).filter((path) => path !== undefined)
    .map((path) => toProjectPath(path, cwd));
}

/** The commits that a tool's output tells of: git prints `[branch hash] subject`. */
export function findCommits(output: string): string[] {
  if (!output.includes("] ") || !output.includes("[")) return [];
  const found = new Set<string>();
  for (const match of output.slice(0, 20_000).matchAll(commitLine)) found.add(match[1]);
  return [...found];
}

const commitLine = /^\[[\w./-]{1,100}(?: \(root-commit\))? ([0-9a-f]{7,40})\] /gm;

/** The files a prompt mentions with `@`. */
export function findMentions(text: string, cwd?: string): string[] {
  if (!text.includes("@")) return [];
  const files = new Set<string>();
  for (const match of text.slice(0, maxMentionChars).matchAll(mention)) {
    if (/[./]/.test(match[1]) && !match[1].endsWith("/")) addPath(files, match[1], cwd);
  }
  return [...files].slice(0, maxFiles);
}

const mention = /(?<![\w@.])@((?:\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*\.[A-Za-z0-9]{1,8})(?![\w@/])/g;

/** The argument that says most about a call: the command, the path, the query. */
export function primaryArgument(input: unknown): string | undefined {
  if (typeof input === "string") return input === "" ? undefined : input;
  const object = toObject(input);
  if (object === undefined) return undefined;
  // An editor's command is one word; what it is done to says more.
  if (editorCommands.has(String(object.command)) && toText(object.path)) {
    return `${object.command} ${object.path}`;
  }
  for (const name of primaryNames) {
    const value = object[name];
    if (typeof value === "string" && value !== "") return value;
    if (name === "command" && Array.isArray(value)) return value.map(String).join(" ");
  }
  return Object.values(object).find((value) => typeof value === "string" && value !== "") as
    | string
    | undefined;
}

const editorCommands = new Set(["view", "create", "str_replace", "insert", "undo_edit"]);

const primaryNames = `command cmd file_path filePath notebook_path absolute_path path targetFile
  target_file relativeWorkspacePath CommandLine AbsolutePath TargetFile Query DirectoryPath pattern query regex url patch input description prompt`
  .split(/\s+/);

const pathNames = new Set(
  `file_path filePath notebook_path absolute_path dir_path path targetFile target_file
  relativeWorkspacePath relative_workspace_path fileName file uri AbsolutePath TargetFile`.split(
    /\s+/,
  ),
);
const pathListNames = new Set(["paths", "files", "file_paths", "filePaths"]);

function* pathsIn(object: Json): Generator<string> {
  for (const [name, value] of Object.entries(object)) {
    if (pathNames.has(name)) {
      const text = toText(value) ?? toText(toObject(value)?.path) ??
        toText(toObject(value)?.fsPath);
      if (text !== undefined) yield text;
    }
    if (pathListNames.has(name)) {
      for (const item of toList(value)) {
        const text = toText(item) ?? toText(toObject(item)?.path) ?? toText(toObject(item)?.uri);
        if (text !== undefined) yield text;
      }
    }
  }
}

function patchText(input: unknown): string {
  if (typeof input === "string") {
    return toText(toObject(findJson(input))?.patch) ?? input;
  }
  const object = toObject(input);
  const text = object?.patch ?? object?.input ?? object?.command ?? object?.cmd;
  return Array.isArray(text) ? text.map(String).join("\n") : toText(text) ?? "";
}

function* patchedFiles(patch: string): Generator<string> {
  if (!patch.includes("*** ")) return;
  for (const match of patch.matchAll(patchLine)) yield (match[1] ?? match[2]).trim();
}

const patchLine = /^\*\*\* (?:Update|Add|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm;

function addPath(files: Set<string>, path: string, cwd?: string): void {
  if (path.length > 1024 || path.includes("\n") || path === "." || path === cwd) return;
  if (/^https?:/.test(path)) return;
  files.add(toProjectPath(path, cwd));
}
