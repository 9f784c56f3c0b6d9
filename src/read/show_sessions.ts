// Whole sessions in a reading format, several at once under one budget: what `show` gives, and `get`
// of sessions.

import { toFullText } from "./full_text.ts";
import { lineOf, outlineChars, toOutlineLine } from "./outline_line.ts";
import { type LoadedSession, loadSessions, type SessionMessage } from "./session_messages.ts";
import { authorOf } from "../core/entry.ts";
import { alignToCharacter } from "../core/text.ts";
import { countTokens } from "../core/tokens.ts";
import { sessionTitle } from "../store/session_catalog.ts";
import type { Store } from "../store/store.ts";
import { encode } from "../command/execute.ts";
import type { ReadingFormat } from "../command/inputs.ts";
import * as s from "../command/shape.ts";

export const shownSession = s.object({
  ...s.each(s.text(), "id", "title", "project"),
  ...s.each(s.optional(s.text()), "source", "branch", "started", "parent"),
  total: s.number(),
  messages: s.listOf(s.object({
    index: s.number(),
    ...s.each(s.text(), "role", "type", "content"),
    /** Who of the team, where it was somebody else. */
    author: s.optional(s.text()),
    tokens: s.number(),
    truncated: s.optional(s.boolean()),
  })),
  files: s.listOf(s.text()),
  /** How many files did not fit into the budget. */
  more_files: s.optional(s.number()),
  total_tokens: s.number(),
  ...s.each(s.boolean(), "has_more_before", "has_more_after"),
});
/** One of them. */
export type ShownSession = s.ValueOf<typeof shownSession>;
type ShownMessage = ShownSession["messages"][number];

export interface ShowOptions {
  format: ReadingFormat;
  /** Only the messages around this one. */
  expand?: number;
  before: number;
  after: number;
  /** Whether the end is kept, not the start, when the budget is short. */
  tail?: boolean;
  max_tokens?: number;
}

/** The sessions that fit, in the order asked for, and the ids of the others. */
export interface ShownSessions {
  sessions: ShownSession[];
  skipped_ids: string[];
  estimated_tokens: number;
}

/** Shows sessions by their whole ids; throws NOT_FOUND when there is none of one. */
export async function showSessions(
  store: Store,
  ids: readonly string[],
  options: ShowOptions,
): Promise<ShownSessions> {
  const { workspace } = store.layout;
  return showLoaded(await loadSessions(store, [...new Set(ids)]), { ...options, workspace });
}

/** Shows sessions that were loaded before. */
export function showLoaded(
  all: readonly LoadedSession[],
  options: ShowOptions & { workspace: string },
): ShownSessions {
  const sessions: ShownSession[] = [];
  const skipped_ids: string[] = [];
  let left = options.max_tokens ?? Infinity;
  for (const loaded of all) {
    const item = showSession(loaded, { ...options, budget: left });
    const isOver = item.messages.length === 0 && item.total > 0 && left < Infinity;
    // In the order asked for: a larger budget must not take back what a smaller one showed.
    if (isOver || skipped_ids.length > 0) {
      skipped_ids.push(loaded.session.id);
      continue;
    }
    left -= item.total_tokens;
    sessions.push(item);
  }
  const estimated_tokens = sessions.reduce((sum, item) => sum + item.total_tokens, 0);
  return { sessions, skipped_ids, estimated_tokens };
}

/** From where to where the messages around one are, or all of them. */
function windowOf(
  messages: LoadedSession["messages"],
  { expand, before, after }: ShowOptions,
): { from: number; to: number } {
  if (expand === undefined) return { from: 0, to: messages.length };
  const at = messages.findIndex(({ number }) => number >= expand);
  const middle = at < 0 ? messages.length : at;
  return { from: Math.max(0, middle - before), to: Math.min(middle + after + 1, messages.length) };
}

