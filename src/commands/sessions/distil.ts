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
  summary: "Derive records from sessions: requests, decisions, fixes, open points.",
  description:
    "This happens automatically after an import and at the end of a session; run it to do it now. Fixed rules pick what is worth keeping, quote it and give its source ids; no data leaves this machine. Without session ids, it reads the sessions that changed since the last run. Running it twice changes nothing; what you corrected or forgot stays that way.",
  input: {
    sessions: s.naming("S or title", s.list("Session ids, or current.")),
    all: s.flag("Read every session again."),
    model: s.flag("No effect; accepted for old scripts."),
    send: s.flag("No effect; accepted for old scripts."),
    dry_run: s.flag("Show the records; write nothing."),
  },
  output,
  positional: ["sessions"],
  effect: "write",
  unscoped: true,
  examples: [
    { argv: ["records", "--derive", "--dry-run"], about: "Show what would be written." },
    { argv: ["records", "--derive", "--all"], about: "Read every session again." },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const sessions = resolveSessions(input.sessions, store, context);
    if (input.model) {
      context.warn("--model no longer has an effect: records are derived by fixed rules");
    }
    const { distilSessions } = await import("../../recall/distil/distil_sessions.ts");
    const { sessions: count, written, removed } = await distilSessions(store, {
      ...(sessions.length > 0 ? { sessions } : {}),
      isForced: input.all || sessions.length > 0,
      dryRun: input.dry_run,
      now: context.now,
      signal: context.signal,
    });
    if (!input.dry_run) {
      const { keepKnown } = await import("../../recall/pack/known.ts");
      const { readStanding } = await import("../../recall/pack/standing.ts");
      await keepKnown(store, {
        nowMs: context.now(),
        workspace: store.layout.workspace,
        standing: readStanding(store),
      });
    }
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
    const removed = data.removed > 0 ? `; ${data.removed} removed as no longer valid` : "";
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
    throw new CtxError("USAGE", 'Cannot derive records of session "all": give one session', {
      hint: "ctx records --derive --all reads every session",
    });
  });
}
