// Reads the sessions that a pass chose, each from where it was read last, into the store.

import { findInfo } from "../../disk/outside_files.ts";
import { redactValue } from "../../core/redact/redact.ts";
import { isGoodTitle } from "../../core/titles/title_clues.ts";
import {
  type ResumePoint,
  type Source,
  type SourceSession,
  titleRanks,
} from "../sources/source.ts";
import type { SessionEvent, SessionMeta } from "../../store/logs/session_log.ts";
import { copiesOf, type ListedSession } from "./copies.ts";
import { copiedEvent, importedEvent, Intake, projectOf, type SessionSink } from "./intake.ts";
import { linkParents } from "./link_parents.ts";
import {
  type Chosen,
  count,
  knownSessions,
  type PassOptions,
  resumeOf,
  sessionIdOf,
  sum,
} from "./choose_sessions.ts";
import type { PassProgress } from "./pass_progress.ts";
import { type Receipt, type SessionReceipt, toReceipt } from "./receipt.ts";

/** Reads the sessions that were chosen; returns what they gave. */
export async function readSessions(
  options: PassOptions,
  { wanted, sessions_seen, sessions, known, skipped, tally }: Chosen,
): Promise<Receipt> {
  const { store, source, now, dryRun } = options;
  const totals = {
    sessions_imported: 0,
    entries: 0,
    entries_known: 0,
    superseded: 0,
    forgotten: 0,
  };
  const ids = new Map([...known].map(([id, meta]) => [id, meta.session_id]));
  const copies = new Map<string, Record<string, string>>();
  const sizes = sizesOf(wanted, known);
  const progress: PassProgress = {
    done: 0,
    total: wanted.length,
    bytes: 0,
    totalBytes: sum(sizes),
  };
  const onBatch = async (): Promise<void> => {
    progress.isSearchable = true;
    await options.onBatch?.();
  };
  if (wanted.length > 0) options.onStart?.(progress);
  let intake: Intake | undefined;
  for (const [i, { session, isCopy }] of wanted.entries()) {
    await stopIfAborted(options.signal, intake);
    intake ??= new Intake({ ...options, onBatch });
    const meta = known.get(session.id);
    const sessionId = ids.get(session.id) ?? sessionIdOf(source, session);
    ids.set(session.id, sessionId);
    const isUntitled = sessions.get(sessionId)?.untitled === true;
    const sink = intake.open(session, sessionId, { isUntitled, isCopy });
    const resume = await readSession(session, sink, {
      ...options,
      resume: options.again ? undefined : resumeOf(meta, session),
    });
    // What could not be read to its end is looked at again.
    if (resume !== undefined && sink.tally.problem_count === 0) {
      const facts = { sessionId, source: source.name, now: now() };
      const event = isCopy
        ? copiedEvent(session, { ...facts, copies: addCopy(copies, session, meta) })
        : findImported(session, sink, { ...facts, meta, resume, ids });
      if (event) intake.close(event);
    }
    // Damage stays in the file: it is named once, by the pass that meets it.
    sink.tally.nameDamage(session.path);
    const { taken } = sink;
    if (taken.entries > 0) totals.sessions_imported++;
    else count(skipped, whyNothing(sink));
    totals.entries += taken.entries;
    totals.entries_known += taken.known;
    totals.superseded += taken.superseded;
    totals.forgotten += taken.forgotten;
    tally.add(sink.tally);
    // The newest session can be searched at once, however long the others take.
    if (i === 0 && wanted.length > 1) {
      await intake.flush();
      progress.isSearchable = !dryRun && taken.entries > 0;
    }
    progress.done++;
    progress.bytes += sizes[i];
    options.onSession(toSessionReceipt(source, session, sessionId, sink), progress);
  }
  await intake?.flush();
  totals.entries -= intake?.doubles ?? 0;
  totals.entries_known += intake?.doubles ?? 0;
  if (intake && !dryRun) {
    await resolveTitles(options, intake.titles);
    const imported = knownSessions(store.readSessions(), source.name);
    const links = linkParents(imported, { source: source.name, now: now() });
    if (links.length > 0) {
      await store.write("import", (writer) => writer.appendSessionEvents(links));
    }
  }
  return toReceipt(tally, {
    source: source.name,
    roots: options.roots,
    ...totals,
    sessions_seen,
    sessions_skipped: skipped,
    redactions: intake?.redactions ?? 0,
  });
}

/** About how much is to be read of each session: those in one file share what it has. */
function sizesOf(wanted: readonly ListedSession[], known: Map<string, SessionMeta>): number[] {
  const sharers: Record<string, number> = {};
  for (const { session } of wanted) count(sharers, session.path);
  return wanted.map(({ session }) => {
    const read = resumeOf(known.get(session.id), session)?.offset ?? 0;
    return Math.max(0, (findInfo(session.path)?.size ?? 0) - read) / sharers[session.path];
  });
}

/** Whoever stops an import keeps what was read until then. */
async function stopIfAborted(signal: AbortSignal, intake: Intake | undefined): Promise<void> {
  if (signal.aborted) await intake?.flush();
  signal.throwIfAborted();
}

/** A transcript that restore wrote has nothing new either, and need not be looked at again. */
function isFamiliar({ taken, tally }: SessionSink): boolean {
  return taken.entries + taken.known + (tally.skipped.restored_by_ctx ?? 0) > 0;
}

