// `ctx handoff`: writes a session as a transcript that another agent, or its own, can resume.

import type { Entry } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { homeOf, resolvePath, toSystemPath } from "../../core/platform_path.ts";
import { agentNames, toAgentName } from "../../core/rows/agent_names.ts";
import { guessAt, toLine, toShellWord } from "../../core/text.ts";
import { encodeExact } from "../../core/utf8.ts";
import { isDirectory } from "../../disk/outside_files.ts";
import { resumeCommands } from "../../recall/handoff/resume_commands.ts";
import type { Transcript } from "../../recall/handoff/transcript.ts";
import type { ActDraft } from "../../store/logs/act_log.ts";
import type { Store } from "../../store/store.ts";
import { type Context, define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { resolveSession } from "../../command/session_scope.ts";
import { countOf } from "../../command/view.ts";

/** What another agent is given at most, and the one that it came from. */
const otherTokens = 100_000;
const ownTokens = 1_000_000;

export const handoff = define({
  name: "handoff",
  summary: "Continue a session in another agent.",
  description:
    "Writes a session as a transcript for the agent given with --to, where that agent looks for it, and prints the command that resumes it. ctx does not run that command. claude-code, codex, gemini, opencode and qwen get a transcript of their own; for other agents, or with --to markdown, it writes Markdown into the current directory. Without --to, the session goes back to the agent it came from, for example after that agent deleted it. Tool calls are translated where both agents have the tool and become text elsewhere; thinking is left out; secrets are redacted. A brief of at most 600 tokens comes first: what was asked, decided and done, what is open, and the files. Existing files are never overwritten; ctx undo removes what was written. When ctx imports the transcript later, it adds only what is new. docs/HANDOFF.md lists what is lost for each agent.",
  input: {
    session: s.naming(
      "S or title",
      s.optional(s.text("A session id or title, or current (default: the newest session).", 1)),
    ),
    to: s.optionalText(
      "The agent to write for, or markdown (default: the agent it came from).",
    ),
    out: s.optionalText("Write to this file instead."),
    brief: s.enabled("Put a brief first (--no-brief to leave it out)."),
    max_tokens: s.optionalInteger(
      "Leave out the oldest turns beyond this size (default: 100000; 1000000 for its own agent).",
      { min: 200, max: 10_000_000 },
    ),
    dry_run: s.flag("Show where it would go; write nothing."),
  },
  output: {
    ...s.each(s.text(), "session_id", "to", "agent_session_id", "path"),
    ...s.each(s.number(), "messages", "bytes", "left_out", "brief_tokens"),
    resume: s.listOf(s.text()),
    undo: s.listOf(s.text()),
    dry_run: s.boolean(),
  },
  positional: ["session"],
  aliases: ["restore"],
  local: true,
  effect: "write",
  examples: [
    {
      argv: ["handoff", "S-1m2few700s4d0k3nc", "--to", "codex", "--dry-run"],
      about: "Show where the transcript for Codex would go.",
    },
    {
      argv: ["handoff", "--to", "claude-code", "--dry-run"],
      about: "Hand the newest session to Claude Code.",
    },
  ],
  async run(input, context) {
    const target = input.to === undefined ? undefined : toTarget(input.to);
    using store = (await context.openStore()).openView();
    const session = await chooseSession(input.session, store, context);
    const entries = store.readSession(session).flatMap((place) => store.findRowAt(place) ?? []);
    if (entries.length === 0) {
      await context.wholeIds("S", [session]);
      throw new CtxError("NOT_FOUND", `Cannot hand off "${session}": it has no entries`, {
        hint: "ctx sessions",
      });
    }
    const { transcript, to, cwd, left_out, brief_tokens } = await write(entries, {
      session,
      to: target,
      hasBrief: input.brief,
      maxTokens: input.max_tokens,
      store,
      context,
    });
    const list = place(transcript, input.out, context);
    const files = list.map(({ path, text }) => ({ path, bytes: encodeExact(text) }));
    const resume = toResume(transcript, files[0].path, { from: context.cwd, to: cwd });
    if (!input.dry_run && input.out === undefined) {
      refuseTwice(files, { session, to, resume, context });
    }
    const act = input.dry_run
      ? undefined
      : await writeFiles(files, { store, context, draft: { ids: [session], command: to } });
    return {
      session_id: session,
      to,
      agent_session_id: transcript.id,
      path: files[0].path,
      messages: transcript.messages,
      bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
      left_out,
      brief_tokens,
      resume,
      undo: [
        ...(input.dry_run ? [] : [act === undefined ? toRm(files) : `ctx undo ${act}`]),
        ...(transcript.remove === undefined ? [] : [transcript.remove]),
      ],
      dry_run: input.dry_run,
    };
  },
  render(data, view) {
    const what = `${countOf(data.messages, "message")}, ${view.size(data.bytes)}`;
    const left = data.left_out === 0
      ? ""
      : `Left out: the ${
        countOf(data.left_out, "oldest turn")
      } (raise --max-tokens to keep more)\n`;
    if (data.dry_run) return `Would write ${what} to ${data.path}\n${left}`;
    const steps = data.resume.map((line) => `Resume: ${line}\n`).join("") ||
      `${data.to} does not look for sessions there; to resume it, run this again without --out\n`;
    return `Wrote ${what} to ${data.path}\n${left}${steps}Undo: ${data.undo[0]}\n`;
  },
});

/**
 * Writes the files, all or none; gives the id of what the user did. That is noted first: what a process that
 * was killed half-way left can be undone then.
 */
async function writeFiles(
  list: readonly { path: string; bytes: Uint8Array }[],
  { store, context, draft }: {
    store: Store;
    context: Context;
    draft: Pick<ActDraft, "ids" | "command">;
  },
): Promise<string | undefined> {
  const { findMissingDirectories, writeNew } = await import("../../disk/write_new.ts");
  const own = (await import("../../command/own_acts.ts")).findOwnActs(context);
  if (own === undefined) {
    writeNew(context.files, list);
    return undefined;
  }
  const { recordAct } = await import("../../command/record_act.ts");
  const { toWritten } = await import("../../recall/handoff/written_files.ts");
  const { workspace } = store.layout;
  const made = findMissingDirectories(list);
  const wrote = await toWritten(list);
  const note = (more: Partial<ActDraft>): string =>
    recordAct(store, context, { act: "handoff", ...draft, user: true, workspace, ...more }, own);
  own.files.makeDirectory(own.layout.acts.replace(/\/[^/]*$/, ""));
  const act = note({ wrote, made });
  try {
    writeNew(context.files, list);
  } catch (error) {
    note({ undoes: act });
    throw error;
  }
  return act;
}

/** The agent that is meant; `markdown` for one that ctx does not know. */
function toTarget(said: string): string {
  const name = toAgentName(said);
  if (name === "markdown" || agentNames.includes(name)) return name;
  const own = Object.keys(resumeCommands);
  const guess = guessAt(said.toLowerCase(), own);
  throw new CtxError("USAGE", `Cannot hand off to "${toLine(said, 80)}": no such agent${guess}`, {
    hint: `ctx handoff --to ${own.join("|")}; for any other agent, --to markdown`,
  });
}

/** What its own agent still has, or was handed over before, is resumed there. */
function refuseTwice(
  files: readonly { path: string }[],
  { session, to, resume, context }: {
    session: string;
    to: string;
    resume: string[];
    context: Context;
  },
): void {
  const isThere = files.some(({ path }) => context.files.findSize(path) !== undefined);
  if (!isThere || !Object.hasOwn(resumeCommands, to)) return;
  throw new CtxError("DENIED", `Cannot hand off "${session}": ${to} already has it`, {
    hint: `${resume.join(" && ")}, or write another copy with --out FILE`,
  });
}

function toRm(files: readonly { path: string }[]): string {
  return `rm ${files.map(({ path }) => toShellWord(path)).join(" ")}`;
}

/** The commands that resume it, from its directory on; none where the agent would not find the file. */
function toResume(
  { resume, files: [{ path: own }] }: Transcript,
  path: string,
  directory: { from: string; to: string },
): string[] {
  const [from, to] = [toShellWord(own), toShellWord(path)];
  if (own !== path && !resume.some((line) => line.includes(from))) return [];
  // Most agents look for sessions of the directory that they are started in.
  const isElsewhere = directory.from !== directory.to && isDirectory(directory.to);
  const enter = isElsewhere && !resume[0]?.startsWith("Read ")
    ? `cd ${toShellWord(directory.to)} && `
    : "";
  return resume.map((line, i) => (i === 0 ? enter : "") + line.replaceAll(from, to));
}

/** The session that is named, or the newest one that a person held here. */
async function chooseSession(
  named: string | undefined,
  store: Store,
  context: Context,
): Promise<string> {
  const session = named === undefined ? undefined : resolveSession(named, store, context);
  if (session !== undefined) return session;
  const { readSessionList } = await import("../../read/session_list.ts");
  const quarantine = await store.findQuarantine();
  const newest = readSessionList(store).find(({ id, parent, author, message_count }) =>
    parent === undefined && author === undefined && message_count > 0 &&
    !quarantine?.holds({ session_id: id })
  );
  if (newest !== undefined) return newest.id;
  throw new CtxError("NOT_FOUND", "Cannot hand off a session: there is none here", {
    hint: "ctx import",
  });
}

interface Wanted {
  session: string;
  to?: string;
  hasBrief: boolean;
  maxTokens?: number;
  store: Store;
  context: Context;
}

/** The session in the agent's form, and what it came to. */
async function write(
  entries: readonly Entry[],
  { session, to: named, hasBrief, maxTokens, store, context }: Wanted,
): Promise<
  { transcript: Transcript; to: string; cwd: string; left_out: number; brief_tokens: number }
> {
  const { isPlainPath, toTurns, withoutControls } = await import("../../recall/handoff/turn.ts");
  const { boundTurns } = await import("../../recall/handoff/bound_turns.ts");
  const { markdownWriter, transcriptWriters } = await import(
    "../../recall/handoff/transcript_writers.ts"
  );
  const source = entries.find((entry) => entry.source !== undefined)?.source;
  const from = source?.agent;
  const isKnown = (agent: string | undefined): agent is string =>
    agent !== undefined && Object.hasOwn(transcriptWriters, agent);
  const to = named ?? (isKnown(from) ? from : "claude-code");
  const budget = maxTokens ?? (from === to ? ownTokens : otherTokens);
  // Markdown has room for every tool.
  const all = toTurns(entries, { from, to: isKnown(to) ? to : from ?? to });
  const { turns, leftOut } = boundTurns(all, budget);
  const { readSessionCatalog, sessionTitle } = await import("../../store/session_catalog.ts");
  const known = readSessionCatalog(store).get(session);
  const title = toLine(withoutControls(known === undefined ? "" : sessionTitle(known)), 100);
  // A session that goes back whole needs none; one that begins with an answer needs something before it.
  const isBriefed = hasBrief && (from !== to || leftOut > 0 || turns[0]?.kind !== "prompt");
  const { makeBrief } = isBriefed
    ? await import("../../recall/handoff/session_brief.ts")
    : { makeBrief: () => undefined };
  const brief = makeBrief(entries, { session, title, from, leftOut });
  const project = entries.find(({ project }) => isPlainPath(project))?.project;
  const writer = await (isKnown(to) ? transcriptWriters[to]() : markdownWriter());
  const cwd = project ?? store.layout.workspace;
  const transcript = await writer({
    id: session,
    from,
    conversation: source?.conversation,
    title,
    cwd: toSystemPath(cwd),
    branch: entries.findLast(({ branch }) => branch !== undefined)?.branch,
    turns,
    brief,
    findModel: () => findLastModel(store, to),
  }, { home: homeOf(context.env) ?? "", cwd: context.cwd, env: context.env, files: context.files });
  const { countTokens } = await import("../../core/tokens.ts");
  const brief_tokens = brief === undefined ? 0 : countTokens(brief);
  return { transcript, to, cwd, left_out: leftOut, brief_tokens };
}

/** The model of the newest session that an agent held here. */
async function findLastModel(store: Store, agent: string): Promise<string | undefined> {
  const { readSessionList } = await import("../../read/session_list.ts");
  const newest = readSessionList(store).find(({ source }) => source === agent);
  return newest && store.readSession(newest.id)
    .map((place) => store.findRowAt(place)?.model).findLast((model) => model?.includes("/"));
}

/** The files, the first of them where the user wants it. */
function place(
  { files }: Transcript,
  out: string | undefined,
  { cwd, env }: Context,
): Transcript["files"] {
  if (out !== undefined) {
    return [{ path: resolvePath(out, cwd), text: files[0].text }];
  }
  // Without a home, the path would start at the root, as in "/.claude".
  if (homeOf(env) || !files[0].path.startsWith("/.")) return files;
  throw new CtxError("DENIED", "Cannot find the agent's directory: your home is not set", {
    hint: "to choose the file, run: ctx handoff SESSION --out FILE",
  });
}
