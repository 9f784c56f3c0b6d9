// Finds what agents' programs put into the user's messages: whole messages (summaries, skills, plans,
// notices), blocks between tags, envelopes, commands. Importers have already removed some of it. Pure.

import {
  claudeNotice,
  codexEditorHead,
  codexNotice,
  codexRequest,
  codexSummaryHead,
  interrupted,
  planHead,
  referencedFiles,
  wholeMessage,
} from "./client_forms.ts";
import { findMarked, typedMarks } from "./find_marked.ts";
import type { Range } from "./span.ts";

/** Placeholder for an attachment: `[Image #1]`, `[Pasted text #1 +20 lines]`, `<image>`. */
const placeholder = new RegExp(
  String
    .raw`\[(?:Image|Pasted text|Attachment|File|Audio)\b[^\[\]\n]{0,80}\]|${interrupted.source}[^\]\n]{0,40}\]`,
  "gi",
);
const onlyPlaceholder = /^\s*(?:<[^<>]{1,60}>|\[[^\[\]]{1,60}\])\s*$/;
/** A command of the agent's program; what follows it was typed. A path has another slash. */
const command =
  /^\s*\/(?!(?:bin|dev|etc|home|mnt|opt|proc|root|srv|sys|tmp|usr|var)\b)[a-z][\w.:-]{0,80}(?![\w.:/-])/i;
/** A command that is given to the shell through the agent's program. */
const shellCommand = /^\s*! ?[\w./~$-]{1,200}(?:\s|$)/;
const begunFiles = new RegExp(`^${referencedFiles}$`, "m");
const wholeMessages = [wholeMessage, claudeNotice, codexNotice, codexSummaryHead];

/**
 * Where a client speaks in a message of the user's side, in order and apart. In doubt it does: files and
 * output that it puts there may have been written by anybody.
 */
export function findClientRanges(text: string): Range[] {
  const end = text.length;
  const all = [{ from: 0, to: end }];
  if (codexEditorHead.test(text) && text.includes(codexRequest)) {
    return [{ from: 0, to: text.lastIndexOf(codexRequest) + codexRequest.length }];
  }
  const isWhole = !/^\s*</.test(text) && text.trimStart().search(interrupted) !== 0 &&
    wholeMessages.some((head) => head.test(text));
  if (isWhole || planHead(text) !== undefined) return all;
  if (onlyPlaceholder.test(text) || shellCommand.test(text)) return all;
  const words = findOpenclawWords(text);
  if (words !== undefined && isOfOthers(text, words)) return all;
  const around = words === undefined
    ? []
    : [{ from: 0, to: words.from }, { from: words.to, to: end }];
  const first = command.exec(text);
  const files = text.includes(referencedFiles) ? begunFiles.exec(text) : null;
  return join([
    ...around,
    ...(first === null ? [] : [{ from: 0, to: first[0].length }]),
    ...(files === null ? [] : [{ from: files.index, to: end }]),
    ...findTagRanges(text),
    ...[...text.matchAll(placeholder)].map(({ 0: found, index }) => ({
      from: index,
      to: index + found.length,
    })),
  ]);
}

/** What the person sent with a message: what they typed and pasted, without what their client put in. */
export function sentWords(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of findClientRanges(text)) {
    parts.push(text.slice(at, from));
    at = to;
  }
  return [...parts, text.slice(at)].join("\n").trim();
}

/** Whether a client wrote all of a message of the user's side. */
export function isClientText(text: string): boolean {
  return sentWords(text) === "";
}

/** Whether a message is only a notice from the client: nobody asked for anything with it. */
export function isNotice(text: string): boolean {
  return !command.test(text) && !shellCommand.test(text) && planHead(text) === undefined &&
    isClientText(text);
}

/** Names of tags that agents put into prompts: reminders, notices, output, attached files, rules. */
const tag =
  /<(\/?)((?:system|task|user|ide|local|command|bash|hook|session|environment|attached|selected|open|current|additional|tool|manually|file|code|folder|final|automatic|explicit|cursor|agent|skills?|mcp|git|apps|plugins|turn|subagent|personality|collaboration|rollout|state|relevant|active|teammate|new|retrieval|web|ctx)[-_][\w-]{1,40}|permissions|skill|timestamp|documents?|file|context|content)\b[^<>\n]{0,200}>/gi;
