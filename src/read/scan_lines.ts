// A session at a glance: one line per message, cut to a length that depends on what it is. The base
// lengths hold at 50 tokens per message and scale linearly with it. Pure.

import type { Entry } from "../core/entry.ts";
import { isObject } from "../core/json.ts";
import { editsOf, toRelative } from "../core/rows/edits.ts";
import { foundIn, resultOf, type ToolResult } from "../core/rows/tool_result.ts";
import { alignToCharacter } from "../core/text.ts";
import type { Turn } from "./session_messages.ts";

/** Characters kept of each kind of content at 50 tokens per message. */
export const baseLimits = {
  user: 200,
  bash: 150,
  files: 100,
  edit: 80,
  web: 100,
  task: 100,
  assistant: 80,
  thinking: 50,
  parameters: 60,
  system: 80,
  output: 60,
} as const;
type LimitName = keyof typeof baseLimits;

/** The scale at which the base limits hold. */
export const baseTokens = 50;

/** Text that may be cut, and by which limit; what stands for itself stays whole. */
type ScanPart = string | { text: string; limit: LimitName };

/** A message taken apart, to be cut at any scale. */
export interface ScanMessage {
  number: number;
  parts: ScanPart[];
  /** Whether what is cut does not say by how much. */
  isBrief?: boolean;
}

/** One line of a scan and how much it leaves out. */
export interface ScanLine {
  number: number;
  text: string;
  cut: number;
}

/**
 * Takes the messages of a session apart; a result is told with the call that it answers. As the model
 * has them (`isBrief`), results are the user's.
 */
export function toScanMessages(turns: readonly Turn[], isBrief: boolean): ScanMessage[] {
  const calls = new Calls();
  return turns.map(({ number, messages }) => {
    const [{ entry: { role, ts } }] = messages;
    const who = isBrief && role === "tool" ? "user" : role;
    const head = `${String(number).padStart(6)}\t[${who}] ${ts.slice(11, 19)} | `;
    const parts = messages.flatMap(({ entry }, i) => [
      ...(i > 0 ? [" "] : []),
      ...partsOf(entry, calls.take(entry)),
    ]);
    return { number, parts: [head, ...parts], isBrief };
  });
}

/** Knows which call a result answers. */
class Calls {
  readonly #calls = new Map<unknown, Entry>();
  /** Commands of Codex that went on: what they printed comes as the answer to a later call. */
  readonly #running = new Map<number, Entry>();
  #before?: Entry;

  /** Takes the next row; gives the call of a result. */
  take(entry: Entry): Entry | undefined {
    const { tool, type, text } = entry;
    const before = this.#before;
    this.#before = entry;
    if (type === "tool_call" && tool?.call_id !== undefined) this.#calls.set(tool.call_id, entry);
    if (type !== "tool_output") return undefined;
    const near = before?.type === "tool_call" && before.tool?.name === tool?.name;
    const call = tool?.call_id === undefined
      ? near ? before : undefined
      : this.#calls.get(tool.call_id);
    const begun = isObject(call?.tool?.input) ? Number(call.tool.input.session_id) : NaN;
    const origin = this.#running.get(begun) ?? call;
    const running = /^(?:.*\n){0,3}Process running with session ID (\d+)/.exec(text)?.[1];
    if (running !== undefined && origin) this.#running.set(Number(running), origin);
    return origin;
  }
}

export function toScanLine(message: ScanMessage, tokensPerMessage: number): ScanLine {
  const { number, parts, isBrief = false } = message;
  const scale = tokensPerMessage / baseTokens;
  const made = parts.map((part) =>
    typeof part === "string" ? { text: part, cut: 0 } : cutPart(part, { scale, isBrief })
  );
  const text = made.map((part) => part.text).join("");
  return { number, text, cut: made.reduce((sum, part) => sum + part.cut, 0) };
}

/** The line of a run of messages that a budget leaves out. */
export function toGapLine(from: number, to: number, count: number): string {
  const range = from === to ? `${from}` : `${from}-${to}`;
  return `${"…".padStart(6)}\t${range}: ${count} more`;
}

function partsOf(entry: Entry, call: Entry | undefined): ScanPart[] {
  const { text } = entry;
  switch (entry.type) {
    case "thinking":
      return [`[thinking:${text.length}c] `, { text, limit: "thinking" }];
    case "tool_call":
      return ["[", ...callHead(entry), "]", ...editParts(entry)];
    case "tool_output":
      return outputParts(entry, call);
    default:
      break;
  }
  if (entry.role === "user") return quoted(text, "user");
  if (entry.role === "assistant") return [{ text, limit: "assistant" }];
  const label = entry.type === "turn" || entry.type === "note" ? "" : `[${entry.type}] `;
  return [label, { text: entry.title ?? text, limit: "system" }];
}

/** `Read: src/auth.ts`: the tool and the argument that says most. */
function callHead(call: Entry): ScanPart[] {
  const name = call.tool?.name ?? "tool";
  const text = argumentOf(call);
  return text === "" ? [name] : [`${name}: `, { text, limit: "parameters" }];
}

