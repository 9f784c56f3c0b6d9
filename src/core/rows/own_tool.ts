// Knows ctx's own tools in other agents' transcripts: what they answer is in the store already, so a
// call becomes one short row of type `recall`, and its answer is not stored again. Pure.

import { isObject } from "../json.ts";
import { toLine } from "../text.ts";

/** The type of the row that tells of a call of ctx; never ranked unless it is asked for. */
export const recallType = "recall";

export interface OwnTool {
  /** The tool or command: `search`, `save_memory`, `pack`. */
  tool: string;
  /** What was asked for, on one line; never the text of a save, which is an entry of its own. */
  about?: string;
}

/** What a call of ctx is, or undefined when it is another tool's. Names are those of every client. */
export function ownToolOf(name: string, input: unknown): OwnTool | undefined {
  const fields = isObject(input) ? input : {};
  const named = findTool(name);
  if (named !== undefined) return toOwnTool(named, fields);
  const server = textOf(fields, ["server", "server_name", "serverName", "mcp_server"]);
  const uri = textOf(fields, ["uri"]);
  if (server !== undefined && serverName.test(server)) {
    const tool = textOf(fields, ["tool_name", "toolName", "tool", "name"]);
    const inner = fields.arguments ?? fields.args ?? fields.input;
    if (tool !== undefined) return toOwnTool(tool, isObject(inner) ? inner : {});
    if (uri !== undefined) return { tool: "resource", about: toLine(uri, maxAboutChars) };
  }
  return shellName.test(name) ? fromCommand(commandOf(input)) : undefined;
}

/** Whether a call of ctx keeps something: then its row names the entry that it made. */
export function savesEntry({ tool }: OwnTool): boolean {
  return tool === "save_memory" || tool === "save";
}

/** The text of its row: `ctx search: token rotation`. */
export function toRecallText({ tool, about }: OwnTool): string {
  return about === undefined ? `ctx ${tool}` : `ctx ${tool}: ${about}`;
}

const maxAboutChars = 200;
const serverName = /^(?:plugin_[\w-]+_)?(?:ctx|contextfs)$/i;
/** Two underscores part a server from its tool: whatever follows is ours. */
const sureName = /^(?:mcp__)?(?:plugin_\w+?_)?(?:ctx|contextfs)__(\w+)$/i;
/** Other marks also stand in names of other servers: what follows must be a tool of ours. */
const likelyName = /^@?(?:mcp[_.:-])?(?:ctx|contextfs)[_.:/-]([a-z_]+)$/i;
const tools = new Set(
  ("search timeline get list show scan read batch pack stats save_memory pin forget undo ask_documents " +
    "context_suggest context_suggestions context_subscribe context_unsubscribe context_subscriptions " +
    "context_pause context_resume context_poll suggestion_feedback rules summarize why stale confirm pr " +
    "docs_list docs_outline docs_section docs_get workflow_guide IMPORTANT")
    .split(" "),
);
/** The commands that print stored text, or take it. */
const commands = new Set(
  ("search get read scan show timeline pack ask ls sessions stats batch docs save pin forget undo edit suggest " +
    "suggestions feedback poll subscriptions records rules summarize distil injected worth trace traces export " +
    "redactions activity outline preview pins chats why stale confirm pr dex hive-mind").split(" "),
);
const shellName =
  /^(?:\w+__|functions\.|container\.|copilot_)?(?:bash|shell|sh$|exec|run|terminal|local_?shell|execute|unified_exec)/i;

function findTool(name: string): string | undefined {
  const sure = sureName.exec(name)?.[1];
  if (sure !== undefined) return sure.replace(/^_+/, "");
  const likely = likelyName.exec(name)?.[1].replace(/^_+/, "");
  return likely !== undefined && tools.has(likely) ? likely : undefined;
}

function toOwnTool(name: string, fields: Record<string, unknown>): OwnTool {
  const tool = toLine(name.replace(/^_+/, ""), 64);
  if (savesEntry({ tool })) return { tool };
  const about = textOf(fields, ["query", "id", "ids", "session", "session_id", "file", "path"]);
  return about === undefined ? { tool } : { tool, about: toLine(about, maxAboutChars) };
}

