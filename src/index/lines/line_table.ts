// Which session wrote a line: the lines of all recorded edits by their hash, as derived data. A file up to
// some place in the logs (`line_files.ts`), and over it the rows that came since, read on opening. What
// was forgotten or superseded is never given out, and leaves the file when that is next written. A log that
// was rewritten makes the table anew.

import { type Entry, type OwnPool, ownPools, type Pool, tombstoneType } from "../../core/entry.ts";
import { isUnwritable } from "../../core/errors.ts";
import { hash64 } from "../../core/hash.ts";
import { breathe, isBreathDue } from "../../core/breathe.ts";
import { toKey } from "../../core/rows/line_hash.ts";
import { IndexDamage, MemorySource } from "../../disk/byte_source.ts";
import { edgesOf } from "../../store/log_files.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { Store } from "../../store/store.ts";
import { encodeLines, withLater, withoutDropped } from "./line_columns.ts";
import { LineDraft } from "./line_draft.ts";
import { openRun, type ReadLinesOptions, removeLines, writeLines } from "./line_files.ts";
import type { LineKind, LogMark, LogMarks } from "./line_format.ts";
import { LineRun } from "./line_run.ts";

/** A line that a session added or removed, or a commit that it made. */
export interface LineClaim {
  session: string;
  /** Milliseconds since the epoch. */
  time: number;
  /** As the session saw it: relative to its project, or absolute outside. */
  path: string;
  kind: LineKind;
  /** Which line of its edit it is. */
  order: number;
  /** Where the entry is in the logs. */
  place: { pool: Pool; offset: number; length: number };
}

/** A line that is in more places than this says nothing. */
const maxClaims = 256;
/** So much of the logs is read on opening; beyond it the table is written. */
const rewriteBytes = 256 << 10;
/** So much is worked in beside another command; more waits for one that asks for it. */
const maxFollowBytes = 16 << 20;

/** Who claims which line; close it. */
export class LineTable implements Disposable {
  readonly #runs: readonly LineRun[];
  readonly #isDropped: IsDropped;
  #sessions?: number;
  #earliest?: number;

  constructor(runs: readonly LineRun[], isDropped: IsDropped) {
    this.#runs = runs;
    this.#isDropped = isDropped;
  }

  /** How many sessions there are that changed a line. */
  get sessions(): number {
    return this.#sessions ??= this.#runs.length === 1
      ? this.#runs[0].head.sessions
      : new Set(this.#runs.flatMap((run) => run.names.sessions)).size;
  }

  /** When the first edit was, in milliseconds; what is older was written by no session. */
  get earliest(): number {
    return this.#earliest ??= Math.min(...this.#runs.map((run) => run.head.earliest));
  }

  /** Every edit with lines that say something, each once, in no particular order. */
  *edits(): Generator<Omit<LineClaim, "kind" | "order">> {
    for (const run of this.#runs) {
      for (let edit = 0; edit < run.head.edits; edit++) {
        const found = this.#editAt(run, edit);
        if (found !== undefined) yield found;
      }
    }
  }

  /** The claims to a line, in the order of the log. */
  find(high: number, low: number): LineClaim[] {
    return this.#runs.flatMap((run) =>
      run.find(high, low, maxClaims).flatMap(({ edit, kind, order }) => {
        const found = this.#editAt(run, edit);
        return found === undefined ? [] : [{ ...found, kind, order }];
      })
    );
  }

  /** An edit; undefined when it was forgotten or superseded. */
  #editAt(run: LineRun, edit: number): Omit<LineClaim, "kind" | "order"> | undefined {
    const { time, place, length, session, path, idHigh, idLow } = run.editAt(edit);
    if (this.#isDropped(idHigh, idLow)) return undefined;
    const pool: OwnPool = place % 2 === 1 ? "hot" : "archive";
    return { session, time, path, place: { pool, offset: Math.floor(place / 2), length } };
  }

