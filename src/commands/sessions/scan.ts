// `ctx scan`: a session at a glance, one line per message, as detailed as a budget allows.

import { authorOf } from "../../core/entry.ts";
import { scanAt, scanWithin } from "../../read/scan_session.ts";
import { loadSessions, toTurns } from "../../read/session_messages.ts";
import { sessionTitle } from "../../store/session_catalog.ts";
import { define } from "../../command/command.ts";
import { byTurns, oneSession } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { sessionNameOf } from "../../command/session_scope.ts";

export const scan = define({
  name: "scan",
  summary: "Skim a session: one line per message, cut to fit.",
  description:
    "Line lengths scale with --tokens-per-msg; at 50, a prompt keeps 200 characters, command output 150, an answer 80. --budget chooses the detail that fits: short messages stay whole, long ones are cut and say by how much. The numbers work with `ctx show SESSION --range`. With --turns, each line is one message as a model sees it: tool results belong to the user, and cut text ends in dots.",
  input: {
    session: oneSession,
    tokens_per_msg: s.integer("Average tokens per message.", { min: 1, max: 10_000, default: 50 }),
    budget: s.optionalInteger("Token limit for the whole scan.", {
      min: 50,
    }),
    turns: byTurns,
  },
  output: {
    ...s.each(s.text(), "session_id", "title", "text"),
    /** Whose session it is, where all of it is somebody else's. */
    author: s.optional(s.text()),
    ...s.each(s.number(), "total", "shown", "cut", "tokens_per_msg", "estimated_tokens"),
  },
  positional: ["session"],
  effect: "read",
  tool: "scan",
  examples: [
    { argv: ["show", "S-1m2few700s4d0k3nc", "--scan"], about: "Skim a session." },
    {
      argv: ["show", "S-1m2few700s4d0k3nc", "--scan", "--budget", "100"],
      about: "Skim it in a hundred tokens.",
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const name = sessionNameOf(input.session, store, context);
    const [{ session, messages }] = await loadSessions(store, [name]);
    const turns = input.turns
      ? toTurns(messages)
      : messages.map((one) => ({ number: one.number, messages: [one] }));
    const scanned = { turns, isBrief: input.turns };
    const result = input.budget === undefined
      ? scanAt(scanned, input.tokens_per_msg)
      : scanWithin(scanned, input.budget);
    const authors = new Set(messages.map(authorOf));
    const [author] = authors.size === 1 ? authors : [];
    return {
      session_id: session.id,
      ...(author === undefined ? {} : { author }),
      title: sessionTitle(session),
      total: turns.length,
      ...result,
    };
  },
  brief({ session_id, author, title, total, shown, cut, text }) {
    return {
      session_id,
      ...(author === undefined ? {} : { author }),
      total,
      ...(shown < total ? { shown } : {}),
      ...(cut > 0 ? { cut } : {}),
      title,
      text,
    };
  },
  render: (data) => data.text,
  note(data) {
    const { total, shown } = data;
    return shown < total
      ? `${total - shown} of ${total} messages have no line: raise --budget`
      : undefined;
  },
});
