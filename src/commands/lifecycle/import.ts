// `ctx import`: other agents' histories into this store. Incremental, idempotent, resumable; reads
// the agents' files only, writes under `.contextfs/` only.

import { CtxError } from "../../core/errors.ts";
import { parseWhen } from "../../core/time/parse_when.ts";
import { encodeExact } from "../../core/utf8.ts";
import { sourceNames } from "../../intake/import/source_table.ts";
import { type Context, define } from "../../command/command.ts";
import { describeProgress, type PassProgress } from "../../intake/import/pass_progress.ts";
import { Importer } from "../../intake/import/importer.ts";
import type { Receipt } from "../../intake/import/receipt.ts";
import { waitForChange } from "../../intake/import/wait_for_change.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";
import { importShape, toImportScreen } from "../../view/import_screen.ts";

export const importCommand = define({
  name: "import",
  summary: "Import from Claude Code, Codex, OpenCode, Cursor and more.",
  description:
    "Imports the sessions of this workspace, including its git worktrees. Running it again adds only what is new; a message that the agent changed becomes a new entry that supersedes the old one. Short records of what was asked, decided, done and left open are derived from the sessions (`ctx records`). Thinking is kept but searched only on request; tool output is truncated and hashed; secrets are redacted; binary data and credentials are never read.",
  input: {
    sources: s.list(`auto, or some of ${sourceNames.join(", ")}.`),
    all_projects: s.flag("Import sessions of every project."),
    since: s.optionalText(
      "Only sessions active after this time (2026-11-15, 7d, yesterday).",
    ),
    session: s.optionalText("Only this session (the agent's id or ctx's)."),
    root: s.optionalText("Read this directory or file instead of the default."),
    from: s.optionalText(
      "Detect what this directory or file contains and import it.",
    ),
    again: s.flag(
      "Reread imported sessions; adds what older versions skipped, such as edits.",
    ),
    no_distil: s.flag("Do not derive records (ctx records --derive does it later)."),
    dry_run: s.flag("Show what would be imported; write nothing."),
    wait: s.flag("Make vectors and derive records before returning instead of in the background."),
    watch: s.flag("Keep running; import as agents write."),
    jsonl: s.flag("Print one JSON line per session."),
  },
  output: importShape,
  positional: ["sources"],
  effect: "write",
  access: "self",
  unscoped: true,
  examples: [
    { argv: ["import", "--dry-run"], about: "Show what would be imported." },
    {
      argv: ["import", "claude-code", "--since", "30d"],
      about: "Import the last month of Claude Code.",
    },
  ],
  async run(input, context) {
    refuseMadeHistory(input, context);
    const store = await context.openStore();
    const ticks = context.ticks ?? (() => performance.now());
    let begun = ticks();
    const show = (source: string, progress: PassProgress): void =>
      context.progress(
        describeProgress(source, progress, ticks() - begun),
        progress.totalBytes > 0 ? progress.bytes : progress.done,
        progress.totalBytes || progress.total,
      );
    /** A pipe reads what came in as lines, as a terminal does; as JSON it has them by session. */
    const tell = (line: string): void => {
      if (!context.isPiped) context.tell?.(line);
      else if (!input.jsonl) context.write?.(encodeExact(`${line}\n`));
    };
    const isWhole = input.wait || input.watch || input.dry_run;
    const makesVectors = (await context.readConfig()).get("embedder.kind") === "local";
    const isEnough = isWhole || input.no_distil && !makesVectors;
    const follow = isEnough ? undefined : await context.findFollower?.();
    await using importer = await Importer.open(store, {
      ...input,
      isFollowed: follow !== undefined && makesVectors,
      titles: input.jsonl,
      since: input.since === undefined ? undefined : parseWhen(input.since, context.now()),
      onSession(receipt, progress) {
        show(receipt.source, progress);
        if (input.jsonl) context.write?.(encodeExact(JSON.stringify(receipt) + "\n"));
      },
      onStart(source, progress) {
        begun = ticks();
        show(source, progress);
      },
    }, context);
    // A copy of another store is as it was there, records included.
    const mayDistil = !input.dry_run && !input.no_distil &&
      [...importer.sources.keys()].some((name) => name !== "contextfs");
    let records = 0;
    const distil = async (): Promise<void> => {
      const { distilSessions } = await import("../../recall/distil/distil_sessions.ts");
      const { now, signal } = context;
      context.progress("deriving records");
      records += (await distilSessions(store, { now, signal })).written.length;
      const { keepKnown } = await import("../../recall/pack/known.ts");
      const { readStanding } = await import("../../recall/pack/standing.ts");
      await keepKnown(store, {
        nowMs: now(),
        workspace: store.layout.workspace,
        standing: readStanding(store),
      });
    };
    const pass = async (): Promise<string[]> => {
      const receipts = await importer.pass();
      const brought = input.watch ? receipts.filter(({ entries }) => entries > 0) : [];
      for (const receipt of brought) tell(describeTaken(receipt));
      if (mayDistil && follow === undefined) await distil();
      context.progress("indexing new entries");
      await importer.finishIndex();
      context.progress("");
      return receipts.flatMap(({ roots }) => roots);
    };
    try {
      let watched = await pass();
      if (input.watch) context.tell?.(describeWatch(watched));
      while (input.watch && await waitForChange(watched, context.signal)) watched = await pass();
    } finally {
      context.progress("");
    }
    const sources = await importer.sum();
    const entries = sources.reduce((sum, receipt) => sum + receipt.entries, 0);
    let background: string[] = [];
    if (follow !== undefined) {
      // What an earlier import left may never have been finished.
      const due = entries > 0 ? undefined : await findDue(context);
      const distils = mayDistil && due?.sessions !== 0;
      const embeds = makesVectors && due?.unembedded !== 0;
      background = [...embeds ? ["vectors"] : [], ...distils ? ["records"] : []];
      if (background.length > 0 && !follow(store.layout.workspace, { distils })) {
        background = [];
        if (distils) await distil();
      }
    }
    return {
      workspace: store.layout.workspace,
      dry_run: input.dry_run,
      entries,
      sessions: sources.reduce((sum, receipt) => sum + receipt.sessions_imported, 0),
      ...(background.includes("records") ? {} : { records }),
      ...(background.length > 0 ? { background } : {}),
      sources,
    };
  },
  isLeft: ({ background }) => background?.includes("vectors") ?? false,
  render: toImportScreen,
  note(data) {
    const others = data.sources.reduce(
      (sum, { sessions_skipped: skipped }) =>
        sum + (skipped.other_project ?? 0) + (skipped.no_project ?? 0),
      0,
    );
    const failed = countProblems(data.sources);
    const before = data.sources.reduce((sum, { problems_known: known }) => sum + known, 0);
    const notes = [
      failed > 0 && `${countOf(failed, "place")} could not be read; the rest was imported`,
      before > 0 && `${countOf(before, "place")} could not be read, as before`,
      data.entries === 0 && others > 0 &&
      `${
        countOf(others, "session")
      } belong to other projects or none; --all-projects imports them too`,
    ];
    return notes.filter(Boolean).join("; ") || undefined;
  },
  failure: (data) => countProblems(data.sources) > 0 ? "INCOMPLETE" : undefined,
});