  [Symbol.dispose](): void {
    for (const run of this.#runs) run[Symbol.dispose]();
  }
}

/** Does work with the table as the logs are now; a damaged one is made anew. */
export async function withLines<T>(
  store: Store,
  { work, ...options }: OpenLinesOptions & { work: (table: LineTable) => T | Promise<T> },
): Promise<T> {
  const once = async ({ anew }: RefreshLinesOptions): Promise<T> => {
    using table = await openFresh(store, { ...options, full: true, anew });
    return await work(table);
  };
  try {
    return await once({});
  } catch (error) {
    if (!(error instanceof IndexDamage)) throw error;
    return await once({ anew: true });
  }
}

/** Opens the table; one that is not there, or too far behind, is written first. */
async function openFresh(
  store: Store,
  options: OpenLinesOptions & RefreshLinesOptions,
): Promise<LineTable> {
  using snapshot = store.openSnapshot();
  const run = options.anew ? undefined : findRun(store, snapshot, options);
  if (run !== undefined && countUnread(snapshot, run) < rewriteBytes) {
    return await openWith(snapshot, { run, signal: options.signal });
  }
  run?.[Symbol.dispose]();
  try {
    await refreshLines(store, options);
  } catch (error) {
    // What cannot be written is held in memory.
    if (!isUnwritable(error)) throw error;
  }
  return await openLines(store, options);
}

export interface OpenLinesOptions extends ReadLinesOptions {
  signal?: AbortSignal;
}

/** Opens the table with what the logs have beyond it. Writes nothing. */
export async function openLines(store: Store, options: OpenLinesOptions = {}): Promise<LineTable> {
  using snapshot = store.openSnapshot();
  const run = findRun(store, snapshot, options);
  return await openWith(snapshot, { run, signal: options.signal });
}

/** Opens the table where that is quick; undefined when more of the logs would have to be read. */
export async function findLines(
  store: Store,
  { maxUnreadBytes }: { maxUnreadBytes: number },
): Promise<LineTable | undefined> {
  using snapshot = store.openSnapshot();
  const run = findRun(store, snapshot);
  if (countUnread(snapshot, run) <= maxUnreadBytes) return await openWith(snapshot, { run });
  run?.[Symbol.dispose]();
  return undefined;
}

async function openWith(
  snapshot: Snapshot,
  { run, signal }: { run?: LineRun; signal?: AbortSignal },
): Promise<LineTable> {
  using opened = new DisposableStack();
  const runs = run === undefined ? [] : [opened.use(run)];
  const { draft, isDropped } = await readSince(snapshot, run, signal);
  if (draft.lines > 0) {
    const nowhere = { offset: 0, edges: 0 };
    const bytes = encodeLines(draft.toParts(), { archive: nowhere, hot: nowhere });
    runs.push(opened.use(new LineRun(new MemorySource(bytes))));
  }
  const table = new LineTable(runs, isDropped);
  opened.move();
  return table;
}

/** How much to do. */
export interface RefreshLinesOptions {
  /** Whatever it takes: otherwise no more than a command has time for on the way. */
  full?: boolean;
  /** As if there were no table. */
  anew?: boolean;
  signal?: AbortSignal;
}

/** Brings the table up to the logs when they have grown enough, or when it must be made anew. */
export async function refreshLines(store: Store, options: RefreshLinesOptions = {}): Promise<void> {
  try {
    await update(store, options);
  } catch (error) {
    if (!(error instanceof IndexDamage)) throw error;
    await update(store, { ...options, anew: true });
  }
}

async function update(store: Store, options: RefreshLinesOptions): Promise<void> {
  const { full = false, anew = false, signal } = options;
  using snapshot = store.openSnapshot();
  using opened = new DisposableStack();
  const run = opened.use(anew ? undefined : findRun(store, snapshot));
  const unread = countUnread(snapshot, run);
  if (run !== undefined && unread < rewriteBytes) return;
  if (!full && unread > maxFollowBytes) return;
  const { draft, isDropped } = await readSince(snapshot, run, signal);
  const logs = marksOf(snapshot);
  // A later row may drop an earlier one.
  const fresh = withoutDropped(draft.toParts(), isDropped);
  const whole = run === undefined
    ? fresh
    : withLater(withoutDropped(run.readParts(), isDropped), fresh);
  writeLines(store, whole, logs);
  removeIfErased(store, logs);
}

/** Whoever erases text removes the index when its logs are written: what came after that goes here. */
function removeIfErased(store: Store, logs: LogMarks): void {
  using now = store.openSnapshot();
  if (!isSound(now, logs)) removeLines(store);
}

/** Whether an id, by its hash, no longer counts. */
type IsDropped = (idHigh: number, idLow: number) => boolean;

/** The rows that the table does not have yet, and what they say of those before them. */
async function readSince(
  snapshot: Snapshot,
  run: LineRun | undefined,
  signal?: AbortSignal,
): Promise<{ draft: LineDraft; isDropped: IsDropped }> {
  const draft = new LineDraft();
  const dropped = new Set<number>();
  const logs = run?.head.logs;
  const from = logs && { hot: logs.hot.offset, archive: logs.archive.offset };
  for (const row of snapshot.rows({ pools: ownPools, from })) {
    if (isBreathDue()) await breathe(signal);
    for (const id of droppedBy(row)) dropped.add(toKey(...hash64(id)));
    draft.add(row);
  }
  return { draft, isDropped: (high, low) => dropped.size > 0 && dropped.has(toKey(high, low)) };
}

function droppedBy({ entry }: { entry: Entry }): readonly string[] {
  if (entry.type === tombstoneType) return entry.refs ?? [];
  return entry.supersedes === undefined ? [] : [entry.supersedes];
}

/** The table, when it is whole and the logs still begin with what it was made from. */
function findRun(
  store: Store,
  snapshot: Snapshot,
  options?: ReadLinesOptions,
): LineRun | undefined {
  const run = openRun(store, options);
  if (run === undefined || isSound(snapshot, run.head.logs)) return run;
  run[Symbol.dispose]();
  return undefined;
}

function isSound(snapshot: Snapshot, logs: LogMarks): boolean {
  return ownPools.every((pool) => {
    const { offset: to, edges } = logs[pool];
    return snapshot.sizeOf(pool) >= to && edgesOf(snapshot, { pool, from: 0, to }) === edges;
  });
}

function countUnread(snapshot: Snapshot, run: LineRun | undefined): number {
  return ownPools.reduce(
    (sum, pool) => sum + snapshot.sizeOf(pool) - (run?.head.logs[pool].offset ?? 0),
    0,
  );
}

/** The logs up to their last whole line: a writer may be in the middle of one. */
function marksOf(snapshot: Snapshot): LogMarks {
  const markOf = (pool: OwnPool): LogMark => {
    const offset = wholeSize(snapshot, pool);
    return { offset, edges: edgesOf(snapshot, { pool, from: 0, to: offset }) };
  };
  return { archive: markOf("archive"), hot: markOf("hot") };
}

function wholeSize(snapshot: Snapshot, pool: Pool): number {
  for (let end = snapshot.sizeOf(pool); end > 0;) {
    const from = Math.max(0, end - (64 << 10));
    const last = snapshot.readBytes(pool, from, end - from).lastIndexOf(10);
    if (last >= 0) return from + last + 1;
    end = from;
  }
  return 0;
}
