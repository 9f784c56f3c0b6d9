// `ctx read`: full messages of a session by position.

import { withCaution } from "../../core/instruction_like.ts";
import { parseRanges } from "../../core/ranges.ts";
import { countTokens } from "../../core/tokens.ts";
import { toFullText } from "../../browse/full_text.ts";
import { loadSessions, type SessionMessage, toTurns } from "../../browse/session_messages.ts";
import { briefMeasure, kindOf, minuteOf, withoutEmpty } from "../../table/brief.ts";
import { fitRows } from "../../table/budget.ts";
import { define } from "../../table/command.ts";
import { encode } from "../../table/execute.ts";
import { byTurns, oneSession } from "../../table/inputs.ts";
import * as s from "../../table/shape.ts";
import { sessionNameOf } from "../../table/session_scope.ts";

const shownMessage = s.openObject({
  ...s.each(s.number(), "message_index", "estimated_tokens"),
  ...s.each(s.text(), "id", "ts", "role", "type", "text"),
  caution: s.optional(s.text()),
  files: s.optional(s.listOf(s.text())),
  tool: s.optional(s.openObject({ name: s.text() })),
  patch: s.optional(s.text()),
});
type ShownMessage = s.ValueOf<typeof shownMessage>;

/** Reads messages of a session by range. */
export const read = define({
  name: "read",
  group: "Sessions",
  summary: "Read messages of a session by position: 5, 5-10, 1,5,10-15, 20-.",
  input: {
    session: oneSession,
    ranges: s.withDefault(s.text("Positions, counted from 1."), "1-"),
    max_tokens: s.optionalInteger("Stop before this many tokens.", { min: 1 }),
    turns: byTurns,
  },
  output: {
    session_id: s.text(),
    ...s.each(s.number(), "total", "estimated_tokens"),
    messages: s.listOf(shownMessage),
    skipped: s.listOf(s.number()),
  },
  positional: ["session", "ranges"],
  effect: "read",
  tool: "read",
  examples: [{
    argv: ["read", "S-1m2few700s4d0k3nc", "1-2"],
    about: "The first two messages of a session.",
  }],
  async run(input, context) {
    using store = (await context.openStore()).openView();
    const [loaded] = await loadSessions(store, [sessionNameOf(input.session, store, context)]);
    const { messages: all } = loaded;
    const turns = input.turns ? toTurns(all) : undefined;
    const last = (turns ?? all).at(-1)?.number ?? 0;
    const wanted = new Set(parseRanges(input.ranges, last));
    const isWanted = ({ number }: { number: number }): boolean => wanted.has(number);
    const found = (turns?.filter(isWanted).flatMap(({ messages }) => messages) ??
      all.filter(isWanted)).map(toMessage);
    const { rows: messages, estimated_tokens } = fitRows(
      found,
      input.max_tokens,
      briefMeasure(context.surface, briefMessage) ?? ((message) => message.estimated_tokens),
    );
    return {
      session_id: loaded.session.id,
      total: turns?.length ?? all.length,
      messages,
      skipped: found.slice(messages.length).map((message) => message.message_index),
      estimated_tokens,
    };
  },
  brief({ session_id, total, messages, skipped }) {
    return { session_id, total, messages: messages.map(briefMessage), skipped };
  },
  render(data, view) {
    const parts = data.messages.map((message) =>
      `${view.bold(`${message.message_index} [${message.role}]`)} ${
        view.dim(`${message.ts} ${message.id}`)
      }\n${toFullText(message)}\n`
    );
    if (data.messages.length === 0) {
      parts.push(`No messages there: the session has ${data.total}.\n`);
    }
    if (data.skipped.length > 0) parts.push(`Over the budget: ${data.skipped.join(", ")}\n`);
    return parts.join("\n");
  },
});

function briefMessage(message: ShownMessage): object {
  return withoutEmpty({
    n: message.message_index,
    id: message.id,
    ts: minuteOf(message.ts),
    kind: kindOf(message),
    caution: message.caution,
    files: message.files,
    text: toFullText(message),
  });
}

/** The whole entry, as it is stored, with its number. */
function toMessage({ number, entry }: SessionMessage): ShownMessage {
  const { patch, ...fields } = entry;
  const message = {
    message_index: number,
    ...fields,
    ...withCaution(entry.text),
    tool: entry.tool && { ...entry.tool },
    ...(typeof patch === "string" ? { patch } : {}),
  };
  return { ...message, estimated_tokens: countTokens(encode(message)) };
}
