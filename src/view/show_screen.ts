// `ctx show` on a terminal: a session to read, each message under its number and role.

import { kindOf } from "../command/brief.ts";
import { countOf, type View } from "../command/view.ts";
import type { ShownSession, ShownSessions } from "../read/show_sessions.ts";
import { readableColumns } from "./lists.ts";

/** The sessions, one after the other. */
export function toShowScreen(data: ShownSessions & { format: string }, view: View): string {
  const parts = data.sessions.map((session) => toSession(session, { format: data.format, view }));
  if (data.skipped_ids.length > 0) {
    parts.push(view.wrap(
      view.warning(`Not shown, over the budget: ${data.skipped_ids.join(", ")}`),
    ));
  }
  return `${parts.join("\n\n")}\n`;
}

function toSession(
  session: ShownSession,
  { format, view }: { format: string; view: View },
): string {
  const width = Math.min(view.width, readableColumns);
  const facts = [
    view.id(session.id),
    session.started && view.moment(session.started),
    session.source,
    session.branch,
    session.project && view.path(session.project),
    countOf(session.total, "message"),
  ].filter(Boolean).join(" · ");
  const messages = format === "outline"
    ? [toOutline(session.messages, view)]
    : session.messages.map((message) => {
      const { index, author, content } = message;
      const by = author === undefined ? "" : `by ${author} `;
      const head = `${view.dim("──")} ${view.bold(`#${index} ${kindOf(message)}`)} ${by}`;
      const rule = view.dim("─".repeat(Math.max(0, width - view.widthOf(head))));
      return `${head}${rule}\n${view.wrap(content.trimEnd(), { width })}\n`;
    });
  return [
    view.title(view.cut(session.title || "(no title)")),
    view.wrap(view.dim(facts)),
    "",
    ...(session.has_more_before ? [view.dim("… earlier messages are left out"), ""] : []),
    messages.join("\n").trimEnd(),
    ...(session.has_more_after ? ["", view.dim("… later messages are left out")] : []),
  ].join("\n");
}

/** `[User] first line (12 tokens)`, one message a line. */
function toOutline(
  messages: ShownSession["messages"],
  view: View,
): string {
  const rows = messages.map(({ index, author, content }) => {
    const [, role, line, tokens] = /^\[(\w+)\] (.*) \((\S+) tokens\)$/s.exec(content) ??
      [, "", content, ""];
    const who = (role ?? "").toLowerCase() + (author === undefined ? "" : ` by ${author}`);
    return [view.dim(`#${index}`), who, line ?? "", view.dim(tokens ?? "")];
  });
  return view.table(rows, { right: [0, 3], gives: 2 });
}