/** Why a session that was read gave no entry. */
function whyNothing(sink: SessionSink): string {
  if (isFamiliar(sink)) return "nothing_new";
  return sink.tally.problem_count > 0 ? "unreadable" : "empty";
}

function addCopy(
  copies: Map<string, Record<string, string>>,
  session: SourceSession,
  meta: SessionMeta | undefined,
): Record<string, string> {
  const before = copies.get(session.id) ?? copiesOf(meta);
  const read = { ...before, [session.path]: session.signature };
  copies.set(session.id, read);
  return read;
}

/** The event that a session was read; none for one that gave nothing and is not known. */
function findImported(
  session: SourceSession,
  sink: SessionSink,
  { meta, ids, ...facts }: {
    sessionId: string;
    source: string;
    now: number;
    meta: SessionMeta | undefined;
    resume: ResumePoint;
    ids: ReadonlyMap<string, string>;
  },
): SessionEvent | undefined {
  if (!isFamiliar(sink) && meta === undefined) return undefined;
  if (isAsBefore(sink, meta, facts.resume)) return undefined;
  const parent = ids.get(sink.details.parent ?? session.parent ?? "");
  return importedEvent(session, settleTitle(sink, meta), { ...facts, parent });
}

/** Whether a session that was looked at again, such as for an unfinished line, says nothing new. */
function isAsBefore(
  { taken, details }: SessionSink,
  meta: SessionMeta | undefined,
  resume: ResumePoint,
): boolean {
  return taken.entries === 0 && meta?.resume !== undefined &&
    JSON.stringify(meta.resume) === JSON.stringify(resume) &&
    (details.title ?? meta.title) === meta.title;
}

/** Damage in one session never stops the others. */
async function readSession(
  session: SourceSession,
  sink: SessionSink,
  options: PassOptions & { resume?: ResumePoint },
): Promise<ResumePoint | undefined> {
  try {
    const { resume, scratch, databases, now } = options;
    const read = { resume, scratch, databases, now: now() };
    const point = await options.source.read(session, sink, read);
    await sink.end();
    return point ?? { signature: session.signature };
  } catch (error) {
    options.signal.throwIfAborted();
    if (isStoreFailure(error)) throw error;
    sink.tally.problem(session.path, error);
    return undefined;
  }
}

/** Failures of the store end the import; damage in a source file is only counted. */
function isStoreFailure(error: unknown): boolean {
  return error instanceof Error && error.name === "CtxError";
}

/**
 * A session read from its middle must not lose a better title from its start; one of which something
 * was forgotten gets none of its agent's.
 */
function settleTitle(sink: SessionSink, meta: SessionMeta | undefined): SessionSink {
  const { details } = sink;
  const from = titleRanks.find((rank) => rank === meta?.title_from);
  const before = details.title_from;
  if (sink.isUntitled) {
    delete details.title;
    delete details.title_from;
  } else if (meta?.title !== undefined && from !== undefined && from !== "prompt") {
    const weaker = before === undefined || titleRanks.indexOf(before) < titleRanks.indexOf(from);
    if (weaker) Object.assign(details, { title: meta.title, title_from: from });
  }
  return sink;
}

/** Claude Code writes titles of earlier sessions into later files, naming a message of theirs. */
async function resolveTitles(options: PassOptions, titles: Map<string, string>): Promise<void> {
  if (titles.size === 0) return;
  const { store, now } = options;
  const sessions = store.readSessions();
  const needles = [...titles.keys()].slice(-maxTitles).map((message) =>
    `"message":${JSON.stringify(message)}`
  );
  const events = new Map<string, SessionEvent>();
  for (const { entry } of store.entries({ needles })) {
    const { session_id } = entry;
    const title = titles.get(entry.source?.message ?? "");
    if (title === undefined || session_id === undefined) continue;
    if (!isRetitled(sessions.get(session_id), title)) continue;
    const ts = new Date(now()).toISOString();
    events.set(session_id, { event: "titled", session_id, ts, title, title_from: "summary" });
  }
  if (events.size === 0) return;
  await store.write("import", (writer) => writer.appendSessionEvents([...events.values()]));
}

/** Whether a title from elsewhere is new to a session, and not weaker than what it has. */
function isRetitled(meta: SessionMeta | undefined, title: string): boolean {
  const from = meta?.title_from;
  const isWeak = meta?.title === undefined || from === "prompt" || from === "summary";
  return isWeak && meta?.untitled !== true && meta?.title !== title;
}

const maxTitles = 100;

function toSessionReceipt(
  source: Source,
  session: SourceSession,
  sessionId: string,
  sink: SessionSink,
): SessionReceipt {
  const { tally, taken, details } = sink;
  const given = sink.isUntitled ? undefined : details.title ?? session.title;
  // Titles are made of prompts: what goes out is cleaned like what goes in.
  return redactValue({
    source: source.name,
    session_id: sessionId,
    conversation: session.id,
    title: given !== undefined && isGoodTitle(given) ? given : sink.madeTitle,
    project: projectOf(session, details),
    started: session.started,
    messages: tally.messages,
    entries: taken.entries,
    known: taken.known,
    superseded: taken.superseded,
    bad_lines: tally.bad_lines,
    problems: tally.problem_count,
  }).value;
}