/** How many rows have no vectors, and how many sessions no records. */
async function findDue(context: Context): Promise<{ unembedded: number; sessions: number }> {
  const { findPending } = await import("../../recall/hook/pending_work.ts");
  const { rows, embedded, sessions } = await findPending(context);
  return { unembedded: rows - embedded, sessions };
}

/** How many files, directories and databases could not be read, but those that are broken as before. */
function countProblems(sources: readonly Receipt[]): number {
  return sources.reduce(
    (sum, { problem_count, problems_known }) => sum + problem_count - problems_known,
    0,
  );
}

/** What a look while watching brought in. */
function describeTaken({ source, entries, sessions_imported: sessions }: Receipt): string {
  return `${source}: ${countOf(entries, "new entry", "new entries")} of ${
    countOf(sessions, "session")
  }`;
}

function describeWatch(places: readonly string[]): string {
  return places.length === 0
    ? "no agent history found yet; checking again from time to time; press Ctrl-C to stop"
    : `following ${places.join(", ")}; press Ctrl-C to stop`;
}

/** A file that an agent names may be one that it wrote: its turns and pins would be the user's. */
function refuseMadeHistory(
  { root, from = root, dry_run }: { root?: string; from?: string; dry_run: boolean },
  { agent }: Context,
): void {
  if (agent === undefined || from === undefined || dry_run) return;
  throw new CtxError(
    "DENIED",
    `Cannot import "${from}" here: only the user can choose which files to import`,
    {
      hint: "the user runs: ctx import --from PATH",
    },
  );
}
