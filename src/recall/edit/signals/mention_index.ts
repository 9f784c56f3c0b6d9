// The decisions and sections of documents in a store by the words and files they name, through the
// index that search uses. What was forgotten or superseded is never given out.

import { authorOf, type Entry } from "../../../core/entry.ts";
import { isInstructionLike } from "../../../core/instruction_like.ts";
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
import { termsOf } from "../../../search/rank/terms_of.ts";
import type { Store } from "../../../store/store.ts";
import { type DescribedEntry, describeEntry } from "./describe_entry.ts";

/** An entry that says something about files or symbols. */
export interface Mention extends DescribedEntry {
  entry: Entry;
}

/** More rows with the same words are not looked at: the newest are. */
const maxRows = 60;
const types = ["decision", "doc"].map((type) => keyword("type", type));

const noRows = new Uint8Array(0);

/** What mentions are looked for in: a set of numbers, and a mark for each of those and of sections. */
interface Base {
  decisions: ReadonlySet<number>;
  marks: Uint8Array;
}

/** The mentions of a store; close it. */
export class MentionIndex implements Disposable {
  readonly #store: Store;
  #index: SearchIndex;
  #corpus: Corpus | undefined;
  /** The decisions and sections that count, by their global numbers. */
  #base: Base | undefined;
  /** Those of them that have a term. */
  readonly #having = new Map<string, ReadonlySet<number>>();
  readonly #mentions = new Map<number, Mention | undefined>();

  constructor(store: Store) {
    this.#store = store;
    // A damaged index is noticed in the middle of an answer, which then goes on without it.
    giveTailBuilder(buildTail);
    this.#index = openIndex(store, { warn() {} });
  }

  /** Those that list a file as what they are about. */
  findByFile(path: string): Mention[] {
    const { workspace } = this.#store.layout;
    const names = [path, `./${path}`, `${workspace}/${path}`];
    return names.flatMap((name) => this.#find([keyword("file", name)]));
  }

  /** Those that have all words of a text, in any form. */
  findByWords(text: string): Mention[] {
    const terms = termsOf(text).filter(({ kind }) => kind === "word").map(({ term }) => term);
    return terms.length === 0 ? [] : this.#find(terms);
  }

  /** The rows of decisions that have a word; of all without one. */
  findDecisions(term?: string): ReadonlySet<number> {
    return this.#ask((corpus) => {
      const { decisions } = this.#readBase(corpus);
      return term === undefined ? decisions : decisions.intersection(this.#rowsOf(term, corpus));
    });
  }

  /** A row as a mention; undefined for what is not told unasked. */
  read(global: number): Mention | undefined {
    return this.#ask((corpus) => {
      if (!this.#mentions.has(global)) this.#mentions.set(global, this.#parse(corpus, global));
      return this.#mentions.get(global);
    });
  }

  /** Whether a row was read. */
  isRead(global: number): boolean {
    return this.#mentions.has(global);
  }

  [Symbol.dispose](): void {
    this.#index[Symbol.dispose]();
  }

  #parse(corpus: Corpus, global: number): Mention | undefined {
    const { segment, row } = locate(corpus, global);
    const entry = this.#index.log.read(segment, row);
    const author = authorOf({ entry, pool: segment.pool });
    // What others decided is told; nothing else of theirs, nor what tells agents to act.
    const isHeld = author !== undefined &&
      (entry.type !== "decision" || isInstructionLike(entry.text));
    const described = isHeld ? undefined : describeEntry(entry, author);
    return described && { ...described, entry };
  }

  #find(terms: readonly string[]): Mention[] {
    const rows = this.#ask((corpus) => {
      let left: ReadonlySet<number> | undefined;
      for (const term of terms) {
        const having = this.#rowsOf(term, corpus);
        left = left?.intersection(having) ?? having;
        if (left.size === 0) break;
      }
      return [...left ?? []];
    });
    return rows.sort((a, b) => b - a).slice(0, maxRows)
      .flatMap((global) => this.read(global) ?? []);
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
      this.#mentions.clear();
      return question(this.#corpus = this.#index.openCorpus(isWanted));
    }
  }
}
