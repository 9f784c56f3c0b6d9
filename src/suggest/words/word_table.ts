// Which files hold which names, as readers see it: an immutable table, and over it the few files that
// changed since. Lookups give numbers of files; a path is read only for files that matter.

import type { Files } from "../../store/files/files.ts";
import type { Layout } from "../../store/files/layout.ts";
import { openChanged } from "../tables/changed_table.ts";
import { nameOf } from "../graph/code_graph.ts";
import type { RecordTable } from "../tables/record_table.ts";
import type { TermProfile } from "./term_weight.ts";
import { type FileWords, stemWords } from "./word_facts.ts";

/** What the table says about itself, for the builder. */
export interface WordMeta {
  version: number;
  files: [path: string, size: number, mtime: number][];
}

/** A line of the delta: a file as it is now, or that it is gone. */
export type WordRow = ChangedWords | { path: string; gone: true };

/** A file as it is now, with all its terms; beside a table of the first version without. */
export interface ChangedWords extends Omit<FileWords, "terms">, Partial<TermProfile> {
  size: number;
  mtime: number;
  terms?: Record<string, number>;
}

/** The record of a file. Tables of the first version had only the path. */
export type WordRecord = string | [path: string, norm: number, telling: Record<string, number>];

/** Changes when words change their meaning: an older table is then built anew. */
export const wordVersion = 2;

/** Where the words are kept. */
export function wordPaths(layout: Layout): { table: string; delta: string } {
  return { table: `${layout.index}/graph.words.bin`, delta: `${layout.index}/graph.words.ndjson` };
}

/** The words of a workspace; close it. */
export class WordTable implements Disposable {
  readonly table: RecordTable;
  readonly delta: Map<string, WordRow>;
  /** Files that changed, numbered after those of the table, with their keys. */
  readonly #changed: { row: ChangedWords; path: string; keys: Set<string> }[] = [];
  readonly #stale = new Set<number>();

  constructor(table: RecordTable, delta: Map<string, WordRow>) {
    this.table = table;
    this.delta = delta;
    for (const row of delta.values()) {
      for (const id of table.find(`f:${row.path}`)) this.#stale.add(id);
      if (!("gone" in row)) {
        this.#changed.push({ row, path: row.path, keys: new Set(wordKeys(row)) });
      }
    }
  }

  /** How many files there are, about. */
  get count(): number {
    return this.table.count;
  }

  /** In how many files a name stands, about. */
  countOf(name: string): number {
    return this.table.countOf(`w:${name}`);
  }

  /** The files in whose text a name stands. */
  findHolders(name: string): number[] {
    return this.#find(`w:${name}`);
  }

  /** The files whose text names a file just so. */
  findNamingSo(file: string): number[] {
    return this.#find(`n:${file}`);
  }

  /** How many files say a word that some file is called by, about. */
  countSaying(word: string): number {
    return this.table.countOf(`v:${word}`);
  }

  /** How many files have a word in their name, about. */
  countCalled(word: string): number {
    return this.table.countOf(`s:${word}`);
  }

  /** The files that have a word in their name. */
  findCalled(word: string): number[] {
    return this.#find(`s:${word}`);
  }

  /** The files whose text names a file: by its path, or by its name when no other has that name. */
  findNaming(path: string): number[] {
    const found = new Set<number>();
    const parts = path.split("/");
    const alone = this.table.countOf(`b:${nameOf(path)}`) <= 1;
    for (let from = 0; from < parts.length; from++) {
      if (from === parts.length - 1 && parts.length > 1 && !alone) break;
      for (const id of this.#find(`n:${parts.slice(from).join("/")}`)) found.add(id);
    }
    return [...found];
  }

  /** The number of a file, or undefined. */
  findId(path: string): number | undefined {
    const changed = this.#changed.findIndex((item) => item.path === path);
    if (changed >= 0) return this.table.count + changed;
    return this.table.find(`f:${path}`).find((id) => !this.#stale.has(id));
  }

  /** The path of a file by its number. */
  pathOf(id: number): string {
    if (id >= this.table.count) return this.#changed[id - this.table.count].path;
    const record = this.table.read(id) as WordRecord;
    return typeof record === "string" ? record : record[0];
  }

  /** In how many files a term stands, about. */
  countTerm(term: string): number {
    return this.table.countOf(termKey(term));
  }

  /** The files in which a term stands, and how often. */
  findTerm(term: string): { id: number; count: number }[] {
    const found = this.table.findCounts(termKey(term)).filter(({ id }) => !this.#stale.has(id));
    this.#changed.forEach(({ row }, i) => {
      if (row.terms !== undefined && Object.hasOwn(row.terms, term)) {
        found.push({ id: this.table.count + i, count: row.terms[term] });
      }
    });
    return found;
  }

  /** What is known of the terms of a file by its number; undefined in an old table. */
  profileOf(id: number): TermProfile | undefined {
    if (id >= this.table.count) {
      const { norm, telling } = this.#changed[id - this.table.count].row;
      return norm === undefined || telling === undefined ? undefined : { norm, telling };
    }
    const record = this.table.read(id) as WordRecord;
    return typeof record === "string" ? undefined : { norm: record[1], telling: record[2] };
  }

  [Symbol.dispose](): void {
    this.table[Symbol.dispose]();
  }

  #find(key: string): number[] {
    const ids = this.table.find(key);
    const found = this.#stale.size === 0 ? ids : ids.filter((id) => !this.#stale.has(id));
    this.#changed.forEach(({ keys }, i) => {
      if (keys.has(key)) found.push(this.table.count + i);
    });
    return found;
  }
}

/** Opens the words, or returns undefined when there are none yet; throws TableDamage. */
export function openWords(files: Files, layout: Layout): WordTable | undefined {
  const make = (table: RecordTable, delta: Map<string, WordRow>) => new WordTable(table, delta);
  return openChanged(files, wordPaths(layout), make);
}

/** The keys that a file is found by. */
export function* wordKeys(
  { path, words, files }: Pick<FileWords, "path" | "words" | "files">,
): Generator<string> {
  yield `f:${path}`;
  yield `b:${nameOf(path)}`;
  for (const word of stemWords(path)) yield `s:${word}`;
  for (const name of words) yield `w:${name}`;
  for (const file of files) yield `n:${file}`;
}

/** Keys of names and of terms are kept with their text, after one of these. */
export const wordLabel = "w";
export const termLabel = "t";

/** The key of a term; it comes with how often the term stands in the file. */
export function termKey(term: string): string {
  return `t:${term}`;
}
