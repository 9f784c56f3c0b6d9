// `ctx distil`: derives records from sessions, now.

import { CtxError } from "../../core/errors.ts";
import { recordTypes } from "../../core/rows/record.ts";
import { type Context, define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { sessionNameOf } from "../../command/session_scope.ts";
import type { Store } from "../../store/store.ts";
import { countOf } from "../../command/view.ts";

const output = {
  ...s.each(s.number(), "sessions", "written", "superseding", "removed"),
  by_type: s.recordOf(s.number()),
  records: s.listOf(s.object({
    ...s.each(s.text(), "id", "ts", "type", "title", "text"),
    refs: s.listOf(s.text()),
    supersedes: s.optional(s.text()),
  })),
  dry_run: s.boolean(),
};

export const distil = define({
  name: "distil",
  summary: "Derive short records from sessions: what was asked, decided, done, left open.",
  description:
    "Done by itself at the end of an import and of a session; this does it now. Rules over the structure of a session pick what is worth noting, in its own words and with the ids of its evidence; nothing leaves this machine. Without sessions it takes those that went on since it last ran. Doing it twice changes nothing; what you corrected or forgot stays so.",
  input: {
    sessions: s.naming("S or title", s.list("Sessions: ids, or current.")),
    all: s.flag("Every session, also those that did not change."),
    model: s.flag("Accepted for old scripts, without effect: rules derive the records."),
    send: s.flag("Accepted for old scripts, without effect."),
    dry_run: s.flag("Show the records that would be written; write nothing."),
  },
  output,
  positional: ["sessions"],
  effect: "write",
  unscoped: true,
  examples: [
    { argv: ["records", "--derive", "--dry-run"], about: "What would be noted?" },
    { argv: ["records", "--derive", "--all"], about: "Go through every session again." },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const sessions = resolveSessions(input.sessions, store, context);
    if (input.model) context.warn("--model has no effect any more: rules derive the records");
    const { distilSessions } = await import("../../recall/distil/distil_sessions.ts");
    const { sessions: count, written, removed } = await distilSessions(store, {
      ...(sessions.length > 0 ? { sessions } : {}),
      isForced: input.all || sessions.length > 0,
      dryRun: input.dry_run,
      now: context.now,
      signal: context.signal,
    });
    return {
      sessions: count,
      written: written.length,
      superseding: written.filter(({ supersedes }) => supersedes !== undefined).length,
      removed: removed.length,
      by_type: countTypes(written),
      records: written.slice(0, maxShown).map(toRow),
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

type Written = {
  id: string;
  ts: string;
  type: string;
  title?: string;
  text: string;
  refs: string[];
  supersedes?: string;
};

function toRow({ id, ts, type, title = "", text, refs, supersedes }: Written) {
  return { id, ts, type, title, text, refs, ...(supersedes === undefined ? {} : { supersedes }) };
}

function countTypes(written: readonly { type: string }[]): Record<string, number> {
  const counts = recordTypes.map((type) =>
    [type, written.filter((row) => row.type === type).length] as const
  );
  return Object.fromEntries(counts.filter(([, number]) => number > 0));
}

function resolveSessions(names: readonly string[], store: Store, context: Context): string[] {
  return names.map((name) => {
    if (name !== "all") return sessionNameOf(name, store, context);
    throw new CtxError("USAGE", 'Cannot distil session "all": name one session', {
      hint: "ctx distil --all takes every session",
    });
  });
}
