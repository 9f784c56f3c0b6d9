// The rows of one message that SpecStory wrote down. Of a tool it keeps what a person would look at: the
// command, the file, a diff, the output; that is taken apart again as far as it can be. Pure.

import { parseClaudePrompt } from "../claude_prompt.ts";
import * as make from "../entries.ts";
import { withHead } from "../patches.ts";
import type { SourceEntry } from "../source.ts";
import { toolEffect, toProjectPath } from "../touched.ts";
import {
  type SpecstoryMessage,
  type SpecstoryPart,
  splitParts,
  withoutRules,
} from "./specstory_document.ts";

/** What was called with what stands at the beginning; more of an output is not taken apart. */
const maxLookedAt = 100_000;

export function messageRows(message: SpecstoryMessage, base: make.Base): SourceEntry[] {
  if (message.role === "user") {
    // Most of what SpecStory wrote down was said to Claude Code, whose notices it keeps as prompts.
    const prompt = parseClaudePrompt(withoutRules(message.lines));
    return prompt.kind === "prompt" ? [make.turn("user", prompt.text, base)] : [];
  }
  return splitParts(message.lines).flatMap((part, i) => {
    const at = { ...base, model: message.model, message: `${base.message}.${i}` };
    if (part.kind === "tool") return toolRows(part, at);
    if (part.text === "") return [];
    return [
      part.kind === "text" ? make.turn("assistant", part.text, at) : make.thinking(part.text, at),
    ];
  });
}

function toolRows(
  { name, summary, body }: Extract<SpecstoryPart, { kind: "tool" }>,
  base: make.Base,
): SourceEntry[] {
  const effect = toolEffect(name);
  const start = body.slice(0, maxLookedAt);
  const command = effect === "run" ? findCommand(start) : undefined;
  const file_path = findFile(`${summary}\n${start}`, effect);
  const input = {
    ...namedInputs(start),
    ...(command === undefined ? {} : { command: command.text }),
    ...(file_path === undefined ? {} : { file_path }),
    ...(summary === "" ? {} : { description: summary }),
  };
  const call = make.toolCall({ name, input }, base);
  const given = command === undefined
    ? body.replace(/^Read file: [^\n]*/, "")
    : body.slice(command.end);
  const output = withoutRules(given.split("\n"));
  const diff = /^```diff\n([^]*?)\n```$/m.exec(start)?.[1];
  const path = file_path === undefined ? "" : toProjectPath(file_path, base.cwd);
  const patch = diff === undefined ? undefined : withHead(path, plainDiff(diff));
  if (output === "" && patch === undefined) return [call];
  const error = /^\*\*Error:\*\*$/m.test(start);
  const at = { ...base, message: `${base.message}:output` };
  return [call, make.toolOutput({ name, output, error, patch }, at)];
}

/** A command in backticks, or in a block of its own, and where it ends. */
function findCommand(body: string): { text: string; end: number } | undefined {
  const found = /^`([^`\n][^\n]*)`$/m.exec(body) ??
    /^```(?:bash|sh|shell)\n([^]*?)\n```$/m.exec(body);
  return found ? { text: found[1], end: found.index + found[0].length } : undefined;
}

function findFile(text: string, effect: ReturnType<typeof toolEffect>): string | undefined {
  const named = /\b(?:Read|Edit|Write|Create|Delete) file: ([^\n•]+)/.exec(text)?.[1].trim();
  if (named !== undefined && named !== "undefined") return named;
  if (effect === "read") return /^[ \t]*`([^`\n]+)`/m.exec(text)?.[1];
  return effect === "edit"
    ? /^(?:The file|File created successfully at:) (\/\S+)/m.exec(text)?.[1] ??
      /^[ \t]*`([^`\n]+)`/m.exec(text)?.[1]
    : undefined;
}

/** Arguments of tools that SpecStory does not know are a list. */
function namedInputs(body: string): Record<string, string> {
  const [, list = ""] = /^\*\*Input:\*\*\n\n((?:- [^\n]*\n?)+)/m.exec(body) ?? [];
  return Object.fromEntries(
    [...list.matchAll(/^- (\w{1,60}): `([^\n]*)`$/gm)].map(([, name, value]) => [name, value]),
  );
}

/** Diffs of the extension have a blank behind each mark. */
function plainDiff(diff: string): string {
  const lines = diff.split("\n");
  const isSpaced = lines.every((line) => /^(?:[-+ ] |[-+ ]?$|@@)/.test(line));
  return isSpaced ? lines.map((line) => line.replace(/^([-+ ]) /, "$1")).join("\n") : diff;
}
