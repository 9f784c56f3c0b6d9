// `ctx ls` on a terminal: what there is, the newest entries, and the files with their sizes.

import { kindOf } from "../command/brief.ts";
import * as s from "../command/shape.ts";
import { countOf, type View } from "../command/view.ts";
import { type ListRow, placeOf, readTitles, toList } from "./lists.ts";

export const lsShape = {
  workspace: s.text(),
  session_id: s.nullable(s.text()),
  ...s.each(s.number(), "entries", "sessions", "pins"),
  newest: s.listOf(s.object({
    ...s.each(s.text(), "id", "ts", "role", "type", "summary"),
    ...s.each(s.optional(s.text()), "session_id", "workspace", "author"),
    message_index: s.optional(s.number()),
  })),
  files: s.listOf(s.object({ name: s.text(), bytes: s.number(), foreign: s.boolean() })),
  notes: s.optional(s.listOf(s.text())),
};

/** Counts, newest entries and files. */
export async function toLsScreen(data: s.ObjectOf<typeof lsShape>, view: View): Promise<string> {
  const titles = await readTitles(view, [data, ...data.newest]);
  const facts = [
    countOf(data.entries, "entry", "entries"),
    countOf(data.sessions, "session"),
    ...(data.pins > 0 ? [countOf(data.pins, "pin")] : []),
  ];
  const title = titles.get(data.session_id ?? "");
  const current = data.session_id === null ? [] : [
    view.wrap(
      `current session${view.terminal ? ":" : ""} ${data.session_id}${title ? ` · ${title}` : ""}`,
    ),
  ];
  const rows = data.newest.map((row): ListRow => ({
    facts: [view.id(row.id), view.time(row.ts), kindOf(row)],
    text: (row.author ? view.dim(`${row.author}: `) : "") + row.summary,
    where: [row.workspace && view.path(row.workspace), placeOf(row, titles)].filter(Boolean)
      .join(" · "),
  }));
  // What is small says nothing of where the space goes.
  const shown = data.files.filter(({ bytes, foreign }) => foreign || bytes >= 1000);
  const files = shown.map((file) => [
    file.foreign ? view.warning(file.name) : view.dim(file.name),
    view.dim(view.size(file.bytes)),
    file.foreign ? view.warning("not created by ctx") : "",
  ]);
  return [
    view.title(view.cut(view.path(data.workspace))),
    view.wrap(facts.join(" · ")),
    ...current,
    ...(rows.length > 0 ? ["", toList(rows, { view })] : []),
    ...(files.length > 0 ? ["", view.table(files, { right: [1], gives: 0 })] : []),
  ].join("\n") + "\n";
}
