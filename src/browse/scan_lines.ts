// A session at a glance: one line per message, cut to a length that depends on what it is. The base
// lengths hold at 50 tokens per message and scale linearly with it. Pure.

import { isObject } from "../core/json.ts";
import type { Entry } from "../core/entry.ts";
import { alignToCharacter } from "../core/text.ts";
import type { SessionMessage } from "./session_messages.ts";

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

/** One line of a scan and how much it leaves out. */
export interface ScanLine {
  number: number;
  text: string;
  cut: number;
}

/** Makes the line of a message. */
export function toScanLine({ number, entry }: SessionMessage, tokensPerMessage: number): ScanLine {
  const cutter = new Cutter(tokensPerMessage / baseTokens);
  const who = entry.role === "tool" ? "tool" : entry.role;
  const text = `${String(number).padStart(6)}\t[${who}] ${entry.ts.slice(11, 19)} | ${
    contentOf(entry, cutter)
  }`;
  return { number, text, cut: cutter.cut };
}

/** The line of a run of messages that a budget leaves out. */
export function toGapLine(from: number, to: number, count: number): string {
  const range = from === to ? `${from}` : `${from}-${to}`;
  return `${"…".padStart(6)}\t${range}: ${count} more`;
}

function contentOf(entry: Entry, cutter: Cutter): string {
  switch (entry.type) {
    case "thinking":
      return `[thinking:${entry.text.length}c] ${cutter.take(entry.text, "thinking")}`;
    case "tool_call":
      return callOf(entry, cutter);
    case "tool_output":
      return outputOf(entry, cutter);
    default:
      break;
  }
  if (entry.role === "user") return `"${cutter.take(entry.text, "user")}"`;
  if (entry.role === "assistant") return cutter.take(entry.text, "assistant");
  const label = entry.type === "turn" || entry.type === "note" ? "" : `[${entry.type}] `;
  return label + cutter.take(entry.title ?? entry.text, "system");
}

function callOf(entry: Entry, cutter: Cutter): string {
  const name = entry.tool?.name ?? "tool";
  const prefix = `${name}: `;
  const primary = entry.text.startsWith(prefix) ? entry.text.slice(prefix.length) : "";
  const head = primary === "" ? `[${name}]` : `[${prefix}${cutter.take(primary, "parameters")}]`;
  const input = entry.tool?.input;
  if (!isObject(input)) return head;
  const [before, after] = [
    input.old_string ?? input.oldString,
    input.new_string ?? input.newString,
  ];
  const strings = [
    typeof before === "string" ? ` old:"${cutter.take(before, "edit")}"` : "",
    typeof after === "string" ? ` new:"${cutter.take(after, "edit")}"` : "",
  ];
  return head + strings.join("");
}

function outputOf(entry: Entry, cutter: Cutter): string {
  const name = entry.tool?.name ?? "tool";
  const lines = entry.text === "" ? 0 : entry.text.split("\n").length;
  const outcome = entry.tool?.error ? "error" : `${lines} line${lines === 1 ? "" : "s"}`;
  const text = cutter.take(entry.text, outputLimit(name));
  return `[${name} → ${outcome}]${text === "" ? "" : ` "${text}"`}`;
}

function outputLimit(name: string): LimitName {
  if (/^(?:bash|shell|exec|run|command|terminal|local_shell)/i.test(name)) return "bash";
  if (/^(?:glob|grep|search|list|ls|find|codebase)/i.test(name)) return "files";
  if (/edit|write|patch|replace/i.test(name)) return "edit";
  if (/fetch|web/i.test(name)) return "web";
  if (/^(?:task|agent|subtask|spawn)/i.test(name)) return "task";
  return "output";
}

/** Cuts texts to their limit and counts what it left out. */
class Cutter {
  readonly #scale: number;
  cut = 0;

  constructor(scale: number) {
    this.#scale = scale;
  }

  take(text: string, name: LimitName): string {
    const limit = Math.max(1, Math.floor(baseLimits[name] * this.#scale));
    // Spaces shrink: a little more than the limit is enough to fill a line.
    const isLong = text.length > limit * 4 + 200;
    const line = (isLong ? text.slice(0, limit * 4 + 200) : text).replace(/\s+/g, " ").trim();
    if (line.length <= limit && !isLong) return line;
    const kept = line.slice(0, alignToCharacter(line, Math.min(limit, line.length)));
    const left = text.length - kept.length;
    this.cut += left;
    return `${kept}[+${left} chars]`;
  }
}
