// Derives the records of sessions that went on, and writes what differs from those that are there.

import type { Entry } from "../../core/entry.ts";
import { hashHex } from "../../core/hash.ts";
import { isObject } from "../../core/json.ts";
import { makeId } from "../../core/id.ts";
import { compareText } from "../../core/text.ts";
import { breathe, isBreathDue } from "../../core/breathe.ts";
import { redactValue } from "../../core/redact/redact.ts";
import { isRecord, isRecordType, recordOf } from "../../core/rows/record.ts";
import { FirstSaid, isAnswered } from "../../read/first_said.ts";
import { countTokens } from "../../core/tokens.ts";
import { readMessages } from "../../read/session_messages.ts";
import { recordKey } from "../../store/lifecycle/derived.ts";
import { appendInjection } from "../../store/logs/injection_log.ts";
import { parsePins, readPinsText } from "../../store/logs/pins.ts";
import type { SessionEvent, SessionMeta } from "../../store/logs/session_log.ts";
import type { Store } from "../../store/store.ts";
import { findAuthored, mergeAuthored } from "./agent_records.ts";
import { authorReason } from "./author_request.ts";
import { distilSession, makeRecord, type RecordDraft } from "./distil_session.ts";
import {
  type Distilled,
  type DistilOptions,
  type DueSessions,
  rulesVersion,
  toMark,
} from "./due_sessions.ts";
import { blamedMark, worthOfBlame } from "./find_fixes.ts";
import { readRecords, type RecordTable } from "./read_records.ts";
import { type Stretch, toStretches } from "./stretches.ts";
import { saysOnly } from "./demands.ts";
import { type Claim, familyOf, findOutdated, isEcho, SameLines } from "./supersede.ts";

/** Derives the records of sessions, as far as there is time, and writes them. */
export async function deriveRecords(
  store: Store,
  { chosen, marks }: DueSessions,
  options: DistilOptions & { until: number },
): Promise<Distilled> {
  const { until } = options;
  const done: Distilled = { sessions: 0, written: [], removed: [], waiting: chosen.length };
  const { revision } = store.readState();
  const hidden = store.readHidden();
  const forgotten = hidden.ids;
  const table = readRecords(store);
  const rejected = new SameLines(table.rejected);
  const bySession = Map.groupBy(table.records, ({ session_id }) => session_id);
  const pinned = new Set(parsePins(readPinsText(store)).map(({ id }) => id));
  const repeated = new RepeatedFixes(table.records);
  const events: SessionEvent[] = [];
  let isLate = false;
  for (const session of chosen) {
    const stretches = toStretches(
      readMessages(store, session, hidden).map(({ entry }) => entry),
    );
    const meta = marks.get(session.id);
    const [asked, distilled] = [meta?.asked, meta?.distilled];
    let next = options.isForced ? 0 : findFirst(stretches, distilled);
    const known = groupRecords(bySession.get(session.id) ?? [], stretches);
    for (; next < stretches.length && !isLate; next++) {
      const { entries } = stretches[next];
      const goesOn = next < stretches.length - 1;
      const found = distilSession(session.id, entries, {
        isSide: session.parent !== undefined,
        goesOn,
      });
      const authored = typeof asked === "string" ? findAuthored(entries, asked) : [];
      const merged = authored.length > 0 ? mergeAuthored(found, { entries, authored }) : found;
      const said = new FirstSaid(entries);
      const drafts = [...merged, ...findRepeated(session.id, { entries, merged, said })]
        .map((draft) => withOutside(redactValue(draft).value, { entries, said }))
        .map((draft) => repeated.grade(repeated.note(draft)))
        // What the user rejected once is not derived again, of no session.
        .filter((draft) => !saysOnly(draft, rejected));
      const { written, removed } = compare(drafts, { known: known[next], table, forgotten });
      done.written.push(...written);
      done.removed.push(...removed.filter((id) => !pinned.has(id)));
      if (isBreathDue()) await breathe(options.signal);
      isLate = options.now() >= until;
    }
    const isWhole = next >= stretches.length;
    const mark = isWhole ? toMark(session) : toPartMark(stretches[next]);
    if (distilled !== mark) events.push(toEvent(session.id, mark, options.now()));
    if (isWhole) done.sessions++;
    if (isLate) break;
  }
  done.waiting -= done.sessions;
  done.written = supersede(done.written.map((draft) => repeated.grade(draft)), {
    table,
    nowMs: options.now(),
  });
  if (!options.dryRun) {
    await write(store, done, { events, revision });
    await noteAuthored(store, done.written, { marks, nowMs: options.now() });
  }
  return done;
}