function textOf(fields: Record<string, unknown>, names: string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    const text = Array.isArray(value) ? value.map(String).join(" ") : value;
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

/** The command line of a shell call, whichever way its client writes it. */
function commandOf(input: unknown): string | string[] {
  const command = isObject(input) ? input.command ?? input.cmd ?? input.script : input;
  if (!Array.isArray(command)) return typeof command === "string" ? command : "";
  const words = command.map(String);
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(words[0] ?? "") && words[1]?.startsWith("-");
  return isShell ? words[2] ?? "" : words;
}

/** What a command line asks of ctx when it does nothing else: `cd`, `echo` and a look are allowed. */
function fromCommand(command: string | string[]): OwnTool | undefined {
  const steps = typeof command === "string" ? parseSteps(command) : [{ words: command, by: "" }];
  const calls: OwnTool[] = [];
  for (const { words, by } of steps ?? []) {
    const own = by === "|" ? undefined : findOwnWords(words);
    const call = own && fromWords(own);
    if (call !== undefined) calls.push(call);
    else if (by === "|" ? calls.length === 0 || !isLook(words) : !isSilent(words)) return undefined;
  }
  const first = calls.find(savesEntry) ?? calls[0];
  if (first?.about === undefined || calls.length === 1) return first;
  return { ...first, about: `${first.about} (and ${calls.length - 1} more)` };
}

/** The words after `ctx`, if that is what is called. */
function findOwnWords(words: string[]): string[] | undefined {
  const at = words.findIndex((word) => !/^(?:[A-Z_]+=.*|time|env|timeout|\d+s?)$/.test(word));
  return /(?:^|\/)ctx(?:\.exe)?$/.test(words[at] ?? "") ? words.slice(at + 1) : undefined;
}

/** A step that neither does nor finds out anything. */
function isSilent([program = "", ...rest]: string[]): boolean {
  return program === "cd" ? rest.length <= 1 : /^(?:echo|printf|true|:)$/.test(program);
}

function fromWords(words: string[]): OwnTool | undefined {
  const rest = words[0] === "--workspace" ? words.slice(2) : words;
  const [tool = "", ...given] = rest;
  if (!commands.has(tool)) return undefined;
  if (savesEntry({ tool })) return { tool };
  // What follows a flag may be its value.
  const flag = given.findIndex((word) => word.startsWith("-"));
  const about = given.slice(0, flag < 0 ? undefined : flag).join(" ");
  return about === "" ? { tool } : { tool, about: toLine(about, maxAboutChars) };
}

/** A program that only shows part of what it is given; with a file's name it would show that. */
function isLook([program, ...rest]: string[]): boolean {
  if (/^(?:head|tail|cat|less|more|wc)$/.test(program)) {
    return rest.every((word) => /^(?:-.*|\d+)$/.test(word));
  }
  const operands = rest.filter((word) => !word.startsWith("-"));
  return /^(?:jq|grep|rg)$/.test(program) && operands.length <= 1;
}

interface Step {
  words: string[];
  /** What stands before it: `|`, `&&`, `;`. */
  by: string;
}

/** The simple commands of a line; undefined when it writes files, substitutes or is no such line. */
function parseSteps(command: string): Step[] | undefined {
  const line = command.trim();
  if (line.length > maxCommandChars || !/\bctx\b/.test(line)) return undefined;
  const steps: Step[] = [{ words: [], by: "" }];
  let at = 0;
  while (at < line.length) {
    part.lastIndex = at;
    const match = part.exec(line);
    if (match === null) return undefined;
    at = part.lastIndex;
    const [, , operator, word] = match;
    if (operator !== undefined) steps.push({ words: [], by: operator });
    else if (word !== undefined) steps.at(-1)?.words.push(unquote(word));
  }
  return steps.filter(({ words }) => words.length > 0);
}

const maxCommandChars = 20_000;
const part =
  /[ \t]*(?:([012]?>&[012]|[12]?>[ \t]*\/dev\/null)|(&&|\|\||[|;\n])|((?:[^\s"'\\|;&<>()$`]|\\[^]|\$(?!\()|'[^']*'|"(?:[^"\\$`]|\\[^]|\$(?!\())*")+)|$)/y;

function unquote(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g,
    (_match, single, double, plain) => single ?? double?.replace(/\\([^])/g, "$1") ?? plain,
  );
}
