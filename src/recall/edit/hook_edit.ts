// Reads an agent's edit, or its read of a file before one, from the hook's message: the file, the
// session, and the lines that are replaced or shown. Knows the messages of Claude Code, Codex, Cursor,
// OpenCode, Gemini, Qwen Code and plain callers. Pure.

import { toFields } from "../../core/json.ts";
import { resolvePath } from "../../core/platform_path.ts";

const maxChars = 400_000;
/** More parts of one edit are not looked at. */
const maxEdits = 60;

/** The file and session that an agent's hook input is about. */
export interface HookSubject {
  file: string;
  cwd?: string;
  session?: string;
  /** The agent, where its message tells. */
  agent?: string;
}

/** Reads whose edit of which file, or look at it, a message tells of. */
export function findHookSubject(payload: unknown): HookSubject | undefined {
  const root = toFields(payload);
  const input = toolInputOf(payload);
  const file = findText(input, ["file_path", "filePath", "path", "notebook_path", "file"]) ??
    findText(root, ["file_path", "filePath", "file", "path"]) ??
    /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m.exec(findPatch(input) ?? "")?.[1].trim() ??
    findShown(input)?.file;
  if (file === undefined) return undefined;
  return {
    file: file.replace(/^file:\/\//, ""),
    cwd: findText(root, ["cwd", "workspace", "workspace_root"]),
    session: findText(root, ["session_id", "sessionId", "conversation_id", "thread_id"]),
    agent: agentOfTranscript(findText(root, ["transcript_path"])),
  };
}

export function agentOfTranscript(path: string | undefined): string | undefined {
  const home = /[\\/]\.(claude|codex|gemini|qwen)[\\/]/.exec(path ?? "")?.[1];
  return home === "claude" ? "claude-code" : home;
}

/** What the tool is called with, in an agent's message. */
export function toolInputOf(payload: unknown): Record<string, unknown> {
  const root = toFields(payload);
  return toFields(root.tool_input ?? root.toolInput ?? root.args ?? root.input);
}

/** The command line of a call to a shell; undefined for other tools. */
export function findCommand(message: unknown): string | undefined {
  const root = toFields(message);
  const input = toolInputOf(message);
  const said = [
    input.command ?? input.cmd ?? (root.tool_input === undefined ? root.command : undefined),
  ]
    .flat();
  const isPatch = said.some((part) => typeof part === "string" && part.includes("*** Begin Patch"));
  const words = said.filter((part) => typeof part === "string");
  if (words.length === 0 || isPatch) return undefined;
  // Codex may give the words of a shell: bash, -lc, the line.
  return words.length > 1 && /^-\w*c$/.test(words[words.length - 2])
    ? words.at(-1)
    : words.join(" ");
}

/** The lines of a file's text that an edit replaces or a look shows; none of what it cannot place. */
export function findLines(payload: unknown, text: string): string[] {
  const input = toolInputOf(payload);
  const patch = findPatch(input);
  if (patch !== undefined) return linesOfPatch(patch);
  const shown = findPart(payload);
  if (shown !== undefined) return toLines(text).slice(shown.from, shown.to);
  const content = input.content ?? input.file_text;
  if (typeof content === "string") return findChanged(text, content);
  const edits = Array.isArray(input.edits) ? input.edits.slice(0, maxEdits) : [input];
  return edits.flatMap((edit: unknown) => {
    const before = findText(toFields(edit), ["old_string", "oldString", "old_str"]);
    const after = findText(toFields(edit), ["new_string", "newString", "new_str"]) ?? "";
    return before === undefined || !text.includes(before) ? [] : findChanged(before, after);
  });
}

/** The lines without those that are equal at both ends. */
function findChanged(before: string, after: string): string[] {
  const removed = toLines(before);
  const added = toLines(after);
  let first = 0;
  while (first < removed.length && first < added.length && removed[first] === added[first]) first++;
  let last = 0;
  const room = Math.min(removed.length, added.length) - first;
  while (last < room && removed.at(-1 - last) === added.at(-1 - last)) last++;
  return removed.slice(first, removed.length - last);
}

/** The lines that a patch in the form of apply_patch takes out of its first file. */
function linesOfPatch(patch: string): string[] {
  const body = patch.slice(0, maxChars).split(/^\*\*\* (?:Update|Add) File: .*\n/m)[1] ?? "";
  return body.split(/^\*\*\* /m)[0].split("\n")
    .filter((line) => line.startsWith("-")).map((line) => line.slice(1));
}

function toLines(text: string): string[] {
  const some = text.slice(0, maxChars);
  return some === "" ? [] : some.replace(/\n$/, "").split("\n");
}

/** Whether a file is only looked at. */
export function isLook(payload: unknown): boolean {
  return findPatch(toolInputOf(payload)) === undefined && findPart(payload) !== undefined;
}

/** The part of a file that is looked at, counted from 0. */
function findPart(payload: unknown): { from: number; to?: number } | undefined {
  const shown = findShown(toolInputOf(payload));
  if (shown !== undefined) return shown;
  const name = findText(toFields(payload), ["tool_name", "toolName", "tool"]);
  if (name === undefined || !/^(?:read|read_file|view)$/i.test(name)) return undefined;
  const { offset, limit } = toolInputOf(payload);
  const from = typeof offset === "number" && offset > 0 ? offset - 1 : 0;
  return typeof limit === "number" ? { from, to: from + limit } : { from };
}

/** The file that a plain command shows, and which part of it: Codex has no other tool for that. */
function findShown(
  { command, cmd }: Record<string, unknown>,
): { file: string; from: number; to?: number } | undefined {
  const said = [command ?? cmd].flat().at(-1);
  if (typeof said !== "string" || said.length > maxCommandChars) return undefined;
  const [, directory, first] = /^\s*(?:cd\s+([^\s;&|]+)\s*&&\s*)?([^;&|<>\n]+)/.exec(said) ?? [];
  const words = [...(first ?? "").matchAll(/'[^']*'|"[^"]*"|[^\s'"]+/g)]
    .map(([word]) => word.replace(/^(['"])(.*)\1$/s, "$2"));
  const [program, ...rest] = words;
  const named = rest.filter((word) => !/^-|^\d+$/.test(word));
  const part = /^(\d+)(?:,(\d+|\$))?p$/.exec(named[0] ?? "");
  const isPart = program === "sed" && rest[0] === "-n" && part !== null;
  const [file, ...others] = isPart ? named.slice(1) : named;
  if (!isPart && !/^(?:cat|nl|bat|head|tail|less)$/.test(program)) return undefined;
  if (file === undefined || others.length > 0 || /[*?$]/.test(file)) return undefined;
  const path = directory === undefined ? file : resolvePath(file, directory);
  if (part === null) return { file: path, from: 0 };
  const last = part[2] === undefined ? part[1] : part[2];
  return { file: path, from: Number(part[1]) - 1, ...last === "$" ? {} : { to: Number(last) } };
}

/** Longer commands write something. */
const maxCommandChars = 500;

function findPatch({ command, patch, input }: Record<string, unknown>): string | undefined {
  return [command, patch, input].flat()
    .find((part): part is string => typeof part === "string" && part.includes("*** "));
}

function findText(from: Record<string, unknown>, names: string[]): string | undefined {
  return names.map((name) => from[name])
    .find((value): value is string => typeof value === "string" && value !== "");
}
