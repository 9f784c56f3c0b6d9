// `ctx ls`: what is in the store, at a glance.

import { authorOf } from "../../core/entry.ts";
import { toCtxError } from "../../core/errors.ts";
import { compareText, firstLine } from "../../core/text.ts";
import { readNewest } from "../../read/read_newest.ts";
import { countSessions, readSessionCatalog } from "../../store/session_catalog.ts";
import { isOwnName } from "../../disk/layout.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { Store } from "../../store/store.ts";
import { define } from "../../command/command.ts";
import { findCurrentSession, openReach } from "../../command/session_scope.ts";
import * as s from "../../command/shape.ts";
import { lsShape, toLsScreen } from "../../view/ls_screen.ts";

export const ls = define({
  name: "ls",
  summary: "Show the store at a glance: recent entries, pins, files.",
  input: {
    all_projects: s.flag("Include all of your projects."),
    limit: s.integer("Newest entries to show.", { min: 0, max: 100, default: 5 }),
  },
  output: lsShape,
  list: {
    of: "newest",
    columns: ["id", "ts", "role", "type", "session_id", "summary"],
    also: ["workspace", "author"],
  },
  localInputs: ["all_projects"],
  effect: "read",
  examples: [{ argv: ["ls", "--limit", "2"], about: "Show the two newest entries." }],
  async run(input, context) {
    const { store, projects, notes } = await openReach(context, input.all_projects);
    const stores = [store, ...projects ?? []];
    const surveys = await Promise.all(stores.map(async (one) => {
      const { rows: newest, total } = await readNewest(one, input.limit);
      return {
        entries: total,
        newest,
        sessions: countSessions(readSessionCatalog(one)),
        pins: parsePins(readPinsText(one)).length,
        workspace: projects && one.layout.workspace,
      };
    }));
    const sum = (name: "entries" | "sessions" | "pins"): number =>
      surveys.reduce((total, survey) => total + survey[name], 0);
    const newest = surveys.flatMap((survey) =>
      survey.newest.map((row) => ({ ...row, workspace: survey.workspace }))
    );
    if (projects) newest.sort((a, b) => compareText(b.entry.ts, a.entry.ts));
    return {
      workspace: store.layout.workspace,
      session_id: findCurrentSession(store, context) ?? null,
      entries: sum("entries"),
      sessions: sum("sessions"),
      pins: sum("pins"),
      newest: newest.slice(0, input.limit).map(({ entry, pool, workspace }) => ({
        id: entry.id,
        ts: entry.ts,
        role: entry.role,
        type: entry.type,
        session_id: entry.session_id,
        ...(workspace === undefined ? {} : { workspace }),
        ...(pool === "team" ? { author: authorOf({ entry, pool }) } : {}),
        ...(entry.index === undefined ? {} : { message_index: entry.index }),
        summary: entry.title ?? entry.summary ?? firstLine(entry.text, 120),
      })),
      files: store.files.list(store.layout.root).map((name) => ({
        name,
        bytes: measure(store, `${store.layout.root}/${name}`),
        foreign: !isOwnName(name),
      })),
      ...(notes?.length ? { notes } : {}),
    };
  },
  render: toLsScreen,
  note({ notes = [], session_id }, { terminal }) {
    // A pipe gets the entries; on a terminal the screen says it.
    const current = terminal || session_id === null ? [] : [`current session: ${session_id}`];
    const said = [...current, ...notes];
    return said.length > 0 ? said.join("; ") : undefined;
  },
});

/** The size of a file, or of what is in a directory of ctx's own: 0 where it may not be looked at. */
function measure({ files, layout }: Store, path: string): number {
  if (![layout.index, layout.chat, layout.held, layout.team].includes(path)) {
    return files.findSize(path) ?? 0;
  }
  try {
    return files.listTree(path).reduce((sum, inner) => sum + (files.findSize(inner) ?? 0), 0);
  } catch (error) {
    if (toCtxError(error).code !== "DENIED") throw error;
    return 0;
  }
}
