// The matches by session: the best row of each of the best sessions, and how many rows each has. Only
// so many rows are held as are wanted, and a number for each session; all matches are counted.

import { type Corpus, locate } from "../../index/segment/corpus.ts";
import type { RankedRow, RowGroups } from "./rank.ts";
import { TopRows } from "./top_rows.ts";

/** What a ranking is grouped with. Rows without a session stand for themselves. */
export class SessionGroups implements RowGroups {
  readonly #corpus: Corpus;
  readonly #top: TopRows;
  /** The rows of the sessions that are among the best. */
  readonly #best = new Map<number, RankedRow>();
  readonly #counts = new Map<number, number>();
  #alone = 0;

  /** For the best `limit` groups. */
  constructor(
    limit: number,
    { corpus, idOf }: { corpus: Corpus; idOf: (global: number) => string },
  ) {
    this.#corpus = corpus;
    this.#top = new TopRows(limit, idOf);
  }

  get total(): number {
    return this.#counts.size + this.#alone;
  }

  count(segmentNumber: number, row: number): void {
    const session = this.#corpus.segments[segmentNumber].session(row);
    if (session === 0) this.#alone++;
    else this.#counts.set(session, (this.#counts.get(session) ?? 0) + 1);
  }

  least(segmentNumber: number, row: number): number {
    const session = this.#corpus.segments[segmentNumber].session(row);
    return this.#best.get(session)?.final ?? this.#top.least();
  }

  add(row: RankedRow): void {
    const session = this.#sessionOf(row);
    const known = session === 0 ? undefined : this.#best.get(session);
    if (known !== undefined && this.#top.isBefore(known, row)) return;
    if (known !== undefined) this.#top.remove(known);
    if (session !== 0) this.#best.set(session, row);
    const last = this.#top.add(row);
    if (last !== undefined) this.#best.delete(this.#sessionOf(last));
  }

  pick(ranked: readonly RankedRow[]): RankedRow[] {
    const seen = new Set<number>();
    return [...ranked, ...this.#top.rows()].flatMap((row) => {
      const session = this.#sessionOf(row);
      const group = session === 0 ? -1 - row.global : session;
      if (seen.has(group)) return [];
      seen.add(group);
      return [{ ...row, more: (this.#counts.get(session) ?? 1) - 1 }];
    });
  }

  #sessionOf({ global }: RankedRow): number {
    const { segment, row } = locate(this.#corpus, global);
    return segment.session(row);
  }
}
