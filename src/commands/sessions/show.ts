// `ctx show`: whole sessions in a reading format, several at once under one budget.

import type { Entry } from "../../core/entry.ts";
import { alignToCharacter, firstLine } from "../../core/text.ts";
import { countTokens } from "../../core/tokens.ts";
import { type LoadedSession, loadSessions } from "../../browse/session_messages.ts";
import { define } from "../../table/command.ts";
import { encode } from "../../table/execute.ts";
import { type ReadingFormat, readingFormats } from "../../table/inputs.ts";
import * as s from "../../table/shape.ts";
import { sessionNameOf } from "../../table/session_scope.ts";

const shownSession = s.object({
  ...s.each(s.text(), "id", "title"),
  ...s.each(s.optional(s.text()), "project", "source", "branch", "started", "parent"),
  total: s.number(),
  messages: s.listOf(s.object({
    index: s.number(),
    ...s.each(s.text(), "role", "type", "content"),
    tokens: s.number(),
    truncated: s.optional(s.boolean()),
  })),
  files: s.listOf(s.text()),
  /** How many files did not fit into the budget. */
  more_files: s.optional(s.number()),
  total_tokens: s.number(),
  ...s.each(s.boolean(), "has_more_before", "has_more_after"),
});
type ShownSession = s.ValueOf<typeof shownSession>;
type ShownMessage = ShownSession["messages"][number];

/** Shows sessions. */
export const show = define({
  name: "show",
  group: "Sessions",
  summary: "Show whole sessions: full, stripped, user_only or outline.",
  description:
    "stripped leaves out tool outputs and thinking; user_only keeps the user's words; outline has the first line and the size of each message. --max-tokens is one budget for all sessions: messages are left out from the end (from the start with --tail), and a session that did not fit at all is in skipped_ids with those after it.",
  input: {
    sessions: s.naming("S or title", s.someOf("Ids or titles of sessions, or current.")),
    format: s.choice("How much of each message.", readingFormats, "full"),
    expand: s.optionalInteger("Only the messages around this one.", { min: 1 }),
    before: s.integer("With --expand: messages before it.", { min: 0, max: 1000, default: 2 }),
    after: s.integer("With --expand: messages after it.", { min: 0, max: 1000, default: 2 }),
    tail: s.flag("When the budget is short, keep the end instead of the start."),
    max_tokens: s.optionalInteger("Tokens for all sessions together, fields included.", { min: 1 }),
  },
  output: {
    format: s.oneOf(readingFormats),
    sessions: s.listOf(shownSession),
    skipped_ids: s.listOf(s.text()),
    estimated_tokens: s.number(),
  },
  positional: ["sessions"],
  effect: "read",
  tool: "show",
  examples: [
    {
      argv: ["show", "S-1m2few700s4d0k3nc", "--format", "outline"],
      about: "The shape of a session before reading it.",
    },
    {
      argv: ["show", "S-1m2few700s4d0k3nc", "--expand", "2", "--before", "1", "--after", "1"],
      about: "The messages around the second one.",
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const ids = input.sessions.map((id) => sessionNameOf(id, store, context));
    const shown: ShownSession[] = [];
    const skipped: string[] = [];
    let left = input.max_tokens ?? Infinity;
    for (const loaded of await loadSessions(store, [...new Set(ids)])) {
      const item = showSession(loaded, { ...input, budget: left });
      const isOver = item.messages.length === 0 && item.total > 0 && left < Infinity;
      // In the order asked for: a larger budget must not take back what a smaller one showed.
      if (isOver || skipped.length > 0) {
        skipped.push(loaded.session.id);
        continue;
      }
      left -= item.total_tokens;
      shown.push(item);
    }
    return {
      format: input.format,
      sessions: shown,
      skipped_ids: skipped,
      estimated_tokens: shown.reduce((sum, item) => sum + item.total_tokens, 0),
    };
  },
  render(data, view) {
    const parts = data.sessions.map((session) => {
      const facts = [session.id, session.started, session.source, session.branch, session.project];
      const head = `${view.bold(session.title)}\n${view.dim(facts.filter(Boolean).join(" · "))}\n`;
      const messages = session.messages.map((message) =>
        data.format === "outline"
          ? `${String(message.index).padStart(6)}\t${message.content}\n`
          : `\n${view.bold(`${message.index} [${message.role}]`)}\n${message.content}\n`
      );
      const before = session.has_more_before ? view.dim("(earlier messages left out)\n") : "";
      const after = session.has_more_after ? view.dim("(later messages left out)\n") : "";
      return head + before + messages.join("") + after;
    });
    if (data.skipped_ids.length > 0) {
      parts.push(`Over the budget, not shown: ${data.skipped_ids.join(", ")}\n`);
    }
    return parts.join("\n");
  },
  async screen(data, { view }) {
    const { toShowScreen } = await import("../../screens/show_screen.ts");
    return toShowScreen(data, view);
  },
});

interface ShowOptions extends WindowOptions {
  format: ReadingFormat;
  tail: boolean;
  budget: number;
}

interface WindowOptions {
  expand?: number;
  before: number;
  after: number;
}

/** From where to where the messages around one are, or all of them. */
function windowOf(
  messages: LoadedSession["messages"],
  { expand, before, after }: WindowOptions,
): { from: number; to: number } {
  if (expand === undefined) return { from: 0, to: messages.length };
  const at = messages.findIndex(({ number }) => number >= expand);
  const middle = at < 0 ? messages.length : at;
  return { from: Math.max(0, middle - before), to: Math.min(middle + after + 1, messages.length) };
}

function showSession({ session, messages }: LoadedSession, options: ShowOptions): ShownSession {
  const { from, to } = windowOf(messages, options);
  const window = messages.slice(from, to);
  const formatted = window.map(({ number, entry }) => formatMessage(number, entry, options.format))
    .filter((message) => message !== undefined);
  const shown: ShownSession = {
    id: session.id,
    title: session.title ?? session.first_user_line ?? "",
    project: session.project,
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
  index: number,
  entry: Entry,
  format: ReadingFormat,
): ShownMessage | undefined {
  if (format === "user_only" && !(entry.role === "user" && entry.type === "turn")) return undefined;
  if (format === "stripped" && (entry.type === "tool_output" || entry.type === "thinking")) {
    return undefined;
  }
  const content = format === "outline" ? outlineOf(entry) : entry.text;
  return measured({ index, role: entry.role, type: entry.type, content, tokens: anyTokens });
}

/** A message with what it costs as it is returned, fields included. */
function measured(message: ShownMessage): ShownMessage {
  return { ...message, tokens: countTokens(encode(message)) };
}

function outlineOf(entry: Entry): string {
  const who = entry.role[0].toUpperCase() + entry.role.slice(1);
  const tokens = countTokens(entry.text);
  const size = tokens < 1000 ? `${tokens}` : `${(tokens / 1000).toFixed(1)}k`;
  return `[${who}] ${firstLine(entry.title ?? entry.text, 120)} (${size} tokens)`;
}

/** Keeps what fits, from the start or from the end; a first message that is too long is cut. */
function fit(
  messages: ShownMessage[],
  { tail, budget }: { tail: boolean; budget: number },
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
