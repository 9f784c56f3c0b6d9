// `ctx show`: a session to read, each message under its number and role; and what it consists of.

import { kindOf, shownNumbers } from "../command/brief.ts";
import { countOf, type View } from "../command/view.ts";
import type { ShownSession } from "../read/show_sessions.ts";
import { readableColumns } from "./lists.ts";

export interface ShownSessions {
  format: string;
  skipped_ids: string[];
  sessions: Omit<ShownSession, "files" | "total_tokens">[];
}

/** The sessions, one after the other. */
export function showSessionsText(data: ShownSessions, view: View): string {
  return view.terminal ? toScreen(data, view) : toText(data, view);
}

function toText({ format, sessions, skipped_ids }: ShownSessions, view: View): string {
  const parts = sessions.map((session) => sessionText(session, { format, view }));
  if (skipped_ids.length > 0) {
    parts.push(`Not shown, over the budget: ${skipped_ids.join(", ")}\n`);
  }
  return parts.join("\n");
}

/** The session with its messages, each below its number and role; of an outline, one line each. */
function sessionText(
  session: ShownSessions["sessions"][number],
  { format, view }: { format: string; view: View },
): string {
  const facts = [session.id, session.started, session.source, session.branch, session.project];
  const head = `${view.bold(session.title)}\n${view.dim(facts.filter(Boolean).join(" · "))}\n`;
  const numbers = shownNumbers(session.messages.map(({ index }) => index));
  const messages = session.messages.map(({ role, author, content }, i) =>
    format === "outline"
      ? `${String(numbers[i]).padStart(6)}\t${
        author === undefined ? "" : `${author}: `
      }${content}\n`
      : `\n${view.bold(`${numbers[i]} [${role}]`.trimStart())}${
        author === undefined ? "" : ` by ${author}`
      }\n${content}\n`
  );
  const before = session.has_more_before ? view.dim("(earlier messages left out)\n") : "";
  const after = session.has_more_after ? view.dim("(later messages left out)\n") : "";
  return head + before + messages.join("") + after;
}

function toScreen(data: ShownSessions, view: View): string {
  const parts = data.sessions.map((session) => toSession(session, { format: data.format, view }));
  if (data.skipped_ids.length > 0) {
    parts.push(view.wrap(
      view.warning(`Not shown, over the budget: ${data.skipped_ids.join(", ")}`),
    ));
  }
  return `${parts.join("\n\n")}\n`;
}

function toSession(
  session: ShownSessions["sessions"][number],
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
  const numbers = shownNumbers(session.messages.map(({ index }) => index));
  const messages = format === "outline"
    ? [toOutline(session.messages, view)]
    : session.messages.map((message, i) => {
      const { author, content } = message;
      const number = numbers[i] === "" ? "" : `#${numbers[i]} `;
      const by = author === undefined ? "" : `by ${author} `;
      const head = `${view.dim("──")} ${view.bold(`${number}${kindOf(message)}`)} ${by}`;
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
  const numbers = shownNumbers(messages.map(({ index }) => index));
  const rows = messages.map(({ author, content, ...message }, i) => {
    const [, line, tokens] = /^\[\w+\] (.*) \((\S+) tokens\)$/s.exec(content) ?? [, content, ""];
    const who = kindOf(message) + (author === undefined ? "" : ` by ${author}`);
    return [
      numbers[i] === "" ? "" : view.dim(`#${numbers[i]}`),
      who,
      line ?? "",
      view.dim(tokens ?? ""),
    ];
  });
  return view.table(rows, { right: [0, 3], gives: 2 });
}