const wrappers: ReadonlySet<string> = new Set(["user_query", "user_message", "command-args"]);
/** Blocks of a client's own words: what stands between two of them was typed. */
const notes = /^(?:system-reminder$|ide_|command-|timestamp$)/;

interface Tag extends Range {
  name: string;
  isEnd: boolean;
}

/** The blocks between tags. Each tag is looked at once: of many that nobody closed none is searched again. */
function findTagRanges(text: string): Range[] {
  if (!text.includes("<")) return [];
  // A client begins with its tags where it puts others around what was typed.
  const isWrapped = /^\s*</.test(text);
  const tags = [...text.matchAll(tag)].map((
    { 0: whole, 1: slash, 2: name, index },
  ): Tag => ({
    from: index,
    to: index + whole.length,
    name: name.toLowerCase(),
    isEnd: slash !== "",
  })).filter(({ name }) => isWrapped || !wrappers.has(name));
  const ends = Map.groupBy(tags.filter(({ isEnd }) => isEnd).reverse(), ({ name }) => name);
  const lastEnds = new Map(tags.filter(({ isEnd }) => isEnd).map((one) => [one.name, one.to]));
  const begun = new Set<string>();
  const found: Range[] = [];
  let at = 0;
  for (const { from, to, name, isEnd } of tags) {
    if (from < at) continue;
    if (isEnd) {
      // What stands before a second end was in a block that its own text closed early.
      if (wrappers.has(name)) found.push({ from, to: at = to });
      else if (begun.has(name)) found.push({ from: 0, to: at = to });
      continue;
    }
    const later = ends.get(name) ?? [];
    while ((later.at(-1)?.from ?? to) < to) later.pop();
    const end = later.at(-1);
    // A message that begins with a block which nobody closed was cut off in it.
    if (end === undefined && text[to] === "\n" && text.slice(0, from).trim() === "") {
      return [{ from: 0, to: text.length }];
    }
    if (end === undefined || isInline(text, { from, to: end.to })) continue;
    begun.add(name);
    // The text of a block may close it and open another: only the last end is sure to be the client's.
    const whole = notes.test(name) ? end.to : lastEnds.get(name) ?? end.to;
    at = wrappers.has(name) ? to : whole;
    found.push({ from, to: at });
  }
  return isWrapped ? [...found, ...aroundMarked(text)] : found;
}

/** Whether somebody talks of an element inside a line: clients begin one with theirs, but for reminders. */
function isInline(text: string, { from, to }: Range): boolean {
  const line = text.lastIndexOf("\n", from) + 1;
  const before = text.slice(Math.max(line, from - 200), from);
  return /[^\s>]/.test(before) &&
    !/^<(?:system|ide|command|ctx|user)[-_]/i.test(text.slice(from, to)) &&
    !text.slice(from, to).includes("\n");
}

/** Where an agent marks what was typed, all else is its own; all of it where there are several marks. */
function aroundMarked(text: string): Range[] {
  return typedMarks.flatMap((name) => {
    const typed = findMarked(text, name);
    if (typed === undefined) return [];
    if (typed === "unsure") return [{ from: 0, to: text.length }];
    return [{ from: 0, to: typed.from }, { from: typed.to, to: text.length }];
  });
}

