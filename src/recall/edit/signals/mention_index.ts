// Mentions through the index that search uses, and what is not indexed yet.

import type { Entry, Pool } from "../../../core/entry.ts";
import { IndexDamage } from "../../../disk/byte_source.ts";
import { buildTail } from "../../../index/build_tail.ts";
import {
  giveTailBuilder,
  openIndex,
  openWithoutIndex,
  type SearchIndex,
} from "../../../index/search_index.ts";
import { type Corpus, locate } from "../../../index/segment/corpus.ts";
import { keyword, keywordPrefix } from "../../../index/segment/keyword.ts";
import { findMarked, forEachRow } from "../../../index/segment/postings.ts";
import type { Store } from "../../../store/store.ts";
import { MentionSource } from "./mention_source.ts";

const types = ["decision", "doc"].map((type) => keyword("type", type));

const noRows = new Uint8Array(0);

/** What mentions are looked for in: a set of numbers, and a mark for each of those and of sections. */
interface Base {
  decisions: ReadonlySet<number>;
  marks: Uint8Array;
}

/** The mentions of a store; close it. */
export class MentionIndex extends MentionSource {
  readonly #store: Store;
  #index: SearchIndex;
  #corpus: Corpus | undefined;
  /** The decisions and sections that count, by their global numbers. */
  #base: Base | undefined;
  /** Those of them that have a term. */
  readonly #having = new Map<string, ReadonlySet<number>>();

  constructor(store: Store) {
    super(store.layout.workspace);
    this.#store = store;
    // A damaged index is noticed in the middle of an answer, which then goes on without it.
    giveTailBuilder(buildTail);
    this.#index = openIndex(store, { warn() {} });
  }

  findDecisions(term?: string): ReadonlySet<number> {
    return this.#ask((corpus) => {
      const { decisions } = this.#readBase(corpus);
      return term === undefined ? decisions : decisions.intersection(this.#rowsOf(term, corpus));
    });
  }

  protected rowsOf(term: string): ReadonlySet<number> {
    return this.#ask((corpus) => this.#rowsOf(term, corpus));
  }

  protected readRow(row: number): { entry: Entry; pool: Pool } {
    return this.#ask((corpus) => {
      const at = locate(corpus, row);
      return { entry: this.#index.log.read(at.segment, at.row), pool: at.segment.pool };
    });
  }

  [Symbol.dispose](): void {
    this.#index[Symbol.dispose]();
  }

  #readBase({ segments, bases, size, liveness }: Corpus): Base {
    if (this.#base !== undefined) return this.#base;
    const base = { decisions: new Set<number>(), marks: new Uint8Array(size) };
    segments.forEach((segment, i) => {
      for (const type of segment.rows > 0 ? types : []) {
        forEachRow(segment.findPostings(type)?.bytes ?? noRows, (row) => {
          if (liveness.dead[i]?.has(row) || liveness.superseded[i]?.has(row)) return;
          base.marks[bases[i] + row] = 1;
          if (type === types[0]) base.decisions.add(bases[i] + row);
        });
      }
    });
    return this.#base = base;
  }

  /** The decisions and sections that have a term: of a common word no set of all its rows is made. */
  #rowsOf(term: string, corpus: Corpus): ReadonlySet<number> {
    const known = this.#having.get(term);
    if (known !== undefined) return known;
    const { marks } = this.#readBase(corpus);
    const rows = new Set<number>();
    corpus.segments.forEach((segment, i) => {
      const from = corpus.bases[i];
      const own = marks.subarray(from, from + segment.rows);
      const list = own.includes(1) ? segment.findPostings(term)?.bytes : undefined;
      for (const row of findMarked(list ?? noRows, own)) rows.add(from + row);
    });
    this.#having.set(term, rows);
    return rows;
  }

  /** Asks the index; when that is damaged, the logs. */
  #ask<T>(question: (corpus: Corpus) => T): T {
    // Of a long tail that is not indexed yet, files and types are enough.
    const isWanted = (term: string): boolean =>
      types.includes(term) || term.startsWith(keywordPrefix("file"));
    try {
      return question(this.#corpus ??= this.#index.openCorpus(isWanted));
    } catch (error) {
      if (!(error instanceof IndexDamage)) throw error;
      this.#index[Symbol.dispose]();
      this.#index = openWithoutIndex(this.#store);
      this.#base = undefined;
      this.#having.clear();
      this.clear();
      return question(this.#corpus = this.#index.openCorpus(isWanted));
    }
  }
}