/** Which fixes several sessions needed: what went wrong again and again is worth telling. */
class RepeatedFixes {
  readonly #found = new Map<string, Map<string, Entry | RecordDraft>>();

  constructor(records: readonly Entry[]) {
    for (const row of records) this.note(row);
  }

  note<T extends Entry | RecordDraft>(row: T): T {
    const key = keyOf(row);
    if (key === undefined || recordOf(row)?.outside) return row;
    const found = this.#found.get(key) ?? new Map();
    this.#found.set(key, found.set(row.session_id ?? "", row));
    return row;
  }

  /**
   * A draft, graded as one to tell if another session has it too. The agent's own account of a cause takes
   * two others before it, and all of them are its evidence: it is told in the words that tell most.
   */
  grade(draft: RecordDraft): RecordDraft {
    const found = this.#found.get(keyOf(draft) ?? "");
    if (found === undefined || recordOf(draft)?.outside) return draft;
    const own = found.get(draft.session_id) ?? draft;
    const earlier = isAccount(draft) ? [...found.values()].filter(({ ts }) => ts < own.ts) : [];
    if (isAccount(draft) ? earlier.length < 2 : found.size < 2) return draft;
    const best = earlier.reduce<Entry | RecordDraft>(
      (most, one) => worthOfBlame(one.text) > worthOfBlame(most.text) ? one : most,
      own,
    );
    if (isAccount(draft) && worthOfBlame(best.text) === 0) return draft;
    const { title = "", text } = isAccount(draft) ? best : draft;
    const refs = [...own.refs ?? [], ...earlier.flatMap(({ refs = [] }) => refs.slice(2))];
    return {
      ...draft,
      title,
      text,
      refs: [...new Set(refs)].slice(0, maxRefs),
      record: { ...recordOf(draft), grade: "derived" },
    };
  }
}

const maxRefs = 24;

/** What a fix is about, and where; undefined for what several sessions cannot have alike. */
function keyOf(row: Entry | RecordDraft): string | undefined {
  const subject = row.type === "fix" ? recordOf(row)?.subject : undefined;
  return subject === undefined ? undefined : `${row.project ?? ""}\0${subject}`;
}

/** Whether it is what an agent said of the cause of a failed check. */
function isAccount(draft: RecordDraft): boolean {
  return recordOf(draft)?.subject?.startsWith(blamedMark) ?? false;
}

/** A draft, marked where it says what somebody else wrote first. */
function withOutside(
  draft: RecordDraft,
  { entries, said }: { entries: readonly Entry[]; said: FirstSaid },
): RecordDraft {
  if (!isRepeatable(draft) || isAnswered(entries, draft.refs)) return draft;
  const first = said.findOutside(draft.text, { demandsOnly: draft.type === "digest" });
  return first === undefined ? draft : toOutside(draft, first);
}

/** What the user said is theirs, wherever it stood before; what a program prints of a failure is no advice. */
function isRepeatable(draft: RecordDraft): boolean {
  const { type } = draft;
  return type !== "preference" && type !== "goal" && (type !== "fix" || isAccount(draft));
}

