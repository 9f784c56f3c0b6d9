// The files of a workspace, as readers see them: an immutable table of what each defines, uses and
// says, and over it the few files that changed since. Lookups read only the files they name.

import type { Files } from "../../../disk/files.ts";
import type { Layout } from "../../../disk/layout.ts";
import { readDelta } from "../tables/delta_file.ts";
import { openTable, type RecordTable } from "../tables/record_table.ts";
import type { FileFacts } from "./file_facts.ts";
import { directoryOf } from "./resolve_imports.ts";
import { stemOf } from "./paired_test.ts";
import { type FileWords, stemWords } from "./word_facts.ts";

/** What the table says about itself; `files` is for the builder. */
export interface GraphMeta {
  version: number;
  /** Path, size, mtime, hash and, for Java, the package of each file. */
  files: [path: string, size: number, mtime: number, hash: string, module?: string][];
}

/** A file of the graph. In the table it is three parts: path, facts, words. */
export type GraphFile = FileFacts & { words: FileWords };

/** A line of the delta: a file as it is now, or that it is gone. */
export type DeltaRow = GraphFile | { path: string; gone: true };

/** Changes when facts change their meaning: an older graph is then built anew. */
export const graphVersion = 4;

/** Where the graph is kept. */
export function graphPaths(
  { index }: Layout,
): { table: string; delta: string; former: string[] } {
  return {
    table: `${index}/graph.bin`,
    delta: `${index}/graph.delta.ndjson`,
    // Older versions kept words in these files; they are removed.
    former: [`${index}/graph.words.bin`, `${index}/graph.words.ndjson`],
  };
}

/** An open graph; close it. */
export class CodeGraph implements Disposable {
  readonly table: RecordTable;
  readonly delta: Map<string, DeltaRow>;
  /** Files that changed, numbered after those of the table. */
  readonly #changed: { file: GraphFile; keys: ReadonlySet<string> }[] = [];
  readonly #stale = new Set<number>();
  readonly #read = new Map<number, FileFacts>();

  constructor(table: RecordTable, delta: Map<string, DeltaRow>) {
    this.table = table;
    this.delta = delta;
    for (const row of delta.values()) {
      for (const id of table.find(`f:${row.path}`)) this.#stale.add(id);
      if (!("gone" in row)) this.#changed.push({ file: row, keys: new Set(keysOf(row)) });
    }
  }

  /** How many files there are, about. */
  get count(): number {
    return this.table.count;
  }

  /** The facts of a source, or undefined when the graph does not have it. */
  find(path: string): FileFacts | undefined {
    const [id] = this.findIds(`f:${path}`);
    const facts = id === undefined ? undefined : this.#facts(id);
    return facts?.language === undefined ? undefined : facts;
  }

  /** A file with its words, or undefined when the graph does not have it. */
  findFile(path: string): GraphFile | undefined {
    const [id] = this.findIds(`f:${path}`);
    return id === undefined ? undefined : { ...this.#facts(id), words: this.#words(id) };
  }

  /** The terms of a file by its number. */
  termsOf(id: number): string[] {
    return this.#words(id).terms.split(" ");
  }

  /** How many files have the same name in other directories or this one, about. */
  countNamed(path: string): number {
    return this.table.countOf(`n:${nameOf(path)}`);
  }

  /** In how many files a term or name stands, about. */
  countTerm(term: string): number {
    return this.table.countOf(termKey(term));
  }

  /** The files in whose text a term or name stands. */
  findHolders(term: string): number[] {
    return this.findIds(termKey(term));
  }

  /** The files that have a word in their name. */
  findCalled(word: string): number[] {
    return this.findIds(`c:${word}`);
  }

  /** The files whose text names a file just so. */
  findNamingSo(file: string): number[] {
    return this.findIds(`m:${file}`);
  }

  /** The files whose text names a file: by its path, or by its name when no other has that name. */
  findNaming(path: string): Set<number> {
    const parts = path.split("/");
    const ends = parts.map((_, from) => parts.slice(from).join("/"));
    if (parts.length > 1 && this.countNamed(path) > 1) ends.pop();
    return new Set(ends.flatMap((end) => this.findNamingSo(end)));
  }

  /** The files whose name without its ending and test marks is that, in lower case. */
  findByStem(stem: string, limit = 20): FileFacts[] {
    return this.#lookup(`s:${stem}`, limit);
  }

  /** The files that define a name. */
  findDefinitions(name: string, limit = 50): FileFacts[] {
    return this.#lookup(`d:${name}`, limit);
  }

  /** The files that use a name. */
  findReferrers(name: string, limit = 200): FileFacts[] {
    return this.#lookup(`r:${name}`, limit);
  }

  /** The files that import a file, or the directory it belongs to. */
  findImporters(path: string, limit = 500): FileFacts[] {
    const found = new Map<string, FileFacts>();
    for (const name of [path, directoryOf(path) || ".//"]) {
      for (const facts of this.#lookup(`i:${name}`, limit)) found.set(facts.path, facts);
    }
    found.delete(path);
    return [...found.values()];
  }

  /** The files that have a key, by number. */
  findIds(key: string): number[] {
    const found = this.#changed.flatMap(({ keys }, i) =>
      keys.has(key) ? [this.table.count + i] : []
    );
    for (const id of this.table.find(key)) if (!this.#stale.has(id)) found.push(id);
    return found;
  }

  /** The path of a file by its number. */
  pathOf(id: number): string {
    const { count } = this.table;
    return id < count ? this.table.read(id) as string : this.#changed[id - count].file.path;
  }

  [Symbol.dispose](): void {
    this.table[Symbol.dispose]();
  }

  #lookup(key: string, limit: number): FileFacts[] {
    return this.findIds(key).slice(0, limit).map((id) => this.#facts(id));
  }

  #words(id: number): FileWords {
    const changed = this.#changed[id - this.table.count];
    return changed?.file.words ?? this.table.read(id, 2) as FileWords;
  }

  #facts(id: number): FileFacts {
    const facts = this.#changed[id - this.table.count]?.file ?? this.#read.get(id) ??
      this.table.read(id, 1) as FileFacts;
    this.#read.set(id, facts);
    return facts;
  }
}

/** Opens the graph, or returns undefined when none was built; throws TableDamage. */
export function openGraph(files: Files, layout: Layout): CodeGraph | undefined {
  const paths = graphPaths(layout);
  const table = openTable(files, paths.table);
  if (table === undefined) return undefined;
  try {
    return new CodeGraph(table, readDelta<DeltaRow>(files, paths.delta, table.stamp));
  } catch (error) {
    table[Symbol.dispose]();
    throw error;
  }
}

/** The keys that a file is found by. */
export function* keysOf(
  { path, language, symbols, refs, links, words }: GraphFile,
): Generator<string> {
  yield `f:${path}`;
  yield `n:${nameOf(path)}`;
  if (language !== undefined) yield `s:${stemOf(path)}`;
  for (const symbol of symbols) yield `d:${symbol.name}`;
  for (const [name] of refs) yield `r:${name}`;
  for (const link of links) yield `i:${link}`;
  for (const word of stemWords(path)) yield `c:${word}`;
  for (const term of words.terms.split(" ")) yield `t:${term}`;
  for (const file of words.files) yield `m:${file}`;
}

function termKey(term: string): string {
  return `t:${term.toLowerCase()}`;
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
