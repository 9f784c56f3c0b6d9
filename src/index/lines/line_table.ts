// Which session wrote a line: the lines of all recorded edits by their hash, as derived data. One file up
// to some place in the logs, and over it the rows that came since, read on opening. What was forgotten or
// superseded is never given out, and leaves the file when it is next written. A log that was rewritten
// makes the table anew.

import { type Entry, type Pool, pools, tombstoneType } from "../../core/entry.ts";
import { isUnwritable } from "../../core/errors.ts";
import { hash64 } from "../../core/hash.ts";
import { Pacer } from "../../core/pacer.ts";
import { toKey } from "../../core/rows/line_hash.ts";
import { IndexDamage, MemorySource } from "../../pages/byte_source.ts";
import { openSealedFile } from "../../pages/paged_file.ts";
import { edgesOf } from "../../store/log_edges.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { Store } from "../../store/store.ts";
import { encodeLines, withLater, withoutDropped } from "./line_columns.ts";
import { LineDraft } from "./line_draft.ts";
import { type LineKind, lineMagic, linesPathOf, type LogMark } from "./line_format.ts";
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

type Logs = Record<Pool, LogMark>;

/** A line that is in more places than this says nothing. */
const maxClaims = 256;
/** So much of the logs is read on opening; beyond it the table is written. */
const rewriteBytes = 256 << 10;
/** So much is worked in beside another command; more waits for one that asks for it. */
const maxFollowBytes = 16 << 20;
/** A commit asks for hundreds of lines all over the table: one up to this size is read at once. */
const maxResidentBytes = 16 << 20;

/** Who claims which line; close it. */
export class LineTable implements Disposable {
  readonly #runs: readonly LineRun[];
  readonly #dropped: Dropped;
  #sessions?: number;
  #earliest?: number;

  constructor(runs: readonly LineRun[], dropped: Dropped) {
    this.#runs = runs;
    this.#dropped = dropped;
  }

  /** How many sessions there are that changed a line. */
  get sessions(): number {
    return this.#sessions ??= new Set(this.#runs.flatMap((run) => run.names.sessions)).size;
  }

  /** When the first edit was, in milliseconds; what is older was written by no session. */
  get earliest(): number {
    return this.#earliest ??= Math.min(...this.#runs.map((run) => run.earliest));
  }

