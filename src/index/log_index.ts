// Finds rows by id and by session through the index, for readers that rank nothing: no tokenizer, no
// corpus, a few pages of a segment. Only says where rows are: every row is read from the caller's
// snapshot of the logs and compared, and what is not indexed yet is read there from end to end.

import { type Pool, pools, tombstoneType } from "../core/entry.ts";
import { addFacts, type IdFacts, noFacts, toNeedles } from "../store/find.ts";
import { type Row, type Snapshot, tombstoneNeedle } from "../store/snapshot.ts";
import type { Store } from "../store/store.ts";
import { IndexDamage } from "./byte_source.ts";
import { idHashOf } from "./id_hash.ts";
import { keyword } from "./keyword.ts";
import { coveredBytes, fromGaps, readManifest, type SegmentRecord } from "./manifest.ts";
import { forEachRow } from "./postings.ts";
import { edgesOf, openSealed } from "./sealed.ts";
import type { Segment } from "./segment.ts";

/** A merge may replace the files between two reads; then the manifest is read once more. */
const attempts = 2;

/**
 * Asks the index of a store about a snapshot of its logs. Undefined when there is no index, or it
 * is damaged or not of these logs: then the caller reads the logs.
 */
export function useLogIndex<T>(
  store: Pick<Store, "files" | "layout">,
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
  return undefined;
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
  if ("fault" in read) return undefined;
  const { segments } = read.manifest;
  if (segments.length === 0 || !segments.every((record) => isOf(snapshot, record))) {
    return undefined;
  }
  const parts: SealedPart[] = [];
  try {
    for (const record of segments) {
      const segment = openSealed(store, record, { resident: false });
      parts.push({ segment, dead: fromGaps(record.dead) });
    }
  } catch (error) {
    for (const { segment } of parts) segment[Symbol.dispose]();
    throw error;
  }
  return new LogIndex(snapshot, { parts, covered: coveredBytes(segments) });
}

function isOf(snapshot: Snapshot, record: SegmentRecord): boolean {
  return record.to <= snapshot.sizeOf(record.pool) && edgesOf(snapshot, record) === record.edges;
}

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
    for (const [id, known] of facts) {
      if (known.row && this.#isTail(known.row)) known.forgotten ||= this.#isForgotten(id);
    }
    return facts;
  }

  /** The rows of a session that count, in log order. */
  sessionRows(sessionId: string): Row[] {
    const needles = toNeedles([sessionId]);
    const forgotten = new Set<string>();
    const found: Row[] = [];
    for (const pool of pools) {
      for (const { segment, dead } of this.#partsOf(pool)) {
        forEachPosting(segment, keyword("session", sessionId), (number) => {
          if (!dead.has(number)) found.push(this.#read(segment, number));
        });
      }
      for (const row of this.#tail(pool, needles && [...needles, tombstoneNeedle])) {
        if (row.entry.type !== tombstoneType) found.push(row);
        else for (const id of row.entry.refs ?? []) forgotten.add(id);
      }
    }
    const seen = new Set<string>();
    return found.filter((row) => {
      const { id, session_id } = row.entry;
      if (session_id !== sessionId || seen.has(id) || forgotten.has(id)) return false;
      seen.add(id);
      return !this.#isTail(row) || !this.#isForgotten(id);
    });
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
    for (const number of known.row ? [] : segment.rowsWithIdHash(idHashOf(id))) {
      if (dead.has(number)) continue;
      const row = this.#read(segment, number);
      if (row.entry.id === id && row.entry.type !== tombstoneType) known.row ??= row;
    }
    if (segment.totals.superseding === 0) return;
    forEachPosting(segment, keyword("supersedes", id), (number) => {
      if (dead.has(number)) return;
      const row = this.#read(segment, number);
      if (row.entry.supersedes === id && row.entry.id !== id) known.correctors.push(row);
    });
  }

  /** The rows of a pool after its segments. */
  #tail(pool: Pool, needles: string[] | undefined): Iterable<Row> {
    const from = this.#covered[pool];
    if (from >= this.#snapshot.sizeOf(pool)) return [];
    return this.#snapshot.rows({ pools: [pool], from: { [pool]: from }, needles });
  }

  #isTail({ pool, offset }: Row): boolean {
    return offset >= this.#covered[pool];
  }

  /** Whether an indexed tombstone names an id. Indexed rows need not ask: those it names are dead. */
  #isForgotten(id: string): boolean {
    return this.#parts.some(({ segment }) =>
      segment.totals.tombstones > 0 && segment.findPostings(keyword("forgets", id)) !== undefined
    );
  }

  #read(segment: Segment, number: number): Row {
    const place = segment.place(number);
    const hash = segment.idHash(number);
    const entry = this.#snapshot.readAt(place).find(({ id }) => idHashOf(id) === hash);
    if (entry === undefined) throw new IndexDamage(`the ${place.pool} log is not what was indexed`);
    return { entry, ...place };
  }
}

function forEachPosting(segment: Segment, term: string, visit: (row: number) => void): void {
  const list = segment.findPostings(term);
  if (list !== undefined) forEachRow(list.bytes, visit);
}
