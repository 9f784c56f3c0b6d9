// The sources of a workspace, as readers see them: an immutable table of what each defines, uses and
// imports, and over it the few files that changed since. Lookups read only the files they name.

import type { Files } from "../../../disk/files.ts";
import type { Layout } from "../../../disk/layout.ts";
import { findKeptJson } from "../tables/checked_json.ts";
import { openTable, type RecordTable } from "../tables/record_table.ts";
import { type FileFacts, nameOf } from "./file_facts.ts";
import { directoryOf } from "./resolve_imports.ts";

/** What the table says about itself; `files` is for the builder. */
export interface GraphMeta {
  version: number;
  files: [path: string, size: number, mtime: number, hash: string][];
}

/** A row of the delta: a file as it is now, or that it is gone. */
export type DeltaRow = FileFacts | { path: string; gone: true };

/** The few files that changed since a table was written; one of another table is ignored. */
export interface GraphDelta {
  /** The stamp of the table. */
  base: number;
  rows: DeltaRow[];
}

/** Changes when facts change their meaning: an older graph is then built anew. */
export const graphVersion = 5;

/** Where the graph is kept, and files of older versions, which are removed. */
export function graphPaths({ index }: Layout): { table: string; delta: string; former: string[] } {
  const former = [
    "graph.words.bin",
    "graph.words.ndjson",
    "graph.git.bin",
    "graph.mentions.bin",
    "graph.delta.ndjson",
  ];
  return {
    table: `${index}/graph.bin`,
    delta: `${index}/graph.delta.json`,
    former: former.map((name) => `${index}/${name}`),
  };
}

/** An open graph; close it. */
export class CodeGraph implements Disposable {
  readonly table: RecordTable;
  readonly delta: Map<string, DeltaRow>;
  readonly #changed: { facts: FileFacts; keys: ReadonlySet<string> }[] = [];
  readonly #stale = new Set<number>();
  readonly #read = new Map<number, FileFacts>();

  constructor(table: RecordTable, delta: Map<string, DeltaRow>) {
    this.table = table;
    this.delta = delta;
    for (const row of delta.values()) {
      for (const id of table.find(`f:${row.path}`)) this.#stale.add(id);
      if (!("gone" in row)) this.#changed.push({ facts: row, keys: new Set(keysOf(row)) });
    }
  }

  /** How many files there are, about. */
  get count(): number {
    return this.table.count;
  }

  /** The facts of a source, or undefined when the graph does not have it. */
  find(path: string): FileFacts | undefined {
    return this.#lookup(`f:${path}`, 1)[0];
  }

  /** How many sources have the same name in other directories or this one, about. */
  countNamed(path: string): number {
    return this.table.countOf(`n:${nameOf(path)}`);
  }

  /** How many files use a name, about. */
  countReferrers(name: string): number {
    return this.table.countOf(`r:${name}`);
  }

  /** How many files import a file, about. */
  countImporters(path: string): number {
    return this.table.countOf(`i:${path}`);
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
    for (const name of [path, directoryOf(path)]) {
      for (const facts of this.#lookup(`i:${name}`, limit)) found.set(facts.path, facts);
    }
    found.delete(path);
    return [...found.values()];
  }

  [Symbol.dispose](): void {
    this.table[Symbol.dispose]();
  }

  #lookup(key: string, limit: number): FileFacts[] {
    const found = this.#changed.filter(({ keys }) => keys.has(key)).map(({ facts }) => facts);
    for (const id of this.table.find(key)) {
      if (found.length >= limit) break;
      if (!this.#stale.has(id)) found.push(this.#facts(id));
    }
    return found.slice(0, limit);
  }

  #facts(id: number): FileFacts {
    const facts = this.#read.get(id) ?? this.table.read(id) as FileFacts;
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
    const delta = findKeptJson(files, paths.delta) as GraphDelta | undefined;
    const rows = delta?.base === table.stamp ? delta.rows : [];
    return new CodeGraph(table, new Map(rows.map((row) => [row.path, row])));
  } catch (error) {
    table[Symbol.dispose]();
    throw error;
  }
}

/** The keys that a file is found by. */
export function* keysOf({ path, symbols, refs, links }: FileFacts): Generator<string> {
  yield `f:${path}`;
  yield `n:${nameOf(path)}`;
  for (const { name } of symbols) yield `d:${name}`;
  for (const [name] of refs) yield `r:${name}`;
  for (const link of links) yield `i:${link}`;
}
