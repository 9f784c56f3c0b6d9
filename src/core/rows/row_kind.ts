// What a row of a session does, told from the row alone by its structure: who speaks, what its call
// does, the shape of its output. Ranking sets back what shows nothing by itself. Pure.

import type { Entry } from "../entry.ts";
import { isObject } from "../json.ts";
import { ownToolOf, recallType } from "./own_tool.ts";

/** What a row does; `other` is talk, notes and all that is no part of a session's machinery. */
export type RowKind =
  /** A user's turn: what follows answers it. */
  | "prompt"
  /** A tool call, and one that changes nothing: it reads, lists, searches or keeps a plan. */
  | "call"
  | "looking_call"
  /** A tool's output, and one that only names files or says that something was done. */
  | "result"
  | "bare_result"
  /** A call of ctx itself, or what it gave. */
  | "recall"
  | "other";

export function rowKindOf(entry: Entry): RowKind {
  const { type, role } = entry;
  if (type === recallType) return "recall";
  if (type === "tool_call") {
    if (isOwn(entry)) return "recall";
    return isLookingCall(entry) ? "looking_call" : "call";
  }
  if (type === "tool_output") {
    if (isOwn(entry)) return "recall";
    return isBareResult(entry) ? "bare_result" : "result";
  }
  return role === "user" && entry.session_id !== undefined ? "prompt" : "other";
}

/** Rows of stores that are older than type `recall`; an answer to a shell's call has only its name. */
function isOwn({ tool }: Entry): boolean {
  return isObject(tool) && typeof tool.name === "string" &&
    ownToolOf(tool.name, tool.input) !== undefined;
}

/** Reading and searching changes nothing, and neither do commands that only show. */
function isLookingCall({ tool }: Entry): boolean {
  const effect = tool?.effect;
  if (effect === "read" || effect === "search") return true;
  if (effect !== "run") return false;
  const command = commandOf(tool?.input);
  // What runs without a command keeps a plan, or waits for what was started before.
  return command === undefined || isLookingCommand(command);
}

function commandOf(input: unknown): string | undefined {
  if (typeof input === "string") return input;
  if (!isObject(input)) return undefined;
  const command = input.command ?? input.cmd ?? input.script;
  if (Array.isArray(command)) return command.map(String).join(" ");
  return typeof command === "string" ? command : undefined;
}

/** Programs that show something and change nothing, when nothing is written with them. */
const looking = new Set(
  ("ls cat head tail grep egrep rg ag fd find sed awk wc pwd which whereis type tree file stat less more " +
    "nl du df sort uniq cut tr echo printf cd jq date env true").split(" "),
);
const lookingGit = new Set(
  "status log diff show branch remote ls-files blame rev-parse describe grep".split(" "),
);
const maxCommandChars = 2000;

const quoted = /'[^']*'|"(?:[^"\\`$]|\\[^]|\$(?!\())*"|\\[^\n]/g;

/** Whether every step of a command line only shows something. */
export function isLookingCommand(command: string): boolean {
  if (command.length > maxCommandChars || command.includes("<<")) return false;
  // What is quoted is no operator and no file that is written to.
  return command.replace(quoted, "_").split(/\|\||&&|[;|\n]/).every((step) => {
    if (/(?<![0-9&])>(?!&|\s*\/dev\/null)/.test(step)) return false;
    const words = step.trim().split(/\s+/).filter((word) => !/^\w+=/.test(word));
    const program = words[0]?.replace(/^.*\//, "") ?? "";
    if (program === "") return true;
    if (program === "git") return lookingGit.has(words[1] ?? "");
    const writes = program === "sed" && words.some((word) => word.startsWith("-i"));
    return looking.has(program) && !writes && !words.includes("-delete");
  });
}

/** Shorter outputs say "done"; an error says more. */
const bareWords = 30;
const lookedAtChars = 8000;

function isBareResult({ text, tool }: Entry): boolean {
  if (tool?.error !== undefined && tool.error !== false) return false;
  const start = text.slice(0, lookedAtChars);
  let words = 0;
  for (const _ of start.matchAll(/\S+/g)) if (++words >= bareWords) break;
  return words < bareWords || isListing(start);
}

/** Most lines are one path, or a line of `ls -l`. */
function isListing(text: string): boolean {
  let lines = 0;
  let paths = 0;
  for (const line of text.split("\n")) {
    const said = line.trim();
    if (said === "") continue;
    lines++;
    if (isPath(said) || /^[dl-][rwxsStT-]{9}/.test(line)) paths++;
  }
  return lines > 1 && paths >= lines * 0.6;
}

/** One word with a slash or a dot in it. */
function isPath(word: string): boolean {
  return (word.includes("/") || word.includes(".")) && !/\s/.test(word);
}
