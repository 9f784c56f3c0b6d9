// Questions to the code graph: who calls a symbol, what it calls, who imports a file. A name alone
// proves nothing, so a use counts only when an import, a package or a unique name ties it.

import type { CodeGraph } from "./code_graph.ts";
import type { FileFacts, SymbolFact } from "./file_facts.ts";
import { directoryOf } from "./resolve_imports.ts";

/** How surely a use means a definition. */
export type Tie = "same_file" | "import" | "package" | "unique_name";

/** A use of a symbol elsewhere, or a symbol that is used here. */
export interface CodeRelation {
  path: string;
  line: number;
  /** The symbol on the other side, when the use stands in one. */
  symbol?: string;
  /** The class that this symbol stands in. */
  owner?: string;
  /** The name that ties the two. */
  name: string;
  tie: Tie;
}

/** The uses of a symbol that a file defines, by file. */
export function findCallers(graph: CodeGraph, path: string, name: string): CodeRelation[] {
  const target = graph.find(path);
  if (target === undefined) return [];
  const importers = importersThroughBarrels(graph, path);
  const unique = isDistinctive(name) && graph.findDefinitions(name, 2).length === 1;
  // A name that others define too means this one only where something else ties it.
  const users = unique
    ? graph.findReferrers(name)
    : [target, ...importers, ...packageOf(graph, target)];
  const known = { target, importers: new Set(importers.map((facts) => facts.path)), unique };
  const relations: CodeRelation[] = [];
  for (const facts of new Set(users)) {
    const tie = tieOf(facts, known);
    if (tie === undefined) continue;
    for (const [ref, line, within] of facts.refs) {
      const symbol = facts.symbols[within];
      if (ref !== name || (tie === "same_file" && symbol?.name === name)) continue;
      const owner = symbol && findOwner(facts, symbol);
      relations.push({ path: facts.path, line, symbol: symbol?.name, owner, name, tie });
    }
  }
  return preferInner(relations);
}

/** The innermost class around a symbol. */
function findOwner(facts: FileFacts, inner: SymbolFact): string | undefined {
  return facts.symbols.findLast((outer) =>
    outer !== inner && outer.kind === "class" && outer.line <= inner.line && outer.end >= inner.end
  )?.name;
}

/** What a file, or one symbol of it, uses of other files of the workspace, and on which line. */
export function findCallees(
  graph: CodeGraph,
  facts: FileFacts,
  within?: SymbolFact,
): (Omit<CodeRelation, "tie"> & { used: number; deprecated?: string })[] {
  const uses = new Map<string, number>();
  for (const [name, line] of facts.refs) {
    if (within === undefined || (line >= within.line && line <= within.end)) uses.set(name, line);
  }
  return linkedFacts(graph, facts).flatMap(({ path, symbols }) =>
    symbols.flatMap(({ name, line, deprecated }) => {
      const used = uses.get(name);
      return used === undefined ? [] : [{ path, line, symbol: name, name, deprecated, used }];
    })
  );
}

/** The files that a file imports, and the others of its package where a package needs no import. */
function linkedFacts(graph: CodeGraph, facts: FileFacts): FileFacts[] {
  const found = new Set<FileFacts>(packageOf(graph, facts));
  const add = (links: readonly string[]): FileFacts[] => {
    const linked = links.flatMap((link) =>
      link.endsWith("/") ? graph.listDirectory(link) : graph.find(link) ?? []
    );
    for (const item of linked) found.add(item);
    return linked;
  };
  for (const linked of add(facts.links)) if (isBarrel(linked)) add(linked.links);
  found.delete(facts);
  return [...found];
}

/** So many importers say enough: what those of them that pass things on are imported by is left. */
const manyImporters = 20;

/** Importers; an importer that only passes things on stands for its own importers too. */
export function importersThroughBarrels(graph: CodeGraph, path: string): FileFacts[] {
  const direct = graph.findImporters(path);
  const barrels = direct.length > manyImporters ? [] : direct.filter(isBarrel);
  const found = new Set([...direct, ...barrels.flatMap((one) => graph.findImporters(one.path))]);
  return [...found].filter((facts) => facts.path !== path);
}

/** Go and Java need no import for what is in the same directory. */
function packageOf(graph: CodeGraph, { language, path }: FileFacts): FileFacts[] {
  return language === "go" || language === "java" ? graph.listDirectory(directoryOf(path)) : [];
}

function tieOf(
  facts: FileFacts,
  { target, importers, unique }: {
    target: FileFacts;
    importers: ReadonlySet<string>;
    unique: boolean;
  },
): Tie | undefined {
  if (facts.path === target.path) return "same_file";
  if (importers.has(facts.path)) return "import";
  if (facts.language !== target.language) return undefined;
  const hasPackages = facts.language === "go" || facts.language === "java";
  if (hasPackages && directoryOf(facts.path) === directoryOf(target.path)) return "package";
  return unique ? "unique_name" : undefined;
}

/** A use inside a symbol says more than the import line of the same file. */
function preferInner(relations: CodeRelation[]): CodeRelation[] {
  const inner = new Set(
    relations.filter((item) => item.symbol !== undefined).map((item) => item.path),
  );
  return relations.filter((item) => item.symbol !== undefined || !inner.has(item.path));
}

/** Whether a name is long and shaped enough to mean one thing. */
export function isDistinctive(name: string): boolean {
  const humps = /[a-z0-9][A-Z]|_[a-zA-Z]/.test(name);
  return humps ? name.length >= 6 : /^[A-Z][a-z]{5,}$/.test(name);
}

function isBarrel(facts: FileFacts): boolean {
  return facts.symbols.length === 0 || /(^|\/)(index|mod|__init__|lib)\.\w+$/.test(facts.path);
}
