// The symbol graph of a workspace, as readers see it: an immutable table of file facts, and over it
// the few files that changed since. Lookups read only the files they name.

import type { Files } from "../../store/files/files.ts";
import type { Layout } from "../../store/files/layout.ts";
import { openChanged } from "../tables/changed_table.ts";
import type { FileFacts } from "./file_facts.ts";
import type { RecordTable } from "../tables/record_table.ts";
import { directoryOf } from "./resolve_imports.ts";
import { stemOf } from "./paired_test.ts";

/** What the table says about itself; `files` is for the builder. */
export interface GraphMeta {
  version: number;
  /** Path, size, mtime, hash and, for Java, the package of each file. */
  files: [path: string, size: number, mtime: number, hash: string, module?: string][];
}

/** A line of the delta: a file as it is now, or that it is gone. */
export type DeltaRow = FileFacts | { path: string; gone: true };

/** Changes when facts change their meaning: an older graph is then built anew. */
export const graphVersion = 3;

/** Where the graph is kept. */
export function graphPaths(layout: Layout): { table: string; delta: string } {
  return { table: `${layout.index}/graph.bin`, delta: `${layout.index}/graph.delta.ndjson` };
}

/** An open graph; close it. */
export class CodeGraph implements Disposable {
  readonly table: RecordTable;
  readonly delta: Map<string, DeltaRow>;
  readonly #read = new Map<number, FileFacts>();

  constructor(table: RecordTable, delta: Map<string, DeltaRow>) {
    this.table = table;
    this.delta = delta;
  }

  /** The facts of a file, or undefined when the graph does not have it. */
  find(path: string): FileFacts | undefined {
    const changed = this.delta.get(path);
    if (changed !== undefined) return "gone" in changed ? undefined : changed;
    const [id] = this.table.find(`f:${path}`);
    return id === undefined ? undefined : this.#facts(id);
  }

  /** How many files import a file, about. */
  countImporters(path: string): number {
    return this.table.countOf(`i:${path}`);
  }

  /** How many files have the same name in other directories or this one, about. */
  countNamed(path: string): number {
    return this.table.countOf(`n:${nameOf(path)}`);
  }

  /** The files whose name without its ending and test marks is that, in lower case. */
  findByStem(stem: string, limit = 20): FileFacts[] {
    return this.#lookup(`s:${stem}`, (facts) => stemOf(facts.path) === stem, limit);
  }

  /** The files that define a name. */
  findDefinitions(name: string, limit = 50): FileFacts[] {
    return this.#lookup(
      `d:${name}`,
      (facts) => facts.symbols.some((symbol) => symbol.name === name),
      limit,
    );
  }

  /** The files that use a name. */
  findReferrers(name: string, limit = 200): FileFacts[] {
    return this.#lookup(`r:${name}`, (facts) => facts.refs.some((ref) => ref[0] === name), limit);
  }

  /** The files that import a file, or the directory it belongs to. */
  findImporters(path: string, limit = 500): FileFacts[] {
    const names = [path, directoryOf(path) || "./"];
    const found = new Map<string, FileFacts>();
    for (const name of names) {
      const links = (facts: FileFacts): boolean => facts.links.includes(name);
      for (const facts of this.#lookup(`i:${name}`, links, limit)) found.set(facts.path, facts);
    }
    found.delete(path);
    return [...found.values()];
  }

  [Symbol.dispose](): void {
    this.table[Symbol.dispose]();
  }

  #lookup(key: string, matches: (facts: FileFacts) => boolean, limit: number): FileFacts[] {
    const found: FileFacts[] = [];
    for (const row of this.delta.values()) {
      if (!("gone" in row) && matches(row)) found.push(row);
    }
    for (const id of this.table.find(key)) {
      if (found.length >= limit) break;
      const facts = this.#facts(id);
      if (!this.delta.has(facts.path) && matches(facts)) found.push(facts);
    }
    return found;
  }

  #facts(id: number): FileFacts {
    let facts = this.#read.get(id);
    if (facts === undefined) {
      facts = this.table.read(id) as FileFacts;
      this.#read.set(id, facts);
    }
    return facts;
  }
}

/** Opens the graph, or returns undefined when none was built; throws TableDamage. */
export function openGraph(files: Files, layout: Layout): CodeGraph | undefined {
  const make = (table: RecordTable, delta: Map<string, DeltaRow>) => new CodeGraph(table, delta);
  return openChanged(files, graphPaths(layout), make);
}

/** The keys that a file is found by. */
export function* keysOf(facts: FileFacts): Generator<string> {
  yield `f:${facts.path}`;
  yield `n:${nameOf(facts.path)}`;
  yield `s:${stemOf(facts.path)}`;
  for (const symbol of facts.symbols) yield `d:${symbol.name}`;
  for (const [name] of facts.refs) yield `r:${name}`;
  for (const link of facts.links) yield `i:${link}`;
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
