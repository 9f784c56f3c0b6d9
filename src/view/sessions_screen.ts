// `ctx sessions` on a terminal: one session a line, newest first.

import { countOf, type View } from "../command/view.ts";
import { type ListRow, toList } from "./lists.ts";

/** A list of sessions. */
export interface ShownSessions {
  total: number;
  offset: number;
  sessions: {
    id: string;
    title: string;
    ended: string;
    source?: string;
    branch?: string;
    open: boolean;
    message_count: number;
    /** The project it is from, where several were looked at. */
    workspace?: string;
    author?: string;
  }[];
}

/** The sessions with when they ended, how long they are and what they were about. */
export function toSessionsScreen(data: ShownSessions, view: View): string {
  if (data.sessions.length === 0) return "No sessions.\n";
  const rows = data.sessions.map((row): ListRow => ({
    facts: [
      view.id(row.id),
      view.time(row.ended),
      `${view.count(row.message_count)} msg`,
      view.dim(row.source ?? ""),
    ],
    text: (row.open ? `${view.good("● ")}` : "") +
      (row.author ? view.dim(`${row.author}: `) : "") + (row.title || view.dim("(no title)")),
    where: row.workspace && view.path(row.workspace),
    aside: row.branch,
  }));
  const last = data.offset + data.sessions.length;
  const more = last < data.total ? ` · more: --offset ${last}` : "";
  return `${toList(rows, { view, right: [2] })}\n\n${
    view.dim(`${countOf(data.total, "session")}${more}`)
  }\n`;
}