  /** The claims to a line, in the order of the log. */
  find(high: number, low: number): LineClaim[] {
    return this.#runs.flatMap((run) =>
      run.find(high, low, maxClaims).flatMap(({ edit, kind, order }) => {
        const { time, place, length, session, path, idHigh, idLow } = run.editAt(edit);
        if (this.#dropped.has(idHigh, idLow)) return [];
        const pool: Pool = place % 2 === 1 ? "hot" : "archive";
        return [{
          session,
          time,
          path,
          kind,
          order,
          place: { pool, offset: Math.floor(place / 2), length },
        }];
      })
    );
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
  if (run !== undefined && countUnread(snapshot, run.names.logs) < rewriteBytes) {
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

/** How it is read. */
export interface OpenLinesOptions {
  /** A larger table is read by pages as lines are asked for. */
  residentBytes?: number;
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
  if (countUnread(snapshot, run?.names.logs) <= maxUnreadBytes) {
    return await openWith(snapshot, { run });
  }
  run?.[Symbol.dispose]();
  return undefined;
}

async function openWith(
  snapshot: Snapshot,
  { run, signal }: { run?: LineRun; signal?: AbortSignal },
): Promise<LineTable> {
  using opened = new DisposableStack();
  if (run !== undefined) opened.use(run);
  const tail = new LineDraft();
  const dropped = new Dropped();
  await readRows(snapshot, { draft: tail, dropped, logs: run?.names.logs, signal });
  const runs = run === undefined ? [] : [run];
  if (tail.lines > 0) {
    const nowhere = { archive: { offset: 0, edges: 0 }, hot: { offset: 0, edges: 0 } };
    const bytes = encodeLines(tail.toParts(), nowhere);
    runs.push(opened.use(new LineRun(new MemorySource(bytes))));
  }
  const table = new LineTable(runs, dropped);
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
  using run = anew ? undefined : findRun(store, snapshot);
  const logs = run?.names.logs;
  const unread = countUnread(snapshot, logs);
  if (run !== undefined && unread < rewriteBytes) return;
  if (!full && unread > maxFollowBytes) return;
  const tail = new LineDraft();
  const dropped = new Dropped();
  await readRows(snapshot, { draft: tail, dropped, logs, signal });
  const marks = marksOf(snapshot);
  const isDropped = (high: number, low: number): boolean => dropped.has(high, low);
  // A later row of the tail may drop an earlier one.
  const fresh = withoutDropped(tail.toParts(), isDropped);
  const whole = run === undefined
    ? fresh
    : withLater(withoutDropped(run.readParts(), isDropped), fresh);
  store.files.makeDirectory(store.layout.index);
  store.files.replace(linesPathOf(store.layout), encodeLines(whole, marks), { sync: false });
  removeIfErased(store, marks);
}

/** Whoever erases text removes the index when its logs are written: what came after that goes here. */
function removeIfErased(store: Store, marks: Logs): void {
  using now = store.openSnapshot();
  if (!isSound(now, marks)) store.files.remove(linesPathOf(store.layout));
}

/** Hashes of ids that no longer count. */
class Dropped {
  readonly #keys = new Set<number>();

  add(id: string): void {
    this.#keys.add(toKey(...hash64(id)));
  }

  has(high: number, low: number): boolean {
    return this.#keys.size > 0 && this.#keys.has(toKey(high, low));
  }
}

async function readRows(
  snapshot: Snapshot,
  { draft, dropped, logs, signal }: {
    draft: LineDraft;
    dropped: Dropped;
    logs?: Logs;
    signal?: AbortSignal;
  },
): Promise<void> {
  const pacer = new Pacer(signal);
  const from = logs && { hot: logs.hot.offset, archive: logs.archive.offset };
  for (const row of snapshot.rows({ from })) {
    if (pacer.isDue) await pacer.rest();
    for (const id of droppedBy(row)) dropped.add(id);
    draft.add(row);
  }
}

function droppedBy({ entry }: { entry: Entry }): readonly string[] {
  if (entry.type === tombstoneType) return entry.refs ?? [];
  return entry.supersedes === undefined ? [] : [entry.supersedes];
}

/** The table, when it is whole and the logs still begin with what it was made from. */
function findRun(
  store: Store,
  snapshot: Snapshot,
  { residentBytes = maxResidentBytes }: OpenLinesOptions = {},
): LineRun | undefined {
  using opened = new DisposableStack();
  const reader = opened.use(store.files.openReader(linesPathOf(store.layout)));
  if (reader === undefined) return undefined;
  try {
    const pages = openSealedFile(reader, { label: linesPathOf(store.layout), magic: lineMagic });
    const isSmall = pages.size <= residentBytes;
    const run = new LineRun(isSmall ? new MemorySource(pages.read(0, pages.size)) : pages);
    if (!isSound(snapshot, run.names.logs)) return undefined;
    if (!isSmall) opened.move();
    return run;
  } catch (error) {
    if (error instanceof IndexDamage) return undefined;
    throw error;
  }
}

function isSound(snapshot: Snapshot, logs: Logs): boolean {
  return pools.every((pool) => {
    const { offset: to, edges } = logs[pool];
    return snapshot.sizeOf(pool) >= to && edgesOf(snapshot, { pool, from: 0, to }) === edges;
  });
}

function countUnread(snapshot: Snapshot, logs: Logs | undefined): number {
  return pools.reduce((sum, pool) => sum + snapshot.sizeOf(pool) - (logs?.[pool].offset ?? 0), 0);
}

/** The logs up to their last whole line: a writer may be in the middle of one. */
function marksOf(snapshot: Snapshot): Logs {
  const markOf = (pool: Pool): LogMark => {
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
