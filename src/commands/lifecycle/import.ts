// `ctx import`: other agents' histories into this store. Incremental, idempotent, resumable; reads
// the agents' files only, writes under `.contextfs/` only.

import { CtxError } from "../../core/errors.ts";
import { findNearest } from "../../core/text.ts";
import { parseWhen } from "../../core/time/parse_when.ts";
import { encodeExact } from "../../core/utf8.ts";
import { Databases } from "../../intake/sources/database/databases.ts";
import { noteImport } from "../../store/logs/capture_log.ts";
import type { Store } from "../../store/store.ts";
import { sourceNames, sourceTable } from "../../intake/import/source_table.ts";
import { type Context, define } from "../../command/command.ts";
import { type PassOptions, runPass } from "../../intake/import/pass.ts";
import { describeProgress, type PassProgress } from "../../intake/import/pass_progress.ts";
import { placeOf } from "../../intake/import/find_history.ts";
import { ImportIndexing } from "../../intake/import/index_import.ts";
import { makeProjectFilter } from "../../intake/import/projects.ts";
import {
  addReceipt,
  besideMessages,
  type Receipt,
  receiptSchema,
  renderReceipt,
} from "../../intake/import/receipt.ts";
import { waitForChange } from "../../intake/import/wait_for_change.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";

