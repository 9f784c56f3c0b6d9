// `ctx read`: full messages of a session by position.

import { authorOf } from "../../core/entry.ts";
import { withCaution } from "../../core/instruction_like.ts";
import { parseRanges } from "../../core/ranges.ts";
import { countTokens } from "../../core/tokens.ts";
import { toFullText } from "../../read/full_text.ts";
import {
  findPlaces,
  keepPlaces,
  readPlaces,
  type SessionAt,
} from "../../read/overview/session_places.ts";
import { getMessages, type SessionMessage, toTurns } from "../../read/session_messages.ts";
import { editsOf } from "../../core/rows/edits.ts";
import { briefMeasure, kindOf, minuteOf, shownNumbers, withoutEmpty } from "../../command/brief.ts";
import { fitRows } from "../../command/budget.ts";
import { define } from "../../command/command.ts";
import { encode } from "../../command/execute.ts";
import { byTurns, oneSession } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { sessionNameOf } from "../../command/session_scope.ts";

const shownMessage = s.openObject({
  ...s.each(s.number(), "message_index", "estimated_tokens"),
  ...s.each(s.text(), "id", "ts", "role", "type", "text"),
  ...s.each(s.optional(s.text()), "caution", "author"),
  files: s.optional(s.listOf(s.text())),
  tool: s.optional(s.openObject({ name: s.text() })),
  patch: s.optional(s.text()),
  edits: s.optional(s.listOf(s.object({
    ...s.each(s.text(), "path", "old", "new"),
    line: s.optional(s.number()),
    cut: s.optional(s.boolean()),
  }))),
});
type ShownMessage = s.ValueOf<typeof shownMessage>;

export const read = define({
  name: "read",
  summary: "Read messages of a session by number: 5, 5-10, 1,5,10-15, 20-.",
  input: {
    session: oneSession,
    ranges: s.withDefault(s.text("Message numbers, from 1."), "1-"),
    max_tokens: s.optionalInteger("Stop at this many tokens.", { min: 1 }),
    turns: byTurns,
    edits: s.flag("Include edits: path, old and new text."),
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
    argv: ["show", "S-1m2few700s4d0k3nc", "--range", "1-2"],
    about: "Read the first two messages.",
  }],
  async run(input, context) {
    const store = await context.openStore();
    using view = store.openView();
    const id = sessionNameOf(input.session, store, context);
    const { total, picked } = await pickMessages({ store, view, id }, input);
    const found = picked.map((message) => toMessage(message, input.edits));
    const { rows: messages, estimated_tokens } = fitRows(
      found,
      input.max_tokens,
      briefMeasure(context.surface, briefMessage) ?? ((message) => message.estimated_tokens),
    );
    return {
      session_id: id,
      total,
      messages,
      skipped: [...new Set(found.slice(messages.length).map((one) => one.message_index))],
      estimated_tokens,
    };
  },
  brief({ session_id, total, messages, skipped }) {
    return { session_id, total, messages: messages.map(briefMessage), skipped };
  },
  render(data, view) {
    const numbers = shownNumbers(data.messages.map((message) => message.message_index));
    const parts = data.messages.map((message, i) =>
      `${view.bold(`${numbers[i]} [${message.role}]`.trimStart())} ${
        view.dim(`${message.ts} ${message.id}${message.author ? ` by ${message.author}` : ""}`)
      }\n${toFullText(message)}\n`
    );
    if (data.messages.length === 0) {
      parts.push(
        `No messages in that range. To list their numbers: ctx show ${data.session_id} --outline\n`,
      );
    }
    if (data.skipped.length > 0) {
      parts.push(`Not shown, over the budget: ${data.skipped.join(", ")}\n`);
    }
    return parts.join("\n");
  },
});

function briefMessage(message: ShownMessage): object {
  return withoutEmpty({
    n: message.message_index,
    id: message.id,
    ts: minuteOf(message.ts),
    kind: kindOf(message),
    author: message.author,
    caution: message.caution,
    files: message.files,
    text: toFullText(message),
  });
}

/** The messages of some positions; of a session that a server has read before only those are read. */
async function pickMessages(
  at: SessionAt,
  { ranges, turns }: { ranges: string; turns: boolean },
): Promise<{ total: number; picked: SessionMessage[] }> {
  const wantedOf = (last: number): (one: { number: number }) => boolean => {
    const wanted = new Set(parseRanges(ranges, last));
    return ({ number }) => wanted.has(number);
  };
  const places = turns ? undefined : findPlaces(at);
  const known = places && readPlaces(at.view, places.filter(wantedOf(places.at(-1)?.number ?? 0)));
  if (places && known) return { total: places.length, picked: known };
  const all = await getMessages(at.view, at.id);
  keepPlaces(at, all);
  if (!turns) {
    return { total: all.length, picked: all.filter(wantedOf(all.at(-1)?.number ?? 0)) };
  }
  const counted = toTurns(all);
  // They go by the number that they were asked for by, which is that of the scan.
  const picked = counted.filter(wantedOf(counted.length)).flatMap(({ number, messages }) =>
    messages.map((message) => ({ ...message, number }))
  );
  return { total: counted.length, picked };
}

/** The whole entry, as it is stored, with its number. */
function toMessage(
  { number, entry, pool }: SessionMessage,
  withEdits: boolean,
): ShownMessage {
  const { patch, author: _, ...fields } = entry;
  const author = authorOf({ entry, pool });
  const edits = withEdits
    ? editsOf(entry).map(({ isCut: cut, ...edit }) => ({ ...edit, cut }))
    : [];
  const message = {
    message_index: number,
    ...fields,
    ...withCaution(entry.text),
    ...(author === undefined ? {} : { author }),
    tool: entry.tool && { ...entry.tool },
    ...(typeof patch === "string" ? { patch } : {}),
    ...(edits.length > 0 ? { edits } : {}),
  };
  return { ...message, estimated_tokens: countTokens(encode(message)) };
}
