// Lists the sessions of a source and chooses those that are new or changed.

import { findIdTime, makeId } from "../../core/id.ts";
import { isSecondHand } from "../../core/voice/not_the_user.ts";
import type { Databases } from "../sources/database/databases.ts";
import type { Place, ResumePoint, Source, SourceSession } from "../sources/source.ts";
import { Tally } from "../sources/problem_tally.ts";
import type { SessionMeta } from "../../store/logs/session_log.ts";
import type { Store } from "../../store/store.ts";
import { copiesOf, type ListedSession, splitCopies } from "./copies.ts";
import type { ProjectFilter } from "./projects.ts";
import type { PassProgress } from "./pass_progress.ts";
import type { SessionReceipt } from "./receipt.ts";

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
  /** Whether receipts name sessions that their agent gave no title: that reads every prompt. */
  titles?: boolean;
  /** Told before the first session is read. */
  onStart?: (progress: PassProgress) => void;
  /** Told whenever a full batch is on disk. */
  onBatch?: () => Promise<void>;
}

export interface Chosen {
  /** Those to read, and how many there are in all. */
  wanted: ListedSession[];
  sessions_seen: number;
  /** Those of the store, and those of this source by the producer's id. */
  sessions: Map<string, SessionMeta>;
  known: Map<string, SessionMeta>;
  /** How many are passed over, by the reason. */
  skipped: Record<string, number>;
  tally: Tally;
}

/** How many sessions an import would read, and why it would not read others; reads none of them. */
export async function countNew(
  options: PassOptions,
): Promise<{ fresh: number; skipped: Record<string, number> }> {
  const skipped: Record<string, number> = {};
  const wanted = await chooseSessions(options, { tally: new Tally(), skipped });
  return { fresh: wanted.length, skipped };
}

/** Lists the sessions of all roots and keeps those that are asked for and may have changed. */
export async function chooseSessions(
  options: PassOptions,
  found: Pick<Chosen, "tally" | "skipped">,
): Promise<ListedSession[]> {
  const { source, place, scratch, databases } = options;
  const sessions: SourceSession[] = [];
  // A start mostly finds nothing new, and then need not know which sessions there are.
  let known: Map<string, SessionMeta> | undefined;
  const findKnown = (id: string): SessionMeta | undefined => {
    known ??= knownSessions(options.store.readSessions(), source.name);
    return known.get(id);
  };
  const only = wantedConversation(options);
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
      : refusal(listed, findKnown, options);
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
function wantedConversation({ session, store, source }: PassOptions): string | undefined {
  if (session === undefined || !session.startsWith("S-")) return session;
  const known = knownSessions(store.readSessions(), source.name);
  return [...known].find(([, meta]) => meta.session_id === session)?.[0];
}

function refusal(
  { session, isCopy }: ListedSession,
  findKnown: (id: string) => SessionMeta | undefined,
  options: PassOptions,
): string | undefined {
  if (options.session !== undefined) {
    const names = [
      session.id,
      findKnown(session.id)?.session_id,
      sessionIdOf(options.source, session),
    ];
    if (!names.includes(options.session)) return "not_asked_for";
  }
  if (options.since !== undefined && (session.updated ?? session.started ?? "") < options.since) {
    return "before_since";
  }
  if (!options.belongs(session.cwd)) {
    return session.cwd === undefined ? "no_project" : "other_project";
  }
  const meta = findKnown(session.id);
  if (session.isRemnant && meta !== undefined && meta.path !== session.path) return "unchanged";
  if (options.again) return undefined;
  const read = isCopy ? copiesOf(meta)[session.path] : resumeOf(meta, session)?.signature;
  return read === session.signature ? "unchanged" : undefined;
}

/** The sessions of an agent that the store knows, by the ids that the agent gave them. */
export function knownSessions(
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

/** Where a session is to be read on from. */
export function resumeOf(
  meta: SessionMeta | undefined,
  session: SourceSession,
): ResumePoint | undefined {
  const resume = meta?.resume as ResumePoint | undefined;
  return meta?.path === session.path && typeof resume?.signature === "string" ? resume : undefined;
}

export function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

/**
 * The id of an imported session: an id of ours stays, others are made from the producer's. Only ctx's
 * own format brings ids of ours: any other history that names one would join a session of the user's.
 */
export function sessionIdOf(source: Source, session: SourceSession): string {
  const isOurs = source.name === "ndjson" && session.id.startsWith("S-");
  if (isOurs && findIdTime(session.id) !== undefined) return session.id;
  const started = Date.parse(session.started ?? session.updated ?? "") || 0;
  return makeId("S", started, `${source.name}\0${session.id}`);
}