function showSession(
  { session, messages }: LoadedSession,
  options: ShowOptions & { workspace: string; budget: number },
): ShownSession {
  const { from, to } = windowOf(messages, options);
  const window = messages.slice(from, to);
  const formatted = window.map((message) => formatMessage(message, options.format))
    .filter((message) => message !== undefined);
  const shown: ShownSession = {
    id: session.id,
    title: sessionTitle(session),
    project: session.project ?? options.workspace,
    source: session.source,
    branch: session.branch,
    started: session.started,
    parent: session.parent,
    total: messages.length,
    messages: [],
    files: [],
    more_files: anyTokens,
    total_tokens: anyTokens,
    has_more_before: from > 0,
    has_more_after: to < messages.length,
  };
  const frame = countTokens(encode(shown));
  const { kept, dropped } = fit(formatted, { ...options, budget: options.budget - frame });
  shown.messages = kept;
  shown.total_tokens = kept.reduce((sum, message) => sum + message.tokens, frame);
  if (dropped && options.tail) shown.has_more_before = true;
  if (dropped && !options.tail) shown.has_more_after = true;
  addFiles(shown, new Set(window.flatMap(({ entry }) => entry.files ?? [])), options.budget);
  return shown;
}

/** What was said comes first; the names of files take what it leaves. */
function addFiles(shown: ShownSession, files: ReadonlySet<string>, budget: number): void {
  for (const file of files) {
    const tokens = countTokens(encode([file]));
    if (shown.total_tokens + tokens > budget) break;
    shown.total_tokens += tokens;
    shown.files.push(file);
  }
  shown.more_files = files.size - shown.files.length;
  if (shown.more_files === 0) delete shown.more_files;
}

/** A message in a format, or undefined when the format leaves it out. */
function formatMessage(
  message: SessionMessage,
  format: ReadingFormat,
): ShownMessage | undefined {
  const { number: index, entry } = message;
  if (format === "user_only" && !(entry.role === "user" && entry.type === "turn")) return undefined;
  if (format === "stripped" && (entry.type === "tool_output" || entry.type === "thinking")) {
    return undefined;
  }
  const content = format === "outline"
    ? toOutlineLine({
      role: entry.role,
      line: lineOf(entry, outlineChars),
      tokens: countTokens(entry.text),
    })
    : format === "full"
    ? toFullText(entry)
    : entry.text;
  const author = authorOf(message);
  const by = author === undefined ? {} : { author };
  return measured({
    index,
    role: entry.role,
    type: entry.type,
    ...by,
    content,
    tokens: anyTokens,
  });
}

/** A message with what it costs as it is returned, fields included. */
function measured(message: ShownMessage): ShownMessage {
  return { ...message, tokens: countTokens(encode(message)) };
}

/** Keeps what fits, from the start or from the end; a first message that is too long is cut. */
function fit(
  messages: ShownMessage[],
  { tail, budget }: { tail?: boolean; budget: number },
): { kept: ShownMessage[]; dropped: boolean } {
  const ordered = tail ? [...messages].reverse() : messages;
  const kept: ShownMessage[] = [];
  let left = budget;
  for (const message of ordered) {
    if (message.tokens > left) {
      const cut = kept.length === 0 && left >= minCutTokens ? cutTo(message, left) : undefined;
      if (cut) kept.push(cut);
      return { kept: tail ? kept.reverse() : kept, dropped: true };
    }
    left -= message.tokens;
    kept.push(message);
  }
  return { kept: tail ? kept.reverse() : kept, dropped: false };
}

const minCutTokens = 50;

/** Stands for a count until it is known, and costs no less. */
const anyTokens = 999_999;

function cutTo(message: ShownMessage, budget: number): ShownMessage | undefined {
  let size = Math.floor(message.content.length * budget / message.tokens);
  while (size > 0) {
    const content = message.content.slice(0, alignToCharacter(message.content, size));
    const cut = measured({ ...message, content, tokens: anyTokens, truncated: true });
    if (cut.tokens <= budget) return cut;
    size = Math.floor(size * 0.95);
  }
  return undefined;
}