function argumentOf(call: Entry): string {
  const { tool, text, project } = call;
  const prefix = `${tool?.name}: `;
  const input = isObject(tool?.input) ? tool.input : {};
  const sought = input.pattern ?? input.glob_pattern ?? input.regex ?? input.query;
  if (kindOfTool(call) === "files" && typeof sought === "string") return sought;
  const said = text.startsWith(prefix) ? text.slice(prefix.length) : "";
  if (said.includes("*** Begin Patch")) {
    return [...new Set(editsOf(call).map(({ path }) => path))].join(", ");
  }
  const command = said.replace(/^(?:\S*\/)?(?:ba|z)?sh -l?c /, "");
  return fromProject(toRelative(command, project), project).trim();
}

/** ` old:"…" new:"…"` of the first edit, and how many more there are. */
function editParts(entry: Entry): ScanPart[] {
  const [first, ...more] = editsOf(entry);
  if (first === undefined) return [];
  return [
    ...(first.old === "" ? [] : [" old:", ...quoted(first.old, "edit")]),
    ...(first.new === "" ? [] : [" new:", ...quoted(first.new, "edit")]),
    ...(more.length === 0 ? [] : [` (+${more.length} ${more.length === 1 ? "edit" : "edits"})`]),
  ];
}

function outputParts(entry: Entry, call: Entry | undefined): ScanPart[] {
  const kind = kindOfTool(call ?? entry);
  const result = resultOf(entry);
  const isError = entry.tool?.error !== undefined && entry.tool.error !== false;
  const head = call === undefined ? [entry.tool?.name ?? "tool"] : callHead(call);
  const parts = ["[", ...head, ` → ${outcomeOf({ entry, kind, result, isError })}]`];
  // The lines of a file and the receipt of an edit say nothing that the count does not.
  const isCounted = (kind === "read" || kind === "edit") && !isError;
  if (isCounted) return call === undefined ? [...parts, ...editParts(entry)] : parts;
  const said = kind === "files" ? foundIn(result.text).text : result.text;
  const text = fromProject(said, entry.project).trim();
  return text === "" ? parts : [...parts, " ", ...quoted(text, kind === "read" ? "output" : kind)];
}

interface Outcome {
  entry: Entry;
  kind: ToolKind;
  result: ToolResult;
  isError: boolean;
}

/** An exit code, a count, or that it went wrong. */
function outcomeOf({ entry, kind, result, isError }: Outcome): string {
  if (kind === "bash") {
    if (result.isRunning) return "running";
    return String(result.exit ?? (isError ? "error" : 0));
  }
  if (isError) return "error";
  if (kind === "edit") {
    if (typeof entry.patch !== "string") return "done";
    const edits = editsOf(entry);
    const count = (name: "old" | "new"): number =>
      edits.reduce((sum, edit) => sum + (edit[name] === "" ? 0 : edit[name].split("\n").length), 0);
    return `+${count("new")} -${count("old")}`;
  }
  const found = kind === "files" ? foundIn(result.text).count : undefined;
  if (found !== undefined) return found;
  const noun = /^glob/i.test(entry.tool?.name ?? "") ? "file" : "line";
  const more = result.isPart ? "+" : "";
  return `${result.lines}${more} ${noun}${result.lines === 1 && more === "" ? "" : "s"}`;
}

type ToolKind = LimitName & ("bash" | "files" | "edit" | "web" | "task" | "output") | "read";

/** What a tool does, by its name: it decides what its result says and how long. */
function kindOfTool({ tool }: Entry): ToolKind {
  const name = (tool?.name ?? "").replace(/^.*__|^copilot_/g, "");
  if (/^(?:bash|shell|exec|run|command|terminal|local_shell|write_stdin)/i.test(name)) {
    return "bash";
  }
  if (/fetch|web/i.test(name)) return "web";
  if (/^(?:glob|grep|search|list|ls|find|codebase)/i.test(name)) return "files";
  if (tool?.effect === "edit" || /(?<!todo)(?:edit|write|patch|replace)(?!_?todo)/i.test(name)) {
    return "edit";
  }
  if (/^(?:task|agent|subtask|spawn)/i.test(name)) return "task";
  return /^(?:read|view|open|cat)(?!_lints)/i.test(name) ? "read" : "output";
}

/** Paths of the project in a text, as they are seen from it. */
function fromProject(text: string, project: string | undefined): string {
  return project === undefined || project.length < 2 ? text : text.replaceAll(`${project}/`, "");
}

function quoted(text: string, limit: LimitName): ScanPart[] {
  return ['"', { text, limit }, '"'];
}

/** A text cut to its limit, and how much of it was left out. */
function cutPart(
  { text, limit: name }: { text: string; limit: LimitName },
  { scale, isBrief }: { scale: number; isBrief: boolean },
): { text: string; cut: number } {
  const limit = Math.max(1, Math.floor(baseLimits[name] * scale));
  // Spaces shrink: a little more than the limit is enough to fill a line.
  const isLong = text.length > limit * 4 + 200;
  const line = (isLong ? text.slice(0, limit * 4 + 200) : text).replace(/\s+/g, " ").trim();
  if (line.length <= limit && !isLong) return { text: line, cut: 0 };
  const kept = line.slice(0, alignToCharacter(line, Math.min(limit, line.length)));
  const cut = text.length - kept.length;
  return { text: isBrief ? `${kept}...` : `${kept}[+${cut} chars]`, cut };
}
