// `ctx ls`: what is in the store, at a glance.

import { toCtxError } from "../../core/errors.ts";
import { firstLine } from "../../core/text.ts";
import { surveyStore } from "../../browse/survey.ts";
import { isOwnName } from "../../store/files/layout.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { Store } from "../../store/store.ts";
import { define } from "../../table/command.ts";
import * as s from "../../table/shape.ts";
import { findCurrentSession } from "../../table/session_scope.ts";
import { countOf, toTable } from "../../table/view.ts";

/** Shows the store at a glance. */
export const ls = define({
  name: "ls",
  group: "Retrieval",
  summary: "Show the store at a glance: newest entries, pins, files.",
  input: {
    limit: s.integer("Newest entries to show.", { min: 0, max: 100, default: 5 }),
  },
  output: {
    workspace: s.text(),
    session_id: s.nullable(s.text()),
    ...s.each(s.number(), "entries", "sessions", "pins"),
    newest: s.listOf(s.object({
      ...s.each(s.text(), "id", "ts", "role", "type", "summary"),
      session_id: s.optional(s.text()),
      message_index: s.optional(s.number()),
    })),
    files: s.listOf(s.object({ name: s.text(), bytes: s.number(), foreign: s.boolean() })),
  },
  list: { of: "newest", columns: ["id", "ts", "role", "type", "session_id", "summary"] },
  effect: "read",
  examples: [{ argv: ["ls", "--limit", "2"], about: "The two newest entries." }],
  async run(input, context) {
    const store = await context.openStore();
    const survey = surveyStore(store, input.limit);
    return {
      workspace: store.layout.workspace,
      session_id: findCurrentSession(store, context) ?? null,
      entries: survey.entries,
      sessions: survey.sessions,
      pins: parsePins(readPinsText(store)).length,
      newest: survey.newest.map(({ entry }) => ({
        id: entry.id,
        ts: entry.ts,
        role: entry.role,
        type: entry.type,
        session_id: entry.session_id,
        ...(entry.index === undefined ? {} : { message_index: entry.index }),
        summary: entry.title ?? entry.summary ?? firstLine(entry.text, 120),
      })),
      files: store.files.list(store.layout.root).map((name) => ({
        name,
        bytes: measure(store, `${store.layout.root}/${name}`),
        foreign: !isOwnName(name),
      })),
    };
  },
  render(data, view) {
    const facts = [
      countOf(data.entries, "entry", "entries"),
      countOf(data.sessions, "session"),
      countOf(data.pins, "pin"),
      `current session ${data.session_id ?? "none"}`,
    ];
    const rows = data.newest.map((row) => [
      view.bold(row.id),
      view.dim(row.ts.slice(0, 16).replace("T", " ")),
      row.type,
      row.summary,
    ]);
    const files = data.files.map((file) => [
      `  ${file.name}`,
      `${file.bytes} bytes${file.foreign ? ", not ctx's own" : ""}`,
    ]);
    const entries = rows.length > 0 ? `${toTable(rows)}\n` : "";
    return `${data.workspace}: ${facts.join(", ")}\n${entries}${view.dim(toTable(files))}\n`;
  },
  async screen(data, { view, context }) {
    const { toLsScreen } = await import("../../screens/ls_screen.ts");
    const { readSessionTitles } = await import("../../browse/session_titles.ts");
    return toLsScreen(data, { view, titles: readSessionTitles(await context.openStore()) });
  },
});

/** The size of a file, or of what is in a directory of ctx's own: 0 where it may not be looked at. */
function measure({ files, layout }: Store, path: string): number {
  if (![layout.index, layout.chat, layout.held].includes(path)) return files.findSize(path) ?? 0;
  try {
    return files.listTree(path).reduce((sum, inner) => sum + (files.findSize(inner) ?? 0), 0);
  } catch (error) {
    if (toCtxError(error).code !== "DENIED") throw error;
    return 0;
  }
}
