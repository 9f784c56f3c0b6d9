// Tells what ctx wrote into an agent's settings, now or in an earlier version, from everything else.

import { isObject } from "../core/json.ts";
import { toHookWords } from "./hook_line.ts";

/** What is said of an entry that has our name and is not ours. */
export function foreignEntry(name: string, path: string): string {
  return `${name} in ${path} was kept: it runs a different program`;
}

/** Whether a server in someone's settings is this ctx: as it would be entered now, or was before. */
export function isOurEntry(entry: unknown, program: readonly string[]): boolean {
  if (!isObject(entry)) return false;
  const words = [entry.command, entry.args].flat().filter((word) => typeof word === "string");
  if (!words.includes("mcp")) return false;
  if (program.every((word, i) => words[i] === word)) return true;
  const [name, ...rest] = words.map((word) => word.slice(word.search(/[^/\\]*$/)));
  const isCtx = (word: string): boolean =>
    /^(?:ctx(?:-(?:linux|macos|darwin|windows)-\w+)?|contextfs)(?:@[\w.^~-]+)?(?:\.exe|\.cmd|\.m?js)?$/
      .test(word);
  if (isCtx(name)) return true;
  if (/^deno(?:\.exe)?$/.test(name)) {
    return /^run -A --quiet mod\.[jt]s mcp(?: agent)?$/.test(rest.join(" "));
  }
  const script = rest.find((word) => !word.startsWith("-")) ?? "";
  return /^(?:node|npx)(?:\.exe|\.cmd)?$/.test(name) && isCtx(script);
}

export function isOurCommand({ command }: Record<string, unknown>): boolean {
  return typeof command === "string" && isOurHook(toHookWords(command));
}

/** Whether a command in someone's settings is one that we wrote: it runs ctx and ends in our hook. */
export function isOurHook(words: readonly string[]): boolean {
  const [program = "", ...rest] = words;
  const name = program.slice(program.search(/[^/\\]*$/));
  return /^(?:ctx(?:-[\w-]+)?|contextfs|deno|node|npx)(?:\.exe|\.cmd|\.m?js)?$/.test(name) &&
    rest.at(-2) === "hook" && hookNames.includes(rest.at(-1) ?? "") &&
    (/^(?:ctx|contextfs)/.test(name) || rest.some((word) => /\bctx\b|mod\.[jt]s$/.test(word)));
}

const hookNames = [
  "claude-code",
  "cursor",
  "codex",
  "gemini",
  "qwen",
  "opencode",
  "pre-edit",
  "guard",
];
