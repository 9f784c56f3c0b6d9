// `ctx show`: whole sessions in a reading format, several at once under one budget.

import { type ShownSession, shownSession, showSessions } from "../../read/show_sessions.ts";
import { define } from "../../command/command.ts";
import { readingFormats } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { sessionNameOf } from "../../command/session_scope.ts";
import type { View } from "../../command/view.ts";

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
    if (view.terminal) return (await import("../../view/show_screen.ts")).toShowScreen(data, view);
    const { format } = data;
    const parts = data.sessions.map((session) => sessionText(session, { format, view }));
    if (data.skipped_ids.length > 0) {
      parts.push(`Not shown, over the budget: ${data.skipped_ids.join(", ")}\n`);
    }
    return parts.join("\n");
  },
});

/** The session with its messages, each below its number and role; of an outline, one line each. */
function sessionText(
  session: ShownSession,
  { format, view }: { format: string; view: View },
): string {
  const facts = [session.id, session.started, session.source, session.branch, session.project];
  const head = `${view.bold(session.title)}\n${view.dim(facts.filter(Boolean).join(" · "))}\n`;
  const messages = session.messages.map(({ index, role, author, content }) =>
    format === "outline"
      ? `${String(index).padStart(6)}\t${author === undefined ? "" : `${author}: `}${content}\n`
      : `\n${view.bold(`${index} [${role}]`)}${
        author === undefined ? "" : ` by ${author}`
      }\n${content}\n`
  );
  const before = session.has_more_before ? view.dim("(earlier messages left out)\n") : "";
  const after = session.has_more_after ? view.dim("(later messages left out)\n") : "";
  return head + before + messages.join("") + after;
}
