// The tools that agents have in common, by the names and arguments that each gives them. A call is told
// in another agent's words only where every argument has a place there; hints that change nothing may
// go. Codex edits by patches: one change of one file is a patch, and the other way round. Pure.

import { isObject } from "../../core/json.ts";
import { fromPatch, toPatch } from "./codex_patch.ts";

export interface MappedCall {
  name: string;
  input: unknown;
}

/** What a tool of an agent is called, and its arguments by their common names. */
interface OwnTool {
  name: string;
  args: Record<string, string>;
}

/** By agent, then by common name; where there are several, the first is written and all are read. */
const tools: Record<string, Record<string, OwnTool[]>> = {
  "claude-code": {
    shell: [{ name: "Bash", args: { command: "command" } }],
    read: [{ name: "Read", args: { path: "file_path", offset: "offset", limit: "limit" } }],
    write: [{ name: "Write", args: { path: "file_path", content: "content" } }],
    edit: [{
      name: "Edit",
      args: editArgs("file_path", "old_string", "new_string", "replace_all"),
    }],
    grep: [{ name: "Grep", args: { pattern: "pattern", path: "path", files: "glob" } }],
    glob: [{ name: "Glob", args: { pattern: "pattern", path: "path" } }],
    list: [{ name: "LS", args: { path: "path" } }],
    fetch: [{ name: "WebFetch", args: { url: "url", prompt: "prompt" } }],
    web: [{ name: "WebSearch", args: { query: "query" } }],
  },
  "codex": {
    shell: [
      { name: "exec_command", args: { command: "cmd" } },
      { name: "shell", args: { command: "command" } },
      { name: "shell_command", args: { command: "command" } },
    ],
    patch: [{ name: "apply_patch", args: {} }],
    web: [{ name: "web_search", args: { query: "query" } }],
  },
  "gemini": {
    shell: [{ name: "run_shell_command", args: { command: "command" } }],
    read: [
      { name: "read_file", args: { path: "file_path", first: "start_line", last: "end_line" } },
      { name: "read_file", args: { path: "absolute_path", offset: "offset", limit: "limit" } },
    ],
    write: [{ name: "write_file", args: { path: "file_path", content: "content" } }],
    edit: [{
      name: "replace",
      args: editArgs("file_path", "old_string", "new_string", "allow_multiple"),
    }],
    grep: [
      {
        name: "grep_search",
        args: { pattern: "pattern", path: "dir_path", files: "include_pattern" },
      },
      { name: "search_file_content", args: { pattern: "pattern", path: "path", files: "include" } },
    ],
    glob: [{ name: "glob", args: { pattern: "pattern", path: "dir_path" } }],
    list: [{ name: "list_directory", args: { path: "dir_path" } }],
    web: [{ name: "google_web_search", args: { query: "query" } }],
  },
  "opencode": {
    shell: [{ name: "bash", args: { command: "command" } }],
    read: [{ name: "read", args: { path: "filePath", offset: "offset", limit: "limit" } }],
    write: [{ name: "write", args: { path: "filePath", content: "content" } }],
    edit: [{ name: "edit", args: editArgs("filePath", "oldString", "newString", "replaceAll") }],
    grep: [{ name: "grep", args: { pattern: "pattern", path: "path", files: "include" } }],
    glob: [{ name: "glob", args: { pattern: "pattern", path: "path" } }],
    list: [{ name: "list", args: { path: "path" } }],
    fetch: [{ name: "webfetch", args: { url: "url" } }],
    web: [{ name: "websearch", args: { query: "query" } }],
  },
  "qwen": {
    shell: [{ name: "run_shell_command", args: { command: "command" } }],
    read: [
      { name: "read_file", args: { path: "file_path", offset: "offset", limit: "limit" } },
      { name: "read_file", args: { path: "absolute_path", offset: "offset", limit: "limit" } },
    ],
    write: [{ name: "write_file", args: { path: "file_path", content: "content" } }],
    edit: [{
      name: "edit",
      args: editArgs("file_path", "old_string", "new_string", "replace_all"),
    }],
    grep: [{ name: "grep_search", args: { pattern: "pattern", path: "path", files: "glob" } }],
    glob: [{ name: "glob", args: { pattern: "pattern", path: "path" } }],
    list: [{ name: "list_directory", args: { path: "path" } }],
    fetch: [{ name: "web_fetch", args: { url: "url", prompt: "prompt" } }],
    web: [{ name: "web_search", args: { query: "query" } }],
  },
};