/** What an agent saved in the words of others, as records that take its place and are not told. */
function findRepeated(
  session_id: string,
  { entries, merged, said }: {
    entries: readonly Entry[];
    merged: readonly RecordDraft[];
    said: FirstSaid;
  },
): RecordDraft[] {
  const taken = new Set(merged.map(({ refs }) => refs[0]));
  const saved = entries.filter((entry) =>
    entry.role === "note" && entry.saved_by !== undefined && !isRecord(entry) &&
    !taken.has(entry.id)
  );
  return saved.flatMap((entry) => {
    const first = said.findOutside(`${entry.title ?? ""}\n${entry.text}`);
    if (first === undefined) return [];
    const { id, ts, type, text, title = "", files = [], saved_by } = entry;
    const draft = makeRecord({ ...entry, session_id }, {
      ts,
      type: isRecordType(type) ? type : "outcome",
      title,
      text,
      refs: [id],
      files,
      supersedes: id,
      saved_by,
      record: { by: "rules" },
    });
    return [toOutside(draft, first)];
  });
}

function toOutside(draft: RecordDraft, first: Entry): RecordDraft {
  return {
    ...draft,
    refs: [...new Set([...draft.refs, first.id])],
    record: { ...recordOf(draft), grade: "candidate", outside: first.id },
  };
}

/** The stretch to go on from: the first that was not done, or the last, which may have gone on. */
function findFirst(stretches: readonly Stretch[], mark: unknown): number {
  const [version, rows, part] = typeof mark === "string" ? mark.split(":") : [];
  const last = stretches.at(-1);
  const isLonger = last !== undefined && Number(rows) <= last.from + last.entries.length;
  if (version !== String(rulesVersion) || !isLonger) return 0;
  const begun = Number(rows) + (part === "part" ? 1 : 0);
  return Math.max(0, stretches.findLastIndex(({ from }) => from < begun));
}

/** The records of a session by the stretch that they are from; of rows that are gone by the last. */
function groupRecords(records: readonly Entry[], stretches: readonly Stretch[]): Entry[][] {
  const groups: Entry[][] = stretches.map(() => []);
  const places = new Map(stretches.flatMap(({ entries }, i) => entries.map(({ id }) => [id, i])));
  for (const row of records) {
    groups[places.get(row.refs?.[0] ?? "") ?? stretches.length - 1]?.push(row);
  }
  return groups;
}

/** Notes what the agents spent on writing records, beside what asking them cost. */
async function noteAuthored(
  store: Store,
  written: readonly RecordDraft[],
  { marks, nowMs }: { marks: ReadonlyMap<string, SessionMeta>; nowMs: number },
): Promise<void> {
  for (const { session_id, text, record } of written) {
    if (!isObject(record) || record.by !== "agent") continue;
    const meta = marks.get(session_id);
    const conversation = meta?.conversation;
    await appendInjection(store, {
      ts: new Date(nowMs).toISOString(),
      agent: meta?.source ?? "",
      ...(typeof conversation === "string" ? { conversation } : {}),
      event: "save_memory",
      reason: authorReason,
      lines: [],
      tokens: countTokens(text),
    });
  }
}

/** What is noted of a session of which only the stretches before one are done. */
function toPartMark({ from }: Stretch): string {
  return [rulesVersion, from, "part"].join(":");
}

function toEvent(id: string, distilled: string, now: number): SessionEvent {
  return { event: "distilled", session_id: id, ts: new Date(now).toISOString(), distilled };
}

