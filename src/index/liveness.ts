// Which rows count: the first row of an id lives unless a tombstone names it; a live row that
// supersedes another one marks it. Segments never change, so this is worked out over all of them
// when rows are new, and kept in the manifest for the sealed ones.

import { keyword, type KeywordField, keywordPrefix, rowFlags } from "./analyze.ts";
import { inLogOrder, type Liveness, type Replacement } from "./corpus.ts";
import type { LogReader } from "./log_reader.ts";
import { forEachRow } from "./postings.ts";
import type { Segment } from "./segment.ts";
import { idHashOf } from "./segment_builder.ts";

/** A segment and what is already known of its rows; nothing is known of a fresh one. */
export interface SegmentFacts {
  segment: Segment;
  fresh: boolean;
  dead?: ReadonlySet<number>;
  superseded?: ReadonlySet<number>;
}

/** Works out the liveness of segments, which must be in log order. */
export function resolveLiveness(facts: readonly SegmentFacts[], log: LogReader): Liveness {
  return new Resolver(facts, log).resolve();
}

/** What replaces a superseded row: the last live row that says so. */
export function findReplacement(
  view: { segments: readonly Segment[]; bases: readonly number[]; liveness: Liveness },
  old: { id: string; log: LogReader },
): Replacement | undefined {
  const term = keyword("supersedes", old.id);
  for (let i = view.segments.length - 1; i >= 0; i--) {
    const segment = view.segments[i];
    const list = segment.totals.superseding > 0 ? segment.findPostings(term) : undefined;
    if (list === undefined) continue;
    let found: Replacement | undefined;
    forEachRow(list.bytes, (row) => {
      if (view.liveness.dead[i]?.has(row)) return;
      const { id } = old.log.read(segment, row);
      if (id !== old.id) found = { id, global: view.bases[i] + row };
    });
    if (found) return found;
  }
  return undefined;
}

/** A row by its segment's number. */
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
      this.#killRepeats();
      this.#killForgotten();
      this.#markSuperseded();
    }
    return {
      dead: this.#dead.map((rows) => rows.size > 0 ? rows : undefined),
      superseded: this.#superseded.map((rows) => rows.size > 0 ? rows : undefined),
    };
  }

  /** Whether a fresh segment has a row with this hash. */
  #isFresh(hash: number): boolean {
    return this.#facts.some(({ segment, fresh }) =>
      fresh && segment.rowsWithIdHash(hash).length > 0
    );
  }

  #killRepeats(): void {
    for (const hash of this.#repeatedHashes()) this.#killAllButFirst(this.#rowsWithHash(hash));
  }

  /** The hashes that a fresh row shares with another row. */
  #repeatedHashes(): Iterable<number> {
    const fresh = this.#facts.filter((fact) => fact.fresh);
    const count = fresh.reduce((sum, { segment }) => sum + segment.rows, 0);
    if (count > manyRows) return repeatsIn(this.#facts.map(({ segment }) => segment));
    const seen = new Set<number>();
    const repeated = new Set<number>();
    for (const { segment } of fresh) {
      for (let row = 0; row < segment.rows; row++) {
        const hash = segment.idHash(row);
        const known = seen.has(hash) ||
          this.#facts.some((fact) => !fact.fresh && fact.segment.rowsWithIdHash(hash).length > 0);
        if (known) repeated.add(hash);
        seen.add(hash);
      }
    }
    return repeated;
  }

  /** Of rows with one hash, in log order, the first of each id stays. */
  #killAllButFirst(rows: At[]): void {
    const seen = new Set<string>();
    for (const at of rows) {
      if (this.#isTombstone(at)) continue;
      const id = this.#idOf(at);
      if (seen.has(id)) this.#kill(at);
      seen.add(id);
    }
  }

  #killForgotten(): void {
    for (const { segment, fresh: isFresh } of this.#facts) {
      if (segment.totals.tombstones === 0) continue;
      for (const id of keywordValues(segment, "forgets")) {
        if (!isFresh && !this.#isFresh(idHashOf(id))) continue;
        for (const at of this.#rowsWithId(id)) if (!this.#isTombstone(at)) this.#kill(at);
      }
    }
  }

  #markSuperseded(): void {
    if (this.#facts.every(({ segment }) => segment.totals.superseding === 0)) return;
    const all = this.#killed > 0;
    if (all) { for (const rows of this.#superseded) rows.clear(); }
    this.#facts.forEach(({ segment, fresh: isFresh }, i) => {
      if (segment.totals.superseding === 0) return;
      const prefix = keywordPrefix("supersedes");
      for (const { term, postings } of segment.lists(prefix)) {
        const id = term.slice(prefix.length);
        if (!all && !isFresh && !this.#isFresh(idHashOf(id))) continue;
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

  #idOf({ i, row }: At): string {
    return this.#log.read(this.#facts[i].segment, row).id;
  }

  #isTombstone({ i, row }: At): boolean {
    return (this.#facts[i].segment.flags(row) & rowFlags.tombstone) !== 0;
  }

  #kill({ i, row }: At): void {
    if (this.#dead[i].has(row)) return;
    this.#dead[i].add(row);
    this.#superseded[i].delete(row);
    this.#killed++;
  }
}

/** The hashes that more than one row has: four bytes a row, where a map would take a hundred. */
function repeatsIn(segments: readonly Segment[]): Set<number> {
  const all = new Uint32Array(segments.reduce((sum, { rows }) => sum + rows, 0));
  let at = 0;
  for (const segment of segments) {
    const bytes = segment.columnBytes("id").slice();
    all.set(new Uint32Array(bytes.buffer), at);
    at += segment.rows;
  }
  all.sort();
  const repeated = new Set<number>();
  for (let i = 1; i < all.length; i++) if (all[i] === all[i - 1]) repeated.add(all[i]);
  return repeated;
}

function* keywordValues(segment: Segment, field: KeywordField): Generator<string> {
  const prefix = keywordPrefix(field);
  for (const term of segment.terms(prefix)) yield term.slice(prefix.length);
}

/** Facts in log order. */
export function factsInLogOrder(facts: readonly SegmentFacts[]): SegmentFacts[] {
  return inLogOrder(facts.map((fact) => ({ ...fact, pool: fact.segment.pool })));
}
