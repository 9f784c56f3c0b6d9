// Which rows count: the first row of an id in a session lives unless a tombstone names it; a live row that
// supersedes another one marks it. Segments never change, so this is worked out over all of them
// when rows are new, and kept in the manifest for the sealed ones.

import { idHashOf, rowFlags } from "./segment/segment_format.ts";
import type { LogReader } from "./log_reader.ts";
import {
  type Corpus,
  inLogOrder,
  type Liveness,
  type LiveTotals,
  type Replacement,
} from "./segment/corpus.ts";
import { authorOf, type Entry, type Pool } from "../core/entry.ts";
import { concat } from "../core/utf8.ts";
import { pickCorrection } from "../store/find.ts";
import { repeatKey } from "../store/snapshot.ts";
import { keyword, type KeywordField, keywordPrefix } from "./segment/keyword.ts";
import { forEachRow } from "./segment/postings.ts";
import type { Segment } from "./segment/segment.ts";

/** A segment and what is already known of its rows; nothing is known of a fresh one. */
export interface SegmentFacts {
  segment: Segment;
  fresh: boolean;
  dead?: ReadonlySet<number>;
  superseded?: ReadonlySet<number>;
  /** The sums over those that are not dead, where they are kept. */
  live?: LiveTotals;
}

/** Works out the liveness of segments, which must be in log order. */
export function resolveLiveness(facts: readonly SegmentFacts[], log: LogReader): Liveness {
  return new Resolver(facts, log).resolve();
}

/** What replaces a superseded row: the live row that says so, or `pickCorrection` of several. */
export function findReplacement(
  view: { segments: readonly Segment[]; bases: readonly number[]; liveness: Liveness },
  old: { id: string; log: LogReader },
): Replacement | undefined {
  const term = keyword("supersedes", old.id);
  const found: { entry: Entry; pool: Pool; offset: number; global: number }[] = [];
  view.segments.forEach((segment, i) => {
    const list = segment.totals.superseding > 0 ? segment.findPostings(term) : undefined;
    if (list === undefined) return;
    forEachRow(list.bytes, (row) => {
      if (view.liveness.dead[i]?.has(row)) return;
      const entry = old.log.read(segment, row);
      if (entry.id === old.id) return;
      found.push({ entry, ...segment.place(row), global: view.bases[i] + row });
    });
  });
  const last = pickCorrection(found, (item) => old.log.writerOf(item));
  if (last === undefined) return undefined;
  const { entry, pool, global } = last;
  const author = authorOf({ entry, pool });
  return { id: entry.id, global, ...(author === undefined ? {} : { author }) };
}

interface At {
  i: number;
  row: number;
}

const manyRows = 500;

class Resolver {
  readonly #facts: readonly SegmentFacts[];
  readonly #log: LogReader;
  readonly #dead: Set<number>[];
  readonly #superseded: Set<number>[];
  #killed = 0;

  constructor(facts: readonly SegmentFacts[], log: LogReader) {
    this.#facts = facts;
    this.#log = log;
    this.#dead = facts.map(({ dead }) => new Set(dead));
    this.#superseded = facts.map(({ superseded }) => new Set(superseded));
  }