/** Ranges in order; those that touch or overlap become one. */
export function join(ranges: Range[]): Range[] {
  const joined: Range[] = [];
  for (const { from, to } of ranges.sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (from >= to) continue;
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

// OpenClaw puts an envelope around each message (channel, sender and time), blocks of context before and
// after, and sends messages of its own: heartbeats, the start after a reset, a sub-agent's task.

const opening = {
  /** A line that names a block of context; the block follows between fences, or up to an empty line. */
  context:
    /[^\n]{1,80}(?:\(untrusted(?: metadata|, for context)\):|⟦openclaw:ctx⟧)[ \t]*\n(?:```json\n[^]*?\n```|(?:[^\n]+(?:\n|$))+)/y,
  event: /System(?: \(untrusted\))?: \[[^\]\n]*\][^\n]*(?:\n[^\n]+)*/y,
  // The last of these lines: others of the chat may write one too.
  chat: /\[Chat messages since your last reply - for context\][^]*\n\[Current message[^\]\n]*\]/y,
  current: /\[Current message[^\]\n]*\]/y,
  subAgent: /(?:\[Subagent Context\][^]*?)?\[Subagent Task\]:?/y,
  hint: /\[(?:message_id: |media attached)[^\n]*\](?=\n|$)|To send an image back,[^\n]*/y,
};
const envelope =
  /\[(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) |(?:WebChat|WhatsApp|Telegram|Signal|Slack|Discord|Google Chat|iMessage|Teams|MSTeams|Matrix|Mattermost|Feishu|Line|IRC|Nostr|Zalo|Zalo Personal|BlueBubbles) [^\]\n]*?)\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\]\n]*\] */y;
const closingContext =
  /\n[ \t]*(?:Untrusted context \(metadata, [^\n]*\):|Context: ⟦openclaw:ctx⟧)[ \t]*\n/;
const lastHint = /^[ \t]*\[(?:message_id: |from: )[^\]\n]*\]$/;
const openclawOwn =
  /^(?:A new session was started via \/new or \/reset|Read HEARTBEAT\.md if it exists|Pre-compaction memory flush|Continue where you left off\. The previous model)/;

/** Where the words are in a message that OpenClaw wrote or wrapped; undefined in other messages. */
export function findOpenclawWords(text: string): Range | undefined {
  const from = skipOpening(text);
  if (openclawOwn.test(text.slice(from, from + 100))) return { from: text.length, to: text.length };
  const isWrapped = text.slice(0, from).trim() !== "";
  const to = skipClosing(text, from);
  const isClosed = text.slice(to).trim() !== "";
  return isWrapped || isClosed ? { from, to } : undefined;
}

/** What says that an agent wrote the words, or somebody on a channel, where others write too. */
const ofOthers =
  /\[Subagent Task\]|\[Current message|"is_group_chat":\s*true|"group_subject":|\[(?!(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|WebChat) )[A-Z][^\]\n]*\d{4}-\d\d-\d\d[T ]\d\d:\d\d[^\]\n]*\]\s*$/;

function isOfOthers(text: string, words: Range): boolean {
  return ofOthers.test(text.slice(0, words.from));
}

/** What an agent or somebody on a channel says in a message that OpenClaw wrapped, and the mark of it. */
export function findWordsOfOthers(text: string): { mark: string; words: string } | undefined {
  const found = findOpenclawWords(text);
  if (found === undefined || !isOfOthers(text, found)) return undefined;
  const mark = /\[[^\[\]\n]{1,300}\]:?\s*$/.exec(text.slice(0, found.from));
  return {
    mark: mark?.[0].trim() ?? "[Current message]",
    words: text.slice(found.from, found.to).trim(),
  };
}

/** Where what stands before the words ends; of envelopes there is one. */
function skipOpening(text: string): number {
  let isOpen = false;
  let at = 0;
  while (true) {
    while (/\s/.test(text.charAt(at))) at++;
    const found = [...Object.values(opening), ...(isOpen ? [] : [envelope])].find((pattern) => {
      pattern.lastIndex = at;
      return pattern.test(text);
    });
    if (found === undefined) return at;
    if (found === envelope) isOpen = true;
    at = found.lastIndex;
  }
}

/** Where the words end: before a block of context, and before the hints of the last lines. */
function skipClosing(text: string, from: number): number {
  const cut = closingContext.exec(from === 0 ? text : text.slice(from));
  let to = cut === null ? text.length : from + cut.index;
  while (true) {
    while (to > from && /\s/.test(text.charAt(to - 1))) to--;
    const line = text.lastIndexOf("\n", to - 1);
    if (line < from || !lastHint.test(text.slice(line + 1, Math.min(to, line + 500)))) break;
    to = line;
  }
  return to;
}
