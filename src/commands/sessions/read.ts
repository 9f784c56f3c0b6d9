// `ctx read`: full messages of a session by position.

import { withCaution } from "../../core/instruction_like.ts";
import { parseRanges } from "../../core/ranges.ts";
import { countTokens } from "../../core/tokens.ts";
import { loadSessions } from "../../browse/session_messages.ts";
import { define } from "../../table/command.ts";
import { encode } from "../../table/execute.ts";
import * as s from "../../table/shape.ts";
import { sessionNameOf } from "../../table/session_scope.ts";

/** Reads messages of a session by range. */
export const read = define({
  name: "read",
  group: "Sessions",
  summary: "Read messages of a session by position: 5, 5-10, 1,5,10-15, 20-.",
  input: {
    session: s.text("A session's id, or current.", 1),
    ranges: s.withDefault(s.text("Positions, counted from 1."), "1-"),
    max_tokens: s.optionalInteger("Stop before this many tokens.", { min: 1 }),
  },
  output: {
    session_id: s.text(),
    total: s.number(),
    messages: s.listOf(s.object({
      message_index: s.number(),
      ...s.each(s.text(), "id", "ts", "role", "type", "text"),
      caution: s.optional(s.text()),
      files: s.optional(s.listOf(s.text())),
      tool: s.optional(s.openObject({ name: s.text() })),
      estimated_tokens: s.number(),
    })),
    skipped: s.listOf(s.number()),
    estimated_tokens: s.number(),
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
    const last = loaded.messages.at(-1)?.number ?? 0;
    const wanted = new Set(parseRanges(input.ranges, last));
    const messages = [];
    const skipped: number[] = [];
    let total = 0;
    for (const { number, entry } of loaded.messages) {
      if (!wanted.has(number)) continue;
      const message = {
        message_index: number,
        id: entry.id,
        ts: entry.ts,
        role: entry.role,
        type: entry.type,
        ...withCaution(entry.text),
        text: entry.text,
        files: entry.files,
        tool: entry.tool && { ...entry.tool },
      };
      const tokens = countTokens(encode(message));
      const over = input.max_tokens !== undefined && total + tokens > input.max_tokens;
      if (over || skipped.length > 0) {
        skipped.push(number);
        continue;
      }
      total += tokens;
      messages.push({ ...message, estimated_tokens: tokens });
    }
    return {
      session_id: loaded.session.id,
      total: loaded.messages.length,
      messages,
      skipped,
      estimated_tokens: total,
    };
  },
  render(data, view) {
    const parts = data.messages.map((message) =>
      `${view.bold(`${message.message_index} [${message.role}]`)} ${
        view.dim(`${message.ts} ${message.id}`)
      }\n${message.text}\n`
    );
    if (data.messages.length === 0) {
      parts.push(`No messages there: the session has ${data.total}.\n`);
    }
    if (data.skipped.length > 0) parts.push(`Over the budget: ${data.skipped.join(", ")}\n`);
    return parts.join("\n");
  },
});