  resolve(): Liveness {
    if (this.#facts.some(({ fresh, segment }) => fresh && segment.rows > 0)) {
      const fresh = new FreshIds(this.#facts);
      this.#killRepeats(fresh);
      this.#killForgotten(fresh);
      this.#markSuperseded(fresh);
    }
    return {
      dead: this.#dead.map((rows) => rows.size > 0 ? rows : undefined),
      superseded: this.#superseded.map((rows) => rows.size > 0 ? rows : undefined),
    };
  }

  #killRepeats(fresh: FreshIds): void {
    for (const hash of fresh.repeated()) this.#killAllButFirst(this.#rowsWithHash(hash));
    this.#facts.forEach(({ segment, fresh: isFresh }) => {
      if (isFresh || segment.rows === 0) return;
      for (const hash of sharedHashes(segment, fresh)) {
        this.#killAllButFirst(this.#rowsWithHash(hash));
      }
    });
  }

  /** Of rows with one hash, in log order, the first of each id in a session stays. */
  #killAllButFirst(rows: At[]): void {
    const seen = new Set<string>();
    const ids = new Set<string>();
    for (const at of rows) {
      if (this.#isTombstone(at)) continue;
      const entry = this.#read(at);
      const key = repeatKey(entry);
      // Others' rows come last: of one's own entries they are copies.
      if (seen.has(key) || this.#isTeam(at) && ids.has(entry.id)) this.#kill(at);
      seen.add(key);
      ids.add(entry.id);
    }
  }

  #killForgotten(fresh: FreshIds): void {
    for (const { segment, fresh: isFresh } of this.#facts) {
      if (segment.totals.tombstones === 0) continue;
      for (const id of keywordValues(segment, "forgets")) {
        const hash = idHashOf(id);
        if (!isFresh && !fresh.has(hash)) continue;
        for (const at of this.#rowsWithId(id)) {
          if (segment.pool === "team" && !this.#isTeam(at)) continue;
          if (!this.#isTombstone(at)) this.#kill(at);
        }
      }
    }
  }

  #markSuperseded(fresh: FreshIds): void {
    if (this.#facts.every(({ segment }) => segment.totals.superseding === 0)) return;
    const all = this.#killed > 0;
    if (all) { for (const rows of this.#superseded) rows.clear(); }
    this.#facts.forEach(({ segment, fresh: isFresh }, i) => {
      if (segment.totals.superseding === 0) return;
      const prefix = keywordPrefix("supersedes");
      for (const { term, postings } of segment.lists(prefix)) {
        const id = term.slice(prefix.length);
        if (!all && !isFresh && !fresh.has(idHashOf(id))) continue;
        let alive = false;
        forEachRow(postings.bytes, (row) => {
          if (!this.#dead[i].has(row) && this.#idOf({ i, row }) !== id) alive = true;
        });
        if (!alive) continue;
        for (const at of this.#rowsWithId(id)) {
          if (!this.#dead[at.i].has(at.row)) this.#superseded[at.i].add(at.row);
        }
      }
    });
  }

  #rowsWithId(id: string): At[] {
    return this.#rowsWithHash(idHashOf(id)).filter((at) => this.#idOf(at) === id);
  }

  #rowsWithHash(hash: number): At[] {
    return this.#facts.flatMap(({ segment }, i) =>
      segment.rowsWithIdHash(hash).map((row) => ({ i, row }))
    );
  }

  #idOf(at: At): string {
    return this.#read(at).id;
  }

  #read({ i, row }: At): Entry {
    return this.#log.read(this.#facts[i].segment, row);
  }

  #isTombstone({ i, row }: At): boolean {
    return (this.#facts[i].segment.flags(row) & rowFlags.tombstone) !== 0;
  }

  #isTeam({ i }: At): boolean {
    return this.#facts[i].segment.pool === "team";
  }

  #kill({ i, row }: At): void {
    if (this.#dead[i].has(row)) return;
    this.#dead[i].add(row);
    this.#superseded[i].delete(row);
    this.#killed++;
  }
}

/** The hashes of the ids in fresh segments, sorted: a million of them take four megabytes. */
class FreshIds {
  readonly #hashes: Uint32Array;

  constructor(facts: readonly SegmentFacts[]) {
    const columns = facts.filter(({ fresh }) => fresh)
      .map(({ segment }) => segment.columnBytes("id"));
    this.#hashes = new Uint32Array(concat(columns).buffer).sort();
  }

  get size(): number {
    return this.#hashes.length;
  }

  has(hash: number): boolean {
    let low = 0;
    let high = this.#hashes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#hashes[middle] < hash) low = middle + 1;
      else high = middle;
    }
    return this.#hashes[low] === hash;
  }

  /** Each hash once. */
  *values(): Generator<number> {
    for (let i = 0; i < this.size; i++) {
      if (i === 0 || this.#hashes[i] !== this.#hashes[i - 1]) yield this.#hashes[i];
    }
  }

  /** The hashes of more than one row, each once. */
  *repeated(): Generator<number> {
    for (let i = 1; i < this.size; i++) {
      const hash = this.#hashes[i];
      if (hash === this.#hashes[i - 1] && hash !== this.#hashes[i - 2]) yield hash;
    }
  }
}

function idsOf(segment: Segment): Uint32Array {
  return new Uint32Array(segment.columnBytes("id").slice().buffer);
}

function* sharedHashes(segment: Segment, fresh: FreshIds): Generator<number> {
  if (fresh.size > manyRows) {
    for (const hash of new Set(idsOf(segment))) if (fresh.has(hash)) yield hash;
    return;
  }
  for (const hash of fresh.values()) if (segment.rowsWithIdHash(hash).length > 0) yield hash;
}

function* keywordValues(segment: Segment, field: KeywordField): Generator<string> {
  const prefix = keywordPrefix(field);
  for (const term of segment.terms(prefix)) yield term.slice(prefix.length);
}

export function factsInLogOrder(facts: readonly SegmentFacts[]): SegmentFacts[] {
  return inLogOrder(facts.map((fact) => ({ ...fact, pool: fact.segment.pool })));
}

/** The live rows of an id, by global number, in log order: one, or one for each session that uses it. */
export function* findRows(corpus: Corpus, log: LogReader, id: string): Generator<number> {
  const hash = idHashOf(id);
  for (let i = 0; i < corpus.segments.length; i++) {
    const segment = corpus.segments[i];
    for (const row of segment.rowsWithIdHash(hash)) {
      if (corpus.liveness.dead[i]?.has(row)) continue;
      if (log.read(segment, row).id === id) yield corpus.bases[i] + row;
    }
  }
}
