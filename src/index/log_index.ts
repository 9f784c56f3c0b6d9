// Finds rows by id and by session through the index, for readers that rank nothing: no tokenizer, no
// corpus, a few pages of a segment. Only says where rows are: every row is read from the caller's
// snapshot of the logs and compared, and what is not indexed yet is read there from end to end.

import { idTimesFrom } from "../core/id.ts";
import { docType, type Entry, type Pool, pools, tombstoneType } from "../core/entry.ts";
import { edgesOf } from "../store/log_files.ts";
import { addFacts, addOwn, type IdFacts, noFacts, toNeedles } from "../store/find.ts";
import {
  Forgotten,
  isRepeat,
  repeatKey,
  type Row,
  type Snapshot,
  tombstoneNeedle,
} from "../store/snapshot.ts";
import type { Store } from "../store/store.ts";
import { IndexDamage } from "../disk/byte_source.ts";
import { idHashOf, rowFlags, sessionHash } from "./segment/segment_format.ts";
import { keyword, type KeywordField, keywordPrefix } from "./segment/keyword.ts";
import { coveredBytes, fromGaps, readManifest, type SegmentRecord } from "./manifest.ts";
import { forEachRow } from "./segment/postings.ts";
import { openSealed } from "./sealed.ts";
import type { Segment } from "./segment/segment.ts";

/** A merge may replace the files between two reads; then the manifest is read once more. */
const attempts = 2;

/** Indexes whose damage was told: one command asks several times. */
const warned = new Set<string>();

/**
 * Asks the index of a store about a snapshot of its logs. Undefined when there is no index, or it
 * is damaged (which is told once) or not of these logs: then the caller reads the logs.
 */
export function useLogIndex<T>(
  store: Pick<Store, "files" | "layout" | "warn">,
  snapshot: Snapshot,
  ask: (index: LogIndex) => T,
): T | undefined {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      using index = openLogIndex(store, snapshot);
      return index && ask(index);
    } catch (error) {
      if (!(error instanceof IndexDamage)) throw error;
    }
  }
  if (!warned.has(store.layout.index)) {
    store.warn("the index is damaged: read without it; run: ctx reindex --full");
  }
  warned.add(store.layout.index);
  return undefined;
}

/** Rows that are wanted: a user's turns, and those with one of some values. */
export interface RowChoice {
  prompts: boolean;
  values: readonly [KeywordField, string][];
}

/** A segment, and its rows that are forgotten or repeat an id. */
interface SealedPart {
  segment: Segment;
  dead: ReadonlySet<number>;
}

function openLogIndex(
  store: Pick<Store, "files" | "layout">,
  snapshot: Snapshot,
): LogIndex | undefined {
  const read = readManifest(store.files, store.layout);
  if ("fault" in read) {
    if (read.fault === "damaged") throw new IndexDamage("the manifest is damaged");
    return undefined;
  }
  const { segments } = read.manifest;
  if (segments.length === 0 || !segments.every((record) => isOf(snapshot, record))) {
    return undefined;
  }
  using opened = new DisposableStack();
  const parts = segments.map((record) => {
    const segment = opened.use(openSealed(store, record, { resident: false }));
    return { segment, dead: fromGaps(record.dead) };
  });
  opened.move();
  return new LogIndex(snapshot, { parts, covered: coveredBytes(segments) });
}

function isOf(snapshot: Snapshot, record: SegmentRecord): boolean {
  return record.to <= snapshot.sizeOf(record.pool) && edgesOf(snapshot, record) === record.edges;
}

/** Rows in log order: the time of each in milliseconds, and the row itself. */
export interface TimedRows {
  times: Float64Array;
  read(at: number): Row;
}

/** More rows after the indexed part than this are not looked up one by one. */
const maxTailRows = 1000;

/** An open index over a snapshot. Made by `useLogIndex`. */
export class LogIndex implements Disposable {
  readonly #snapshot: Snapshot;
  readonly #parts: readonly SealedPart[];
  readonly #covered: Record<Pool, number>;

  constructor(
    snapshot: Snapshot,
    options: { parts: readonly SealedPart[]; covered: Record<Pool, number> },
  ) {
    this.#snapshot = snapshot;
    this.#parts = options.parts;
    this.#covered = options.covered;
  }

