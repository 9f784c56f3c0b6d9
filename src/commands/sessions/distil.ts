// `ctx distil`: derives records from sessions, now.

import { CtxError } from "../../core/errors.ts";
import { recordTypes } from "../../core/rows/record.ts";
import { type Context, define } from "../../table/command.ts";
import * as s from "../../table/shape.ts";
import { sessionNameOf } from "../../table/session_scope.ts";
import type { Store } from "../../store/store.ts";
import { countOf } from "../../table/view.ts";

/** Derives records. */
export const distil = define({
  name: "distil",
  group: "Sessions",
  summary: "Derive short records from sessions: what was asked, decided, done, left open.",
  description:
    "Done by itself at the end of an import and of a session; this does it now. Rules over the structure of a session pick what is worth noting, in its own words and with the ids of its evidence; nothing leaves this machine. Without sessions it takes those that went on since it last ran. Doing it twice changes nothing; what you corrected or forgot stays so.",
  input: {
    sessions: s.list("Sessions: an id, the beginning of one, or current."),
    all: s.flag("Every session, also those that did not change."),
    dry_run: s.flag("Show the records that would be written; write nothing."),
  },
  output: {
    ...s.each(s.number(), "sessions", "written", "superseding", "removed"),
    by_type: s.recordOf(s.number()),
    records: s.listOf(s.object({
      ...s.each(s.text(), "id", "ts", "type", "title", "text"),
      refs: s.listOf(s.text()),
      supersedes: s.optional(s.text()),
    })),
    dry_run: s.boolean(),
  },
  positional: ["sessions"],
  effect: "write",
  unscoped: true,
  examples: [
    { argv: ["distil", "--dry-run"], about: "What would be noted?" },
    { argv: ["distil", "--all"], about: "Go through every session again." },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const sessions = await resolveSessions(input.sessions, store, context);
    const { distilSessions } = await import("../../recall/distil/distil_sessions.ts");
    const { sessions: count, written, removed } = await distilSessions(store, {
      ...(sessions.length > 0 ? { sessions } : {}),
      isForced: input.all || sessions.length > 0,
      dryRun: input.dry_run,
      now: context.now,
      signal: context.signal,
    });
    const byType = recordTypes.map((type) =>
      [type, written.filter((row) => row.type === type).length] as const
    );
    return {
      sessions: count,
      written: written.length,
      superseding: written.filter(({ supersedes }) => supersedes !== undefined).length,
      removed: removed.length,
      by_type: Object.fromEntries(byType.filter(([, number]) => number > 0)),
      records: written.slice(0, maxShown).map((
        { id, ts, type, title = "", text, refs, supersedes },
      ) => ({
        id,
        ts,
        type,
        title,
        text,
        refs,
        ...(supersedes === undefined ? {} : { supersedes }),
      })),
      dry_run: input.dry_run,
    };
  },
  render(data, view) {
    const types = Object.entries(data.by_type).map(([type, number]) => `${number} ${type}`);
    const verb = data.dry_run ? "Would write" : "Wrote";
    const removed = data.removed > 0 ? `; ${data.removed} no longer hold` : "";
    const sum = `${verb} ${countOf(data.written, "record")} of ${
      countOf(data.sessions, "session")
    }${types.length > 0 ? ` (${types.join(", ")})` : ""}${removed}.\n`;
    if (!data.dry_run) return sum;
    const lines = data.records.map((row) =>
      `${view.bold(row.type)}  ${row.title}\n${
        row.text.split("\n").map((line) => `  ${line}`).join("\n")
      }\n`
    );
    return [...lines, sum].join("\n");
  },
});

/** More are counted, not listed: `ctx records` lists them. */
const maxShown = 200;

async function resolveSessions(
  names: readonly string[],
  store: Store,
  context: Context,
): Promise<string[]> {
  if (names.length === 0) return [];
  const { readSessionCatalog } = await import("../../browse/session_catalog.ts");
  const { pick } = await import("../../browse/session_messages.ts");
  const catalog = readSessionCatalog(store);
  return names.map((name) => {
    if (name === "all") {
      throw new CtxError("USAGE", 'Cannot distil session "all": name one session', {
        hint: "ctx distil --all takes every session",
      });
    }
    return pick(catalog, sessionNameOf(name, store, context)).id;
  });
}