/** Imports sessions of other agents. */
export const importCommand = define({
  name: "import",
  summary: "Import from Claude Code, Codex, OpenCode, Cursor and more.",
  description:
    "Takes the sessions of this workspace, by the directory they were held in, git worktrees included. Running it again adds only what is new; a message that its agent changed becomes a new entry that supersedes the old one. Short records of what was asked, decided, done and left open are derived from what came in (`ctx records`). Thinking is kept and found only when asked for; tool outputs are capped and hashed; secrets are redacted; binary data and credentials are never read.",
  input: {
    sources: s.list(`auto, or some of ${sourceNames.join(", ")}.`),
    all_projects: s.flag("Sessions of every project, not only this workspace."),
    since: s.optionalText(
      "Only sessions that went on after this time (2026-11-15, 7d, yesterday).",
    ),
    session: s.optionalText("Only this session: the agent's id or ours."),
    root: s.optionalText("Look in this directory or file instead of the agent's own place."),
    from: s.optionalText(
      "Recognise what this directory or file holds, and import all of it; nobody need name the source.",
    ),
    again: s.flag(
      "Read sessions from their beginning that were read before: adds what older versions did not keep, such as the patches of edits.",
    ),
    no_distil: s.flag("Derive no records from what came in; `ctx distil` does it later."),
    dry_run: s.flag("Say what would be imported; write nothing."),
    watch: s.flag("Stay and import as the agents write."),
    jsonl: s.flag("One JSON line per session on standard output."),
  },
  output: {
    workspace: s.text(),
    dry_run: s.boolean(),
    ...s.each(s.number(), "entries", "sessions", "records"),
    sources: s.listOf(receiptSchema),
  },
  positional: ["sources"],
  effect: "write",
  unscoped: true,
  examples: [
    { argv: ["import", "--dry-run"], about: "What is there to import?" },
    { argv: ["import", "claude-code", "--since", "30d"], about: "The last month of Claude Code." },
  ],
  async run(input, context) {
    refuseMadeHistory(input, context);
    const store = await context.openStore();
    const { workspace } = store.layout;
    const given = input.from === undefined ? undefined : await recogniseFrom(context, input);
    const names = given ? [...given.keys()] : resolveNames(input.sources, input.root);
    const place = placeOf(context, workspace);
    using databases = new Databases();
    await using indexing = new ImportIndexing(context, workspace);
    removeLeftovers(store, context.now());
    const inWorkspace = input.all_projects ? () => true : makeProjectFilter(workspace);
    const sums = new Map<string, Receipt>();
    // A copy of another store is as it was there, records included.
    const mayDistil = !input.dry_run && !input.no_distil &&
      names.some((name) => name !== "contextfs");
    // Hooks import one session, or the latest: they note by themselves how it went.
    const isWhole = !input.dry_run && (input.root ?? input.session ?? input.since) === undefined;
    let records = 0;
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
    const shared = {
      store,
      signal: context.signal,
      dryRun: input.dry_run,
      again: input.again,
      since: input.since === undefined ? undefined : parseWhen(input.since, context.now()),
      session: input.session,
      onSession: ((receipt, progress) => {
        show(receipt.source, progress);
        if (input.jsonl) context.write?.(encodeExact(JSON.stringify(receipt) + "\n"));
      }) satisfies PassOptions["onSession"],
      onBatch: () => indexing.noteBatch(),
    };
    const take = async (name: string): Promise<Receipt | undefined> => {
      const named = given?.get(name) ??
        (input.root === undefined ? undefined : [resolveRoot(context, input.root)]);
      if (name === "contextfs") {
        if (named === undefined) return undefined;
        const { copyStore } = await import("../../intake/import/store_intake.ts");
        return await copyStore({ ...shared, files: context.files, root: named[0] });
      }
      const source = await sourceTable[name]();
      return await runPass({
        ...shared,
        onStart(progress) {
          begun = ticks();
          show(name, progress);
        },
        source,
        roots: named ?? source.locate(place),
        place,
        scratch: store.layout.index,
        databases,
        now: context.now,
        // Such a file belongs to no workspace: whoever gives its path wants all of it.
        belongs: placeless.has(name) ? () => true : inWorkspace,
      });
    };
    const pass = async (): Promise<string[]> => {
      const watched: string[] = [];
      for (const name of names) {
        const receipt = await take(name);
        if (receipt === undefined) continue;
        watched.push(...receipt.roots);
        const before = sums.get(receipt.source);
        if (input.watch && receipt.entries > 0) tell(describeTaken(receipt));
        if (isWhole && receipt.problem_count === 0) {
          noteImport(store, { agent: receipt.source, now: context.now() });
        }
        sums.set(receipt.source, before ? addReceipt(before, receipt) : receipt);
      }
      if (mayDistil) {
        const { distilSessions } = await import("../../recall/distil/distil_sessions.ts");
        const { now, signal } = context;
        context.progress("deriving records from what came in");
        records += (await distilSessions(store, { now, signal })).written.length;
      }
      context.progress("indexing what came in");
      await indexing.finish();
      context.progress("");
      return watched;
    };
    try {
      let watched = await pass();
      if (input.watch) context.tell?.(describeWatch(watched));
      while (input.watch && await waitForChange(watched, context.signal)) watched = await pass();
    } finally {
      context.progress("");
    }
    const found = [...sums.values()].filter((receipt) =>
      input.sources.includes(receipt.source) || receipt.roots.length > 0
    );
    const { settleProblems } = await import("../../intake/import/known_problems.ts");
    const isAuto = given === undefined && names.length === sourceNames.length;
    const settled = settleProblems(store, found, { keeps: isWhole && given === undefined });
    // Who asks for a source wants to know how it is, not what is new.
    const sources = (isAuto ? settled : found).map((receipt) => ({
      ...receipt,
      problems: receipt.problems.slice(0, maxProblems),
    }));
    return {
      workspace,
      dry_run: input.dry_run,
      entries: sources.reduce((sum, receipt) => sum + receipt.entries, 0),
      sessions: sources.reduce((sum, receipt) => sum + receipt.sessions_imported, 0),
      records,
      sources,
    };
  },
  render(data, view) {
    if (data.sources.length === 0) return "No agent's history was found on this machine.\n";
    const verb = data.dry_run ? "Would import" : "Imported";
    const total = `${verb} ${countOf(data.entries, "entry", "entries")} of ${
      countOf(data.sessions, "session")
    }${data.records > 0 ? `; ${countOf(data.records, "record")} derived` : ""}.`;
    return `${data.sources.map((receipt) => renderReceipt(receipt, view)).join("\n")}\n${total}\n`;
  },
  async screen(data, { view }) {
    const { toImportScreen } = await import("../../view/import_screen.ts");
    const sources = data.sources.map((receipt) => ({
      ...receipt,
      beside: besideMessages(receipt),
    }));
    return toImportScreen({ ...data, sources }, view);
  },
  note(data) {
    const others = data.sources.reduce(
      (sum, { sessions_skipped: skipped }) =>
        sum + (skipped.other_project ?? 0) + (skipped.no_project ?? 0),
      0,
    );
    const failed = countProblems(data.sources);
    const before = data.sources.reduce((sum, { problems_known: known }) => sum + known, 0);
    const notes = [
      failed > 0 && `${countOf(failed, "place")} could not be read; the rest was`,
      before > 0 && `${countOf(before, "place")} could not be read, as before`,
      data.entries === 0 && others > 0 &&
      `${countOf(others, "session")} of other projects or of none: --all-projects takes them too`,
    ];
    return notes.filter(Boolean).join("; ") || undefined;
  },
  failure: (data) => countProblems(data.sources) > 0 ? "INCOMPLETE" : undefined,
});