  /**
   * The facts of ids as `gatherFacts` has them, but for rows that no longer count. An id without a
   * row may be unknown or forgotten: only the logs know.
   */
  gatherFacts(ids: readonly string[]): Map<string, IdFacts> {
    const facts = noFacts(ids);
    const needles = toNeedles(ids);
    for (const pool of pools) {
      for (const part of this.#partsOf(pool)) {
        for (const id of ids) this.#addSealed(facts, id, part);
      }
      for (const row of this.#tail(pool, needles)) addFacts(facts, row);
    }
    for (const known of facts.values()) {
      if (known.row && this.#isTail(known.row)) known.forgotten ||= this.#isForgotten(known.row);
    }
    return facts;
  }

  /**
   * The rows of a session that count, in log order. Of the indexed ones only those of some kinds, where
   * they are given: a session may be long.
   */
  sessionRows(sessionId: string, only?: RowChoice): Row[] {
    const needles = toNeedles([sessionId]);
    const forgotten = new Forgotten();
    const found: Row[] = [];
    for (const pool of pools) {
      for (const { segment, dead } of this.#partsOf(pool)) {
        const all = new Set<number>();
        forEachPosting(segment, keyword("session", sessionId), (number) => {
          if (!dead.has(number)) all.add(number);
        });
        const numbers = only === undefined ? [...all] : pickWith(segment, all, only);
        for (const row of this.#readEach(segment, numbers)) found.push(row);
      }
      for (const row of this.#tail(pool, needles && [...needles, tombstoneNeedle])) {
        if (row.entry.type !== tombstoneType) found.push(row);
        else forgotten.add(row);
      }
    }
    const seen = new Set<string>();
    return found.filter((row) => {
      const { id, session_id } = row.entry;
      if (session_id !== sessionId || seen.has(id) || forgotten.hides(row)) return false;
      seen.add(id);
      return !this.#isTail(row) || !this.#isForgotten(row);
    });
  }

  /**
   * The rows that count whose ids begin so, in either case, in log order; no more than `most`, which
   * are then any. Undefined when the index cannot tell: after a long tail.
   */
  rowsFrom(beginning: string, most: number): Row[] | undefined {
    const tail = this.#liveTail();
    if (tail === undefined) return undefined;
    const sought = beginning.toLowerCase();
    const times = idTimesFrom(beginning);
    const found: Row[] = [];
    for (const pool of pools) {
      for (const part of this.#partsOf(pool)) {
        const { segment, dead } = part;
        const numbers = new Set(times && rowsBetween(segment, times));
        for (const { postings } of segment.lists(keyword("id", sought))) {
          forEachRow(postings.bytes, (number) => numbers.add(number));
        }
        const gone = tail.killed.get(part);
        for (const number of [...numbers].sort((a, b) => a - b)) {
          if (found.length >= most) return found;
          if (dead.has(number) || gone?.has(number)) continue;
          const row = this.#read(segment, number);
          if (beginsWith(row, sought)) found.push(row);
        }
      }
      found.push(...tail.rows.filter((row) => row.pool === pool && beginsWith(row, sought)));
    }
    return found;
  }

  /**
   * The times of all rows that count, in log order: those without a session, or all. Undefined when
   * the index cannot tell: after a long tail, and which of the rows without a session are documents.
   */
  times(options: { sessionless: boolean }): TimedRows | undefined {
    const tail = this.#liveTail();
    if (tail === undefined) return undefined;
    const runs: { read: (at: number) => Row; times: Float64Array }[] = [];
    for (const pool of pools) {
      for (const part of this.#partsOf(pool)) {
        const { segment } = part;
        const hasDocuments = segment.findPostings(keyword("type", docType)) !== undefined;
        if (options.sessionless && hasDocuments) return undefined;
        const { rows, times } = pickRows(part, tail.killed.get(part), options.sessionless);
        runs.push({ times, read: (at) => this.#read(segment, rows[at]) });
      }
      const rows = tail.rows.filter((row) =>
        row.pool === pool &&
        (!options.sessionless || row.entry.session_id === undefined && row.entry.type !== docType)
      );
      const times = Float64Array.from(rows, ({ entry }) => Date.parse(entry.ts));
      runs.push({ times, read: (at) => rows[at] });
    }
    const times = new Float64Array(runs.reduce((sum, run) => sum + run.times.length, 0));
    let start = 0;
    const starts = runs.map((run) => {
      times.set(run.times, start);
      start += run.times.length;
      return start - run.times.length;
    });
    return {
      times,
      read: (at) => {
        const run = starts.findLastIndex((first, i) => first <= at && runs[i].times.length > 0);
        return runs[run].read(at - starts[run]);
      },
    };
  }

  /**
   * When each row that counts is from, and a number for its session, in no order; 0 is no session.
   * Undefined when the index cannot tell: after a long tail.
   */
  activity(): { times: Float64Array; sessions: Uint32Array }[] | undefined {
    const tail = this.#liveTail();
    if (tail === undefined) return undefined;
    const found = pools.flatMap((pool) => this.#partsOf(pool)).map((part) => {
      const { rows, times } = pickRows(part, tail.killed.get(part), false);
      const all = sessionsOf(part.segment);
      return { times, sessions: Uint32Array.from(times, (_, i) => all[rows[i]]) };
    });
    return [...found, {
      times: Float64Array.from(tail.rows, ({ entry }) => Date.parse(entry.ts)),
      sessions: Uint32Array.from(tail.rows, ({ entry }) => sessionHash(entry.session_id)),
    }];
  }

  /** The values of a field that indexed rows have, as filters know them. */
  valuesOf(field: KeywordField): string[] {
    const prefix = keywordPrefix(field);
    const terms = this.#parts.flatMap(({ segment }) => [...segment.terms(prefix)]);
    return [...new Set(terms)].map((term) => term.slice(prefix.length));
  }

  [Symbol.dispose](): void {
    for (const { segment } of this.#parts) segment[Symbol.dispose]();
  }

  #partsOf(pool: Pool): SealedPart[] {
    return this.#parts.filter(({ segment }) => segment.pool === pool && segment.rows > 0);
  }

  #addSealed(facts: Map<string, IdFacts>, id: string, { segment, dead }: SealedPart): void {
    const known = facts.get(id);
    if (known === undefined) return;
    for (const number of segment.rowsWithIdHash(idHashOf(id))) {
      if (dead.has(number)) continue;
      const row = this.#read(segment, number);
      if (row.entry.id === id && row.entry.type !== tombstoneType) addOwn(known, row);
    }
    if (segment.totals.superseding === 0) return;
    forEachPosting(segment, keyword("supersedes", id), (number) => {
      if (dead.has(number)) return;
      const row = this.#read(segment, number);
      if (row.entry.supersedes === id && row.entry.id !== id) known.correctors.push(row);
    });
  }

  /** The rows after the segments that count, and the indexed rows that no longer do because of them. */
  #liveTail(): { rows: Row[]; killed: Map<SealedPart, Set<number>> } | undefined {
    const all = pools.flatMap((pool) => [...this.#tail(pool, undefined)]);
    if (all.length > maxTailRows) return undefined;
    const killed = new Map(this.#parts.map((part) => [part, new Set<number>()]));
    const kill = (id: string, { like, isIn }: { like?: Row; isIn: (pool: Pool) => boolean }) => {
      for (const part of this.#parts) {
        if (!isIn(part.segment.pool)) continue;
        for (const number of this.#numbersOf(part, id, like)) killed.get(part)?.add(number);
      }
    };
    const isTombstone = ({ entry }: Row): boolean => entry.type === tombstoneType;
    const forgotten = new Forgotten();
    for (const row of all) if (isTombstone(row)) forgotten.add(row);
    for (const id of forgotten.ids) kill(id, { isIn: () => true });
    for (const id of forgotten.inTeam) kill(id, { isIn: (pool) => pool === "team" });
    const seen = new Set<string>();
    const ids = new Set<string>();
    const rows = all.filter((row) => {
      const { id } = row.entry;
      const key = repeatKey(row.entry);
      const isCopy = row.pool === "team" && ids.has(id);
      if (isTombstone(row) || forgotten.hides(row) || seen.has(key) || isCopy) return false;
      seen.add(key);
      ids.add(id);
      if (this.#isForgotten(row)) return false;
      const rank = pools.indexOf(row.pool);
      const repeats = this.#parts.some((part) =>
        pools.indexOf(part.segment.pool) <= rank && this.#numbersOf(part, id, row).length > 0
      );
      // A row that moved to the archive is still in the hot log for a moment, and others may have it.
      if (!repeats) kill(id, { like: row, isIn: (pool) => pools.indexOf(pool) > rank });
      return !repeats;
    });
    return { rows, killed };
  }

  /** The rows of an id in a segment that count as far as the index knows; or those that a row repeats. */
  #numbersOf({ segment, dead }: SealedPart, id: string, like?: Row): number[] {
    if (segment.rows === 0) return [];
    return segment.rowsWithIdHash(idHashOf(id)).filter((number) => {
      if (dead.has(number)) return false;
      const { entry } = this.#read(segment, number);
      if (entry.id !== id || entry.type === tombstoneType) return false;
      return like === undefined || isRepeat({ entry, pool: segment.pool }, like);
    });
  }

  #tail(pool: Pool, needles: string[] | undefined): Iterable<Row> {
    const from = this.#covered[pool];
    if (from >= this.#snapshot.sizeOf(pool)) return [];
    return this.#snapshot.rows({ pools: [pool], from: { [pool]: from }, needles });
  }

  #isTail({ pool, offset }: Row): boolean {
    return offset >= this.#covered[pool];
  }

  /** Whether an indexed tombstone names an id. Indexed rows need not ask: those it names are dead. */
  #isForgotten({ entry, pool }: Row): boolean {
    return this.#parts.some(({ segment }) =>
      segment.totals.tombstones > 0 && (segment.pool !== "team" || pool === "team") &&
      segment.findPostings(keyword("forgets", entry.id)) !== undefined
    );
  }

  #read(segment: Segment, number: number): Row {
    const place = segment.place(number);
    return toRow(segment, number, { place, entries: this.#snapshot.readAt(place) });
  }

  *#readEach(segment: Segment, numbers: readonly number[]): Generator<Row> {
    const places = numbers.map((number) => segment.place(number));
    let at = 0;
    for (const entries of this.#snapshot.readEach(places)) {
      yield toRow(segment, numbers[at], { place: places[at], entries });
      at++;
    }
  }
}

/** The row of a number among the entries of its line. */
function toRow(
  segment: Segment,
  number: number,
  { place, entries }: { place: Omit<Row, "entry">; entries: readonly Entry[] },
): Row {
  const hash = segment.idHash(number);
  const entry = entries.find(({ id }) => idHashOf(id) === hash);
  if (entry === undefined) throw new IndexDamage(`the ${place.pool} log is not what was indexed`);
  return { entry, ...place };
}

function beginsWith({ entry }: Row, sought: string): boolean {
  return entry.type !== tombstoneType && entry.id.toLowerCase().startsWith(sought);
}

/** The rows of a segment from a time on and before another, in log order. */
function rowsBetween(segment: Segment, [from, to]: readonly [number, number]): number[] {
  const times = timesOf(segment);
  const found: number[] = [];
  for (let row = 0; row < times.length; row++) {
    if (times[row] >= from && times[row] < to) found.push(row);
  }
  return found;
}

function timesOf(segment: Segment): Float64Array {
  return new Float64Array(segment.columnBytes("time").slice().buffer);
}

function sessionsOf(segment: Segment): Uint32Array {
  return new Uint32Array(segment.columnBytes("session").slice().buffer);
}

function pickRows(
  { segment, dead }: SealedPart,
  killed: ReadonlySet<number> | undefined,
  sessionless: boolean,
): { rows: Int32Array; times: Float64Array } {
  const flags = segment.allFlags();
  const all = timesOf(segment);
  const sessions = sessionless ? sessionsOf(segment) : undefined;
  const gone = new Set([...dead, ...killed ?? []]);
  const rows = new Int32Array(segment.rows);
  const times = new Float64Array(segment.rows);
  let count = 0;
  for (let row = 0; row < segment.rows; row++) {
    if ((flags[row] & rowFlags.tombstone) !== 0 || sessions && sessions[row] !== 0) continue;
    if (gone.size > 0 && gone.has(row)) continue;
    rows[count] = row;
    times[count++] = all[row];
  }
  return { rows, times: times.subarray(0, count) };
}

/** Those of some rows that have one of some values, in log order. */
function pickWith(
  segment: Segment,
  rows: ReadonlySet<number>,
  { prompts, values }: RowChoice,
): number[] {
  const flags = prompts ? rowFlags.prompt : 0;
  const found = new Set([...rows].filter((row) => (segment.flags(row) & flags) !== 0));
  for (const [field, value] of values) {
    forEachPosting(segment, keyword(field, value), (row) => {
      if (rows.has(row)) found.add(row);
    });
  }
  return [...found].sort((a, b) => a - b);
}

function forEachPosting(segment: Segment, term: string, visit: (row: number) => void): void {
  const list = segment.findPostings(term);
  if (list !== undefined) forEachRow(list.bytes, visit);
}