/** What differs from the records that are there; corrected and forgotten ones are left alone. */
function compare(
  drafts: readonly RecordDraft[],
  { known: records, table, forgotten }: {
    known: readonly Entry[];
    table: RecordTable;
    forgotten: ReadonlySet<string>;
  },
): { written: RecordDraft[]; removed: string[] } {
  const known = Map.groupBy(records.filter((row) => recordOf(row)?.by !== "model"), recordKey);
  const written: RecordDraft[] = [];
  for (const draft of drafts) {
    const revisions = known.get(recordKey(draft)) ?? [];
    known.delete(recordKey(draft));
    if (forgotten.has(draft.id)) continue;
    const current = revisions.findLast((row) => !table.superseded.has(row.id));
    if (current === undefined && revisions.length > 0) continue;
    if (current === undefined) written.push(draft);
    else if (!saysTheSame(current, draft)) {
      const seed = `${draft.id}\0${revisions.length}\0${hashHex(draft.text)}`;
      written.push({
        ...draft,
        id: makeId("H", Date.parse(draft.ts) || 0, seed),
        supersedes: current.id,
      });
    }
  }
  const removed = [...known.values()].flat().map((row) => row.id)
    .filter((old) => !table.superseded.has(old));
  return { written, removed };
}

/**
 * Lets new records take the place of older ones, of any session, that they contradict. One that a
 * record which is there already contradicts is not written: it was outdated before it was found. Nor is a
 * guess that repeats what is surer: an answer that quotes a decision decides nothing.
 * What says that it is of the future takes nobody's place: it would hold for ever.
 */
function supersede(
  written: readonly RecordDraft[],
  { table, nowMs }: { table: RecordTable; nowMs: number },
): RecordDraft[] {
  const latest = new Date(nowMs + clockSlackMs).toISOString();
  const groups = new Map<string, Claim[]>();
  const groupOf = (claim: Claim): Claim[] => {
    const key = `${familyOf(claim)}\0${claim.project ?? ""}`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    return group;
  };
  const replaced = new Set(written.map(({ supersedes }) => supersedes));
  for (const row of table.records) {
    if (table.superseded.has(row.id) || replaced.has(row.id) || row.ts > latest) continue;
    groupOf(row).push(row);
  }
  const kept: RecordDraft[] = [];
  for (const draft of written.toSorted((a, b) => compareText(a.ts, b.ts))) {
    // What takes the place of an entry that must not be told is written, whatever else says the same.
    if (draft.ts > latest || recordOf(draft)?.outside && draft.supersedes) {
      kept.push(draft);
      continue;
    }
    const group = groupOf(draft);
    const near = group.slice(-maxCompared);
    const isKnown = near.some((row) =>
      isEcho(draft, row) || findOutdated(row, [draft]) !== undefined
    );
    if (isKnown) continue;
    const older = draft.supersedes === undefined ? findOutdated(draft, near) : undefined;
    if (older !== undefined) group.splice(group.indexOf(older), 1);
    group.push(draft);
    kept.push(older === undefined ? draft : { ...draft, supersedes: older.id });
  }
  return kept;
}

/** How far another machine's clock may be ahead. */
const clockSlackMs = 24 * 3_600_000;

/** A new record is held against so many of its kind, the last ones: old matters seldom come back. */
const maxCompared = 300;

function saysTheSame(a: Entry, b: RecordDraft): boolean {
  const said = (row: Entry | RecordDraft) =>
    JSON.stringify([row.title, row.text, row.refs, recordOf(row)?.grade, recordOf(row)?.narrow]);
  return said(a) === said(b);
}

async function write(
  store: Store,
  done: Distilled,
  { events, revision }: { events: SessionEvent[]; revision: number },
): Promise<void> {
  if (done.written.length + done.removed.length + events.length === 0) return;
  const forgets = done.removed.length > 0
    ? await import("../../store/lifecycle/forget_entries.ts")
    : undefined;
  await store.write("distil", (writer) => {
    // Somebody else may have distilled the same session meanwhile: an id is used once.
    if (writer.state.revision !== revision && done.written.length > 0) {
      const here = new Set(readRecords(store).records.map(({ id }) => id));
      const gone = store.readForgotten();
      done.written = done.written.filter(({ id, refs }) =>
        !here.has(id) && !gone.has(id) && !refs.some((ref) => gone.has(ref))
      );
    }
    writer.append(done.written);
    forgets?.bury(writer, done.removed);
    writer.appendSessionEvents(events);
  });
}