/** Problems that a receipt names. */
const maxProblems = 50;

/** Sources of files that name no directory and have no place of their own. */
const placeless = new Set(["ndjson", "chatgpt", "claude-web"]);

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
    ? "no agent's history is here yet; looking again now and then; Ctrl-C ends it"
    : `following ${places.join(", ")}; Ctrl-C ends it`;
}

function resolveNames(said: string[], root: string | undefined): string[] {
  const words = said.flatMap((word) => word.split(","));
  for (const word of words) {
    if (word === "auto" || sourceNames.includes(word)) continue;
    const near = findNearest(word, sourceNames);
    const guess = near ? ` (did you mean "${near}"?)` : "";
    throw new CtxError("USAGE", `Cannot import from "${word}": unknown source${guess}`, {
      hint: `ctx import knows ${sourceNames.join(", ")}`,
    });
  }
  const named = words.filter((word) => word !== "auto");
  if (root !== undefined && named.length !== 1) {
    throw new CtxError("USAGE", "Cannot import with --root: name the one source it is of", {
      hint: "ctx import claude-code --root DIR",
    });
  }
  const rootless = root === undefined &&
    said.find((word) => placeless.has(word) || word === "contextfs");
  if (rootless) {
    throw new CtxError("USAGE", `Cannot import ${rootless}: it has no place of its own`, {
      hint: `ctx import ${rootless} --root PATH`,
    });
  }
  return named.length > 0 && named.length === words.length ? named : [...sourceNames];
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

/** The sources of what lies at `--from`, with their places. */
async function recogniseFrom(
  context: Context,
  { from = "", root, sources }: { from?: string; root?: string; sources: string[] },
): Promise<Map<string, string[]>> {
  if (root !== undefined || sources.some((word) => word !== "auto")) {
    throw new CtxError(
      "USAGE",
      `Cannot import from "${from}": --from recognises the source itself`,
      {
        hint: `ctx import --from ${from}`,
      },
    );
  }
  const path = resolveRoot(context, from);
  const { recognise } = await import("../../intake/import/recognise.ts");
  const { found, looked, isCut } = recognise(path);
  if (found.length === 0) {
    throw new CtxError(
      "NOT_FOUND",
      `Cannot import from "${from}": none of ${countOf(looked, "file")} there is a known history`,
      { hint: `ctx import ndjson --root ${from} for rows of your own; docs/IMPORT.md` },
    );
  }
  if (isCut) context.warn(`${from}: only the first ${looked} files were looked at`);
  return new Map(found.map(({ source, roots }) => [source, roots]));
}

function resolveRoot(context: Context, root: string): string {
  const path = root.startsWith("/") ? root : `${context.cwd}/${root}`;
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    throw new CtxError("NOT_FOUND", `Cannot import from "${root}": there is no such place`, {
      hint: "check --root",
      cause: error,
    });
  }
}

/** Copies of databases that a killed import left behind; younger ones may be in use. */
function removeLeftovers(store: Store, now: number): void {
  for (const name of store.files.list(store.layout.index)) {
    const path = `${store.layout.index}/${name}`;
    if (!name.startsWith("import-")) continue;
    if (now - (Deno.statSync(path).mtime?.getTime() ?? 0) > 3_600_000) store.files.remove(path);
  }
}