/** Arguments that say how, not what: a call is the same without them. */
const hints = new Set(
  "description timeout instruction is_background run_in_background format workdir prompt".split(
    " ",
  ),
);

export const toolAgents: readonly string[] = Object.keys(tools);

/** The same call by the tools of another agent; undefined where that has no such tool. */
export function mapCall(
  { name, input }: MappedCall,
  { from, to }: { from?: string; to: string },
): MappedCall | undefined {
  if (from === to) return { name, input: input ?? {} };
  const common = from === undefined ? undefined : toCommon({ name, input }, from);
  return common && toOwn(common, to);
}

interface CommonCall {
  tool: string;
  args: Record<string, unknown>;
}

/** A call by its common name; undefined where another agent could not say the same. */
export function toCommon({ name, input }: MappedCall, from: string): CommonCall | undefined {
  if (from === "codex" && name === "apply_patch") return fromPatch(patchText(input));
  for (const [tool, list] of Object.entries(tools[from] ?? {})) {
    for (const own of list) {
      const args = own.name === name ? commonArgs(own, input) : undefined;
      if (args !== undefined) return toLines({ tool, args });
    }
  }
  return undefined;
}

function commonArgs({ args }: OwnTool, input: unknown): Record<string, unknown> | undefined {
  if (!isObject(input)) return undefined;
  const common: Record<string, unknown> = {};
  for (const [own, value] of Object.entries(input)) {
    const name = Object.keys(args).find((key) => args[key] === own);
    if (name !== undefined) common[name] = value;
    else if (!hints.has(own) && value !== undefined) return undefined;
  }
  if (Array.isArray(common.command)) common.command = common.command.map(String).join(" ");
  return common;
}

function toOwn(call: CommonCall, to: string): MappedCall | undefined {
  if (to === "codex" && (call.tool === "edit" || call.tool === "write")) {
    const patch = toPatch(call);
    return patch === undefined ? undefined : { name: "apply_patch", input: patch };
  }
  const own = tools[to]?.[call.tool]?.[0];
  if (own === undefined) return undefined;
  const args = "first" in own.args ? toRange(call.args) : call.args;
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    if (own.args[name] !== undefined) input[own.args[name]] = value;
    else if (!hints.has(name)) return undefined;
  }
  return { name: own.name, input };
}

/** Gemini names the first and the last line that is read, others the first and how many. */
function toRange({ offset, limit, ...args }: Record<string, unknown>): Record<string, unknown> {
  const first = typeof offset === "number" ? offset : undefined;
  const count = typeof limit === "number" ? limit : undefined;
  return {
    ...args,
    ...(first === undefined ? {} : { first }),
    ...(count === undefined ? {} : { last: (first ?? 1) + count - 1 }),
  };
}

function toLines({ tool, args: { first, last, ...args } }: CommonCall): CommonCall {
  const offset = typeof first === "number" ? { offset: first } : {};
  const from = typeof first === "number" ? first : 1;
  const limit = typeof last === "number" ? { limit: last - from + 1 } : {};
  return { tool, args: { ...args, ...offset, ...limit } };
}

function patchText(input: unknown): string {
  if (typeof input === "string") return input;
  const text = isObject(input) ? input.input ?? input.patch : undefined;
  return typeof text === "string" ? text : "";
}

function editArgs(path: string, old: string, now: string, all: string): Record<string, string> {
  return { path, old, new: now, all };
}
