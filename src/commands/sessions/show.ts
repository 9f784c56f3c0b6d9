// `ctx show`: whole sessions in a reading format, several at once under one budget.

import { type ShownSession, shownSession, showSessions } from "../../read/show_sessions.ts";
import { define } from "../../command/command.ts";
import { readingFormats } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { sessionNameOf } from "../../command/session_scope.ts";
import type { View } from "../../command/view.ts";

export const show = define({
  name: "show",
  summary: "Show sessions, whole or in part.",
  description:
    "full has what tools were given and the patches of edits; stripped leaves out tool outputs and thinking; user_only keeps the user's words; outline has the first line and the size of each message. --max-tokens is one budget for all sessions: messages are left out from the end (from the start with --tail), and a session that did not fit at all is in skipped_ids with those after it.",
  input: {
    sessions: s.naming("S or title", s.someOf("Ids or titles of sessions, or current.")),
    format: s.choice("How much of each message.", readingFormats, "full"),
    expand: s.optionalInteger("Only the messages around this one.", { min: 0 }),
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
    return { format: input.format, ...await showSessions(store, ids, input) };
  },
  async render(data, view) {
    if (view.terminal) return (await import("../../view/show_screen.ts")).toShowScreen(data, view);
    const { format } = data;
    const parts = data.sessions.map((session) => sessionText(session, { format, view }));
    if (data.skipped_ids.length > 0) {
      parts.push(`Over the budget, not shown: ${data.skipped_ids.join(", ")}\n`);
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
