// What a tool's output says once the wrapping of its agent is off: the words themselves, the exit
// code, how many lines there were. Stored text stays as it came; only views read it this way. Pure.

import type { Entry } from "../entry.ts";
import { findJson, isObject } from "../json.ts";
import { withoutHeader } from "../text.ts";

/** A tool's output as a view tells it. */
export interface ToolResult {
  text: string;
  /** The exit code of a command that ended, where the agent says it. */
  exit?: number;
  /** The command was still running. */
  isRunning: boolean;
  lines: number;
  /** The middle was not kept, and nobody counted its lines. */
  isPart: boolean;
}

export function resultOf({ text, tool }: Pick<Entry, "text" | "tool">): ToolResult {
  const start = text.slice(0, lookedAtChars);
  const json = start.startsWith("{") ? findJson(text) : undefined;
  const fields = isObject(json) ? json : {};
  const said = toNumber(tool?.exit) ?? toNumber(fields.exitCode ?? fields.exit_code) ??
    toNumber((exitAbove.exec(start) ?? exitBelow.exec(text.slice(-lookedAtChars)))?.[1]);
  const told = isObject(fields.text) ? fields.text.value : undefined;
  const inner = [fields.contents, fields.output, fields.content, told].find((one) =>
    typeof one === "string"
  );
  const body = typeof inner === "string" ? inner : unwrap(text);
  const known = toNumber(tool?.lines);
  return {
    text: body,
    ...(said === undefined ? {} : { exit: said }),
    isRunning: /^(?:.*\n){0,3}Process running with session ID/.test(start),
    lines: known ?? countLines(body),
    isPart: known === undefined && cutMark.test(body) && !numbered.test(body),
  };
}

/** What a search found: how much, where it says so, and the rest of its words. */
export function foundIn(text: string): { count?: string; text: string } {
  const said = /^Found (\d+ \w+).*\n?/.exec(text);
  if (said !== null) return { count: said[1], text: text.slice(said[0].length) };
  if (/^No (?:files|matches)/.test(text)) return { count: "0 matches", text: "" };
  if (!text.startsWith("{")) return { text };
  const files = text.matchAll(/"(?:file|relativeWorkspacePath)":"((?:[^"\\]|\\.)*)"/g);
  const names = [...new Set([...files].map((match) => match[1]))];
  const matched = /"totalMatchedLines":(\d+)/.exec(text.slice(-lookedAtChars))?.[1];
  if (matched === undefined && names.length > 0) {
    return { count: `${names.length} files`, text: names.join(" ") };
  }
  return {
    count: `${matched ?? 0} ${matched === "1" ? "match" : "matches"}`,
    text: names.join(" "),
  };
}

/** How many lines a text has; of one with line numbers, how many it numbers. */
export function countLines(text: string): number {
  if (text === "") return 0;
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  const first = numbered.exec(lines[0]);
  if (first === null) return lines.length;
  const last = lines.findLast((line) => numbered.test(line)) ?? lines[0];
  return Math.max(1, Number(numbered.exec(last)?.[1]) - Number(first[1]) + 1);
}

const lookedAtChars = 500;
/** `cat -n` and what agents make of it: `12→`, `12|`, `12: `, `12. `, `12<tab>`. */
const numbered = /^\s*(\d{1,9})(?:→|\t|\| ?|: |\. )/;
const cutMark = /\n\[\+\d+ chars\]\n/;
const exitAbove = /^(?:.*\n){0,3}?(?:Process exited with code|Exit code:?) (\d+)\s*?(?:\n|$)/;
const exitBelow =
  /(?:^Exit Code: |^exit code: |<exited with exit code |<shellId: \d+ completed with exit code )(\d+)/m;

function unwrap(text: string): string {
  const plain = withoutHeader(text);
  const file = findFile(plain);
  if (file !== undefined) return file;
  for (const wrapping of wrappings) {
    const inside = wrapping.exec(plain)?.[1];
    if (inside !== undefined) return inside;
  }
  const reminder = plain.indexOf("<system-reminder>");
  return (reminder < 0 ? plain : plain.slice(0, reminder).trimEnd()).replace(exitMark, "");
}

/** A file as OpenCode wraps it, without its end's note. */
function findFile(plain: string): string | undefined {
  const [head] = /^(?:<path>[^]{0,2000}?)?<(?:content|entries|file)>\n?/.exec(plain) ?? [];
  const rest = plain.slice(head?.length);
  const end = rest.search(/<\/(?:content|entries|file)>/);
  if (head === undefined || end < 0) return undefined;
  const note = rest.indexOf("(End of file");
  return rest.slice(0, note >= 0 && note < end ? note : end).replace(/\n$/, "");
}

/** What stands around outputs: errors of Claude Code, shells of Gemini, Cline. */
const wrappings = [
  /^<tool_use_error>([^]*)<\/tool_use_error>\s*$/,
  /^(?:Command: [^]{0,4000}?\n)?(?:Directory: .*\n)?(?:Output|Stdout): ([^]*?)(?:\n(?:Stderr|Error|Exit Code|Signal|Background PIDs|Process Group PGID): |$)/,
  /^Command executed\.\s*(?:Output:\n)?([^]*)$/,
  /^Exit code \d+\n?([^]*)$/,
];
const exitMark = /\n?<(?:exited with|shellId: \d+ completed with) exit code \d+>\s*$/;

function toNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
