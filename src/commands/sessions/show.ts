// `ctx show`: whole sessions in a reading format, several at once under one budget.

import { shownSession, showSessions } from "../../read/show_sessions.ts";
import { define } from "../../command/command.ts";
import { readingFormats } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { sessionNameOf } from "../../command/session_scope.ts";

export const show = define({
  name: "show",
  summary: "Show one or more sessions, in full or in part.",
  description:
    "--format full includes tool input and edit patches; stripped leaves out tool output and thinking; user_only keeps the user's messages; outline has the first line and size of each message. --max-tokens is one limit for all sessions: messages are left out at the end (at the start with --tail), and sessions that do not fit at all are in skipped_ids.",
  input: {
    sessions: s.naming("S or title", s.someOf("Ids or titles of sessions, or current.")),
    format: s.choice("How much of each message to show.", readingFormats, "full"),
    expand: s.optionalInteger("Only messages around this one.", { min: 0 }),
    before: s.integer("With --expand: messages before it.", { min: 0, max: 1000, default: 2 }),
    after: s.integer("With --expand: messages after it.", { min: 0, max: 1000, default: 2 }),
    tail: s.flag("Keep the end when --max-tokens cuts."),
    max_tokens: s.optionalInteger("Token limit for all sessions together.", { min: 1 }),
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
      about: "Get an overview of a session.",
    },
    {
      argv: ["show", "S-1m2few700s4d0k3nc", "--expand", "2", "--before", "1", "--after", "1"],
      about: "Show the messages around the second one.",
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const ids = input.sessions.map((id) => sessionNameOf(id, store, context));
    return { format: input.format, ...await showSessions(store, ids, input) };
  },
  async render(data, view) {
    return (await import("../../view/show_screen.ts")).showSessionsText(data, view);
  },
});
