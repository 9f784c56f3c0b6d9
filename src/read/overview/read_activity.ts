// What a store was used for, by local days and agents, and what it takes: for a calendar and charts.
// Days come from the columns of the index, agents from the catalog of sessions: no row is parsed where
// there is an index.

import * as s from "../../command/shape.ts";
import type { Store } from "../../store/store.ts";
import { breathe, isBreathDue } from "../../core/breathe.ts";
import { toLocalDay } from "../../core/time/local_day.ts";
import { readGiven } from "../../store/logs/injection_log.ts";
import { readTraces } from "../../store/logs/read_traces.ts";
import { askIndex } from "../../index/ask_index.ts";
import { isSession, readSessionCatalog } from "../../store/session_catalog.ts";

/** 53 weeks: a year's calendar with whole weeks. */
export const activityDays = 371;

const storeParts = ["log", "archive", "index", "vectors", "traces", "other"] as const;

/** A year of a store. */
export const activityShape = {
  ...s.each(s.text(), "from", "to"),
  days: s.listOf(s.object({ day: s.text(), ...s.each(s.number(), "entries", "sessions") })),
  agents: s.listOf(s.object({
    source: s.text(),
    ...s.each(s.number(), "sessions", "messages", "estimated_tokens"),
  })),
  latency: s.listOf(s.object({
    command: s.text(),
    ...s.each(s.number(), "count", "p50_ms", "p95_ms"),
  })),
  given: s.object(s.each(s.number(), "times", "lines", "tokens")),
  bytes: s.object(s.each(s.number(), ...storeParts)),
};
/** One of them. */
export type Activity = s.ObjectOf<typeof activityShape>;
type Days = Pick<Activity, "from" | "to" | "days">;

export async function readActivity(
  store: Store,
  { now, signal }: { now(): number; signal?: AbortSignal },
): Promise<Activity> {
  return {
    ...await readActiveDays(store, { now: now(), signal }),
    agents: readAgents(store),
    latency: readLatency(store),
    given: readGivenSums(store),
    bytes: readPartSizes(store),
  };
}

/** The days with entries, oldest first, among the last ones up to a moment. */
async function readActiveDays(
  store: Store,
  { now, signal }: { now: number; signal?: AbortSignal },
): Promise<Days> {
  const calendar = new Calendar(now);
  using snapshot = store.openSnapshot();
  const known = await askIndex(store, snapshot, (index) => index.activity());
  for (const { times, sessions } of known ?? []) {
    for (let i = 0; i < times.length; i++) calendar.add(times[i], sessions[i] || undefined);
  }
  for (const { entry } of known === undefined ? store.entries() : []) {
    if (isBreathDue()) await breathe(signal);
    calendar.add(Date.parse(entry.ts), entry.session_id);
  }
  return calendar.finish();
}

/** Counts by local days; those of a change to summer time are shorter than others. */
export class Calendar {
  /** When each day begins, and the end of the last. */
  readonly #starts: number[];
  readonly #counts = new Map<number, { entries: number; sessions: Set<unknown> }>();

  constructor(now: number) {
    const today = new Date(now);
    const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
    this.#starts = Array.from(
      { length: activityDays + 1 },
      (_, i) => new Date(year, month, day - activityDays + 1 + i).getTime(),
    );
  }

  add(timeMs: number, session: unknown): void {
    const starts = this.#starts;
    let at = Math.round((timeMs - starts[0]) / dayMs);
    while (at >= 0 && timeMs < starts[at]) at--;
    if (!(at >= 0 && timeMs < starts[activityDays])) return;
    const count = this.#counts.get(at) ?? { entries: 0, sessions: new Set() };
    this.#counts.set(at, count);
    count.entries++;
    if (session !== undefined) count.sessions.add(session);
  }

  finish(): Days {
    const days = [...this.#counts].sort(([a], [b]) => a - b).map(([at, count]) => ({
      day: toLocalDay(this.#starts[at]),
      entries: count.entries,
      sessions: count.sessions.size,
    }));
    const [from, to] = [this.#starts[0], this.#starts[activityDays - 1]].map(toLocalDay);
    return { from, to, days };
  }
}

const dayMs = 86_400_000;

/** What agents did: sessions, their messages and tokens, the busiest first. */
function readAgents(store: Store): Activity["agents"] {
  const sums = new Map<string, Activity["agents"][number]>();
  for (const session of readSessionCatalog(store).values()) {
    if (!isSession(session)) continue;
    const { source = "ctx", message_count, estimated_tokens } = session;
    const sum = sums.get(source) ?? { source, sessions: 0, messages: 0, estimated_tokens: 0 };
    sums.set(source, sum);
    sum.sessions++;
    sum.messages += message_count;
    sum.estimated_tokens += estimated_tokens;
  }
  return [...sums.values()].sort((a, b) => b.messages - a.messages);
}

/** How long retrievals took, by command, the most frequent first. */
function readLatency(store: Store): Activity["latency"] {
  const durations = new Map<string, number[]>();
  for (const { command, duration_ms } of readTraces(store)) {
    if (!Number.isFinite(duration_ms)) continue;
    const known = durations.get(command);
    if (known === undefined) durations.set(command, [duration_ms]);
    else known.push(duration_ms);
  }
  return [...durations].map(([command, values]) => {
    values.sort((a, b) => a - b);
    const at = (share: number): number => values[Math.ceil(values.length * share) - 1];
    return { command, count: values.length, p50_ms: at(0.5), p95_ms: at(0.95) };
  }).sort((a, b) => b.count - a.count);
}

/** What agents were given without asking. */
function readGivenSums(store: Store): Activity["given"] {
  const sums = { times: 0, lines: 0, tokens: 0 };
  for (const { lines, tokens } of readGiven(store)) {
    sums.times++;
    sums.lines += lines.length;
    sums.tokens += tokens;
  }
  return sums;
}

function readPartSizes({ files, layout }: Store): Activity["bytes"] {
  const sizes = { log: 0, archive: 0, index: 0, vectors: 0, traces: 0, other: 0 };
  const partOf = (path: string): keyof typeof sizes => {
    if (path === layout.history.hot) return "log";
    if (path === layout.history.archive) return "archive";
    if (path.startsWith(layout.traces)) return "traces";
    if (!path.startsWith(`${layout.index}/`)) return "other";
    return path.endsWith(".vec") ? "vectors" : "index";
  };
  for (const path of files.listTree(layout.root)) {
    sizes[partOf(path)] += files.findSize(path) ?? 0;
  }
  return sizes;
}
