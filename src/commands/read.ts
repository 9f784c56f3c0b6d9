// `ctx read`: full messages of a session by position.

import * as z from "zod/mini";
import { CtxError } from "../core/errors.ts";
import { withCaution } from "../core/instruction_like.ts";
import { parseRanges } from "../core/ranges.ts";
import { countTokens } from "../core/tokens.ts";
import { define } from "./command.ts";
import { optionalInteger, text } from "./param.ts";
import { resolveSession } from "./session_scope.ts";

/** Reads messages of a session by range. */
export const read = define({
  name: "read",
  group: "Sessions",
  summary: "Read messages of a session by position: 5, 5-10, 1,5,10-15, 20-.",
  input: z.strictObject({
    session: text("A session's id, or current.", 1),
    ranges: z._default(text("Positions, counted from 1."), "1-"),
    max_tokens: optionalInteger("Stop before this many tokens.", { min: 1 }),
  }),
  output: z.object({
    session_id: z.string(),
    total: z.number(),
    messages: z.array(z.object({
      message_index: z.number(),
      id: z.string(),
      ts: z.string(),
      role: z.string(),
      type: z.string(),
      caution: z.optional(z.string()),
      text: z.string(),
      estimated_tokens: z.number(),
    })),
    skipped: z.array(z.number()),
    estimated_tokens: z.number(),
  }),
  positional: ["session", "ranges"],
  effect: "read",
  tool: "read",
  examples: [{
    argv: ["read", "S-1m2few700s4d0k3nc", "1-2"],
    about: "The first two messages of a session.",
  }],
  async run(input, context) {
    using store = (await context.openStore()).openView();
    const session = resolveSession(input.session, store, context);
    const places = session === undefined ? [] : store.readSession(session);
    if (session === undefined || places.length === 0) {
      throw new CtxError("NOT_FOUND", `Cannot read session "${input.session}": it has no entries`, {
        hint: "ctx sessions",
      });
    }
    const messages = [];
    const skipped: number[] = [];
    let total = 0;
    for (const position of parseRanges(input.ranges, places.length)) {
      const entry = store.findRowAt(places[position - 1]);
      if (entry === undefined) continue;
      const tokens = countTokens(entry.text);
      const over = input.max_tokens !== undefined && total + tokens > input.max_tokens;
      if (over || skipped.length > 0) {
        skipped.push(position);
        continue;
      }
      total += tokens;
      messages.push({
        message_index: position,
        id: entry.id,
        ts: entry.ts,
        role: entry.role,
        type: entry.type,
        ...withCaution(entry.text),
        text: entry.text,
        estimated_tokens: tokens,
      });
    }
    return {
      session_id: session,
      total: places.length,
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
