// One pass over one source: which sessions are new or changed, and reading those.

import { findInfo } from "../../disk/outside_files.ts";
import { redactValue } from "../../core/redact/redact.ts";
import { isSecondHand } from "../../core/rows/second_hand.ts";
import type { Databases } from "../sources/database/databases.ts";
import {
  type Place,
  type ResumePoint,
  type Source,
  type SourceSession,
  titleRanks,
} from "../sources/source.ts";
import { Tally } from "../sources/problem_tally.ts";
import type { SessionEvent, SessionMeta } from "../../store/logs/session_log.ts";
import type { Store } from "../../store/store.ts";
import { copiedEvent, copiesOf, type ListedSession, splitCopies } from "./copies.ts";
import { importedEvent, Intake, sessionIdOf, type SessionSink } from "./intake.ts";
import { linkParents } from "./link_parents.ts";
import type { ProjectFilter } from "./projects.ts";
import type { PassProgress } from "./pass_progress.ts";
import { type Receipt, type SessionReceipt, toReceipt } from "./receipt.ts";

/** What a pass is told. */
export interface PassOptions {
  store: Store;
  source: Source;
  roots: string[];
  place: Place;
  scratch: string;
  databases: Databases;
  now: () => number;
  signal: AbortSignal;
  dryRun: boolean;
  /** Whether sessions are read from their beginning, also where nothing changed. */
  again?: boolean;
  belongs: ProjectFilter;
  since?: string;
  session?: string;
  onSession: (receipt: SessionReceipt, progress: PassProgress) => void;
  /** Told before the first session is read. */
  onStart?: (progress: PassProgress) => void;
  /** Told whenever a full batch is on disk. */
  onBatch?: () => Promise<void>;
}

/** Imports what is new in one source. */
export async function runPass(options: PassOptions): Promise<Receipt> {
  const { store, source, now, dryRun } = options;
  const tally = new Tally();
  const sessions = store.readSessions();
  const known = knownSessions(sessions, source.name);
  const skipped: Record<string, number> = {};
  const wanted = await chooseSessions(options, { tally, known, skipped });
  const sessions_seen = wanted.length + sum(Object.values(skipped));
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

/** How many sessions an import would read, and why it would not read others; reads none of them. */
export async function countNew(
  options: PassOptions,
): Promise<{ fresh: number; skipped: Record<string, number> }> {
  const known = knownSessions(options.store.readSessions(), options.source.name);
  const skipped: Record<string, number> = {};
  const wanted = await chooseSessions(options, { tally: new Tally(), known, skipped });
  return { fresh: wanted.length, skipped };
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

/** Lists the sessions of all roots and keeps those that are asked for and may have changed. */
async function chooseSessions(
  options: PassOptions,
  found: { tally: Tally; known: Map<string, SessionMeta>; skipped: Record<string, number> },
): Promise<ListedSession[]> {
  const { source, place, scratch, databases } = options;
  const sessions: SourceSession[] = [];
  const only = wantedConversation(options, found.known);
  const listing = { tally: found.tally, place, scratch, databases, only };
  for (const root of options.roots) {
    try {
      for await (const session of source.list(root, listing)) {
        options.signal.throwIfAborted();
        sessions.push(session);
      }
    } catch (error) {
      options.signal.throwIfAborted();
      found.tally.problem(root, error);
    }
  }
  // What came in from the agent itself is passed over.
  const elsewhere = isSecondHand(source.name) ? conversationsOfOthers(options) : undefined;
  const whole = new Set(sessions.flatMap(({ id, isRemnant }) => isRemnant ? [] : [id]));
  const told = sessions.filter(({ id, isRemnant }) => !isRemnant || !whole.has(id));
  return splitCopies(told).filter((listed) => {
    const reason = elsewhere?.has(listed.session.id)
      ? "known_from_its_agent"
      : refusal(listed, found.known.get(listed.session.id), options);
    if (reason !== undefined) count(found.skipped, reason);
    return reason === undefined;
  });
}

/** Conversations that came in from their own agents, by the ids that those gave them. */
function conversationsOfOthers({ store, source }: PassOptions): Set<unknown> {
  const others = [...store.readSessions().values()].filter((meta) => meta.source !== source.name);
  return new Set(others.map(({ conversation }) => conversation));
}

/** The producer's id of the one session that is asked for, where it can be told. */
function wantedConversation(
  { session }: PassOptions,
  known: Map<string, SessionMeta>,
): string | undefined {
  if (session === undefined || !session.startsWith("S-")) return session;
  return [...known].find(([, meta]) => meta.session_id === session)?.[0];
}

function refusal(
  { session, isCopy }: ListedSession,
  meta: SessionMeta | undefined,
  options: PassOptions,
): string | undefined {
  if (options.session !== undefined) {
    const names = [session.id, meta?.session_id, sessionIdOf(options.source, session)];
    if (!names.includes(options.session)) return "not_asked_for";
  }
  if (options.since !== undefined && (session.updated ?? session.started ?? "") < options.since) {
    return "before_since";
  }
  if (!options.belongs(session.cwd)) {
    return session.cwd === undefined ? "no_project" : "other_project";
  }
  if (session.isRemnant && meta !== undefined && meta.path !== session.path) return "unchanged";
  if (options.again) return undefined;
  const read = isCopy ? copiesOf(meta)[session.path] : resumeOf(meta, session)?.signature;
  return read === session.signature ? "unchanged" : undefined;
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

function knownSessions(
  sessions: Map<string, SessionMeta>,
  agent: string,
): Map<string, SessionMeta> {
  const known = new Map<string, SessionMeta>();
  for (const meta of sessions.values()) {
    if (meta.source === agent && typeof meta.conversation === "string") {
      known.set(meta.conversation, meta);
    }
  }
  return known;
}

function resumeOf(meta: SessionMeta | undefined, session: SourceSession): ResumePoint | undefined {
  const resume = meta?.resume as ResumePoint | undefined;
  return meta?.path === session.path && typeof resume?.signature === "string" ? resume : undefined;
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
    title: given ?? sink.prompt ?? "",
    project: details.cwd ?? session.cwd,
    started: session.started,
    messages: tally.messages,
    entries: taken.entries,
    known: taken.known,
    superseded: taken.superseded,
    bad_lines: tally.bad_lines,
    problems: tally.problem_count,
  }).value;
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
