// `ctx sessions` on a terminal: one session a line, newest first.

import type { SessionRow } from "../read/session_list.ts";
import { minuteOf } from "../command/brief.ts";
import { countOf, type View } from "../command/view.ts";
import { type ListRow, toCount, toList } from "./lists.ts";

/** A list of sessions; each with its project, where several were looked at. */
export interface ShownSessions {
  total: number;
  offset: number;
  sessions: (Omit<SessionRow, "parent"> & { workspace?: string })[];
}

/** The sessions with when they ended, how long they are and what they were about. */
export function toSessionsScreen(data: ShownSessions, view: View): string {
  if (data.sessions.length === 0) return "No sessions.\n";
  const rows = data.sessions.map((row): ListRow => ({
    facts: [
      view.id(row.id),
      view.terminal ? view.time(row.ended) : minuteOf(row.ended),
      view.terminal
        ? `${view.count(row.message_count)} msg`
        : countOf(row.message_count, "entry", "entries"),
      view.dim(row.source ?? ""),
    ],
    text: (row.open ? `${view.good("● ")}` : "") +
      (row.author ? view.dim(`${row.author}: `) : "") + (row.title || view.dim("(no title)")),
    where: row.workspace && view.path(row.workspace),
    aside: row.branch,
  }));
  const count = toCount({ ...data, shown: rows.length }, "session");
  return `${toList(rows, { view, right: [2] })}\n\n${view.dim(count)}\n`;
}
