// The decisions and sections of documents in a store by the words and files they name. What was
// forgotten or superseded is never given out.

import { authorOf, type Entry, type Pool } from "../../../core/entry.ts";
import { isInstructionLike } from "../../../core/instruction_like.ts";
import { keyword } from "../../../index/segment/keyword.ts";
import { termsOf } from "../../../search/rank/terms_of.ts";
import { type DescribedEntry, describeEntry } from "./describe_entry.ts";

/** An entry that says something about files or symbols. */
export interface Mention extends DescribedEntry {
  entry: Entry;
}

/** More rows with the same words are not looked at: the newest are. */
const maxRows = 60;

/** The mentions of a store, by rows that are numbered in log order; close it. */
export abstract class MentionSource implements Disposable {
  readonly #workspace: string;
  readonly #read = new Map<number, Mention | undefined>();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** The decisions and sections that have a term. */
  protected abstract rowsOf(term: string): ReadonlySet<number>;

  /** The rows of decisions that have a word; of all without one. */
  abstract findDecisions(term?: string): ReadonlySet<number>;

  protected abstract readRow(row: number): { entry: Entry; pool: Pool };

  abstract [Symbol.dispose](): void;

  /** Those that list a file as what they are about. */
  findByFile(path: string): Mention[] {
    const names = [path, `./${path}`, `${this.#workspace}/${path}`];
    return names.flatMap((name) => this.#find([keyword("file", name)]));
  }

  /** Those that have all words of a text, in any form. */
  findByWords(text: string): Mention[] {
    const terms = termsOf(text).filter(({ kind }) => kind === "word").map(({ term }) => term);
    return terms.length === 0 ? [] : this.#find(terms);
  }

  /** A row as a mention; undefined for what is not told unasked. */
  read(row: number): Mention | undefined {
    if (!this.#read.has(row)) this.#read.set(row, toMention(this.readRow(row)));
    return this.#read.get(row);
  }

  isRead(row: number): boolean {
    return this.#read.has(row);
  }

  /** Forgets what was read, where rows get other numbers. */
  protected clear(): void {
    this.#read.clear();
  }

  #find(terms: readonly string[]): Mention[] {
    let left: ReadonlySet<number> | undefined;
    for (const term of terms) {
      const having = this.rowsOf(term);
      left = left?.intersection(having) ?? having;
      if (left.size === 0) break;
    }
    return [...left ?? []].sort((a, b) => b - a).slice(0, maxRows)
      .flatMap((row) => this.read(row) ?? []);
  }
}

function toMention(row: { entry: Entry; pool: Pool }): Mention | undefined {
  const { entry } = row;
  const author = authorOf(row);
  // What others decided and saved is told; nothing else of theirs, nor what tells agents to act.
  const isHeld = author !== undefined &&
    (entry.type !== "decision" || entry.record !== undefined || isInstructionLike(entry.text));
  const described = isHeld ? undefined : describeEntry(entry, author);
  return described && { ...described, entry };
}
