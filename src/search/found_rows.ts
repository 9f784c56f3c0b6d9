// The rows of the search that Orama runs, as its components share them.

import type { TokenScore } from "@orama/orama";
import { findRows } from "../index/liveness.ts";
import { locate } from "../index/segment/corpus.ts";
import { rowFlags } from "../index/segment/segment_format.ts";
import type { CorpusView } from "./corpus_view.ts";
import { makeFilters, passesAll } from "./filter.ts";
import type { RankedRow } from "./rank/rank.ts";
import { type OramaDocument, toDocument } from "./row_document.ts";

/** Gives the rows as they are now; of a long tail, those terms that a text has. */
export type OpenView = (text: string) => CorpusView;

/**
 * Some rows and their internal ids for Orama: their places, counted from 1, so that Orama's order of
 * equal scores is ours. They stay while Orama works on them, which it does without a pause.
 */
export class FoundRows {
  readonly #open: OpenView;
  readonly #places = new Map<string, number>();
  #view?: CorpusView;
  #rows: readonly RankedRow[] = [];
  #isAsked = false;
  /** Whether `ctx search` asks: it reads ids from the entries of the rows that it shows. */
  isOwn = false;
  /** Whether Orama is counting facets or groups, or ordering: from when it asks for documents. */
  isCounting = false;
  /** The ids of the rows, read from the log when Orama asks for one. */
  readonly ids: string[] = new Proxy<string[]>([], {
    get: (none, key, receiver) => {
      if (key === "length") return this.#rows.length;
      return Number(key) >= 0 ? this.#readId(Number(key)) : Reflect.get(none, key, receiver);
    },
  });

  constructor(open: OpenView) {
    this.#open = open;
  }

  get view(): CorpusView {
    return this.#view ??= this.#open("");
  }

  /** Takes the view of a search that is about to run. */
  ask(view: CorpusView, isOwn: boolean): void {
    this.show(view, []);
    this.isCounting = false;
    this.isOwn = isOwn;
    this.#isAsked = true;
  }

  /** Shows some rows and gives them as Orama wants them. */
  show(view: CorpusView, rows: readonly RankedRow[]): TokenScore[] {
    this.#view = view;
    this.#rows = rows;
    this.#isAsked = false;
    this.#places.clear();
    return rows.map(({ final }, place) => [place + 1, final]);
  }

  /** Shows all rows that pass a `where`, newest first. */
  list(where: object): TokenScore[] {
    return this.show(this.view, this.view.read(() => this.#select(where)));
  }

  #select(where: object): RankedRow[] {
    const { corpus } = this.view;
    const filters = makeFilters(corpus, where);
    const found: RankedRow[] = [];
    corpus.segments.forEach((segment, i) => {
      for (let row = 0; row < segment.rows; row++) {
        if ((segment.flags(row) & rowFlags.tombstone) !== 0) continue;
        if (corpus.liveness.dead[i]?.has(row) || !passesAll(filters, [i, row])) continue;
        found.push(toUnranked(corpus.bases[i] + row, segment.time(row)));
      }
    });
    return found.sort((a, b) => b.timeMs - a.timeMs || b.global - a.global);
  }

  at(id: string | number): RankedRow {
    const place = typeof id === "string" ? this.#places.get(id) ?? 0 : id;
    return this.#rows[place - 1];
  }

  /** The document of an entry, whether it is shown or not. */
  findDocument(id: string): OramaDocument | undefined {
    const view = this.#open("");
    return view.read(() => {
      const [global] = findRows(view.corpus, view.index.log, id);
      if (global === undefined) return undefined;
      const { segment, row } = locate(view.corpus, global);
      return toDocument(view, toUnranked(global, segment.time(row)));
    });
  }

  /** Entry count: of the running search's view, else of the log now. */
  count(): number {
    return (this.#isAsked ? this.view : this.#open("")).corpus.entries;
  }

  #readId(place: number): string {
    const id = this.isOwn ? `${place}` : this.view.readEntry(this.#rows[place].global).id;
    this.#places.set(id, place + 1);
    return id;
  }
}

/** A `where` on its way to the ranking, which tests rows as it meets them. */
export class SelectedRows extends Set<number> {
  readonly where: object;
  readonly #rows: FoundRows;

  constructor(rows: FoundRows, where: object) {
    super();
    this.#rows = rows;
    this.where = where;
  }

  /** Without a term there is no ranking, and Orama asks for the rows themselves. */
  override [Symbol.iterator](): ReturnType<Set<number>["values"]> {
    return new Set(this.#rows.list(this.where).map(([id]) => id)).values();
  }
}

/** A row that no search has ranked. */
export function toUnranked(global: number, timeMs = 0): RankedRow {
  return { global, timeMs, lexical: 0, context: 0, share: 0, final: 0, source: "lexical" };
}
