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
import { forEachRow } from "../../../index/segment/postings.ts";
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

/** The mentions of a store; close it. */
export class MentionIndex implements Disposable {
  readonly #store: Store;
  #index: SearchIndex;
  #corpus: Corpus | undefined;
  readonly #rows = new Map<string, ReadonlySet<number>>();

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
    return this.#ask(() => {
      const decisions = this.#rowsOf(types[0]);
      return term === undefined ? decisions : this.#within(decisions, term);
    });
  }

  /** A row as a mention; undefined for what is not told unasked. */
  read(global: number): Mention | undefined {
    return this.#ask((corpus) => {
      const { segment, row } = locate(corpus, global);
      const entry = this.#index.log.read(segment, row);
      const author = authorOf({ entry, pool: segment.pool });
      // What others decided is told; nothing else of theirs, nor what tells agents to act.
      const isHeld = author !== undefined &&
        (entry.type !== "decision" || isInstructionLike(entry.text));
      const described = isHeld ? undefined : describeEntry(entry, author);
      return described && { ...described, entry };
    });
  }

  [Symbol.dispose](): void {
    this.#index[Symbol.dispose]();
  }

  #find(terms: readonly string[]): Mention[] {
    const rows = this.#ask(() => {
      const [decisions, docs] = types.map((term) => this.#rowsOf(term));
      return terms.reduce(
        (left: ReadonlySet<number>, term) => this.#within(left, term),
        decisions.union(docs),
      );
    });
    return [...rows].sort((a, b) => b - a).slice(0, maxRows)
      .flatMap((global) => this.read(global) ?? []);
  }

  /** The rows that count of a term, by their global numbers. */
  #rowsOf(term: string): ReadonlySet<number> {
    const known = this.#rows.get(term);
    if (known !== undefined) return known;
    const { segments, bases, liveness } = this.#corpus!;
    const rows = new Set<number>();
    segments.forEach((segment, i) => {
      const list = segment.rows > 0 ? segment.findPostings(term) : undefined;
      if (list === undefined) return;
      forEachRow(list.bytes, (row) => {
        if (liveness.dead[i]?.has(row) || liveness.superseded[i]?.has(row)) return;
        rows.add(bases[i] + row);
      });
    });
    this.#rows.set(term, rows);
    return rows;
  }

  /** Those of some rows that have a term: of a common word no set of all its rows is made. */
  #within(some: ReadonlySet<number>, term: string): ReadonlySet<number> {
    if (some.size === 0) return some;
    const { segments, bases } = this.#corpus!;
    const rows = new Set<number>();
    segments.forEach((segment, i) => {
      const list = segment.rows > 0 ? segment.findPostings(term) : undefined;
      if (list === undefined) return;
      forEachRow(list.bytes, (row) => {
        if (some.has(bases[i] + row)) rows.add(bases[i] + row);
      });
    });
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
      this.#rows.clear();
      return question(this.#corpus = this.#index.openCorpus(isWanted));
    }
  }
}
