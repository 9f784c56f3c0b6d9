// Questions to the symbol graph: who calls a symbol, what it calls, who imports a file. A name alone
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
  const importers = new Set(importersThroughBarrels(graph, path).map((facts) => facts.path));
  const unique = graph.findDefinitions(name, 2).length === 1 && name.length >= 4;
  const relations: CodeRelation[] = [];
  for (const facts of graph.findReferrers(name)) {
    const tie = tieOf(facts, { path, target, importers, unique });
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

/** What a file, or one symbol of it, calls in other files of the workspace. */
export function findCallees(
  graph: CodeGraph,
  facts: FileFacts,
  within?: SymbolFact,
): CodeRelation[] {
  const wanted = new Set<string>();
  for (const [name, line] of facts.refs) {
    if (within === undefined || (line >= within.line && line <= within.end)) wanted.add(name);
  }
  const relations: CodeRelation[] = [];
  for (const linked of linkedFacts(graph, facts)) {
    const tie: Tie = facts.links.includes(linked.path) ? "import" : "package";
    for (const symbol of linked.symbols) {
      if (!wanted.has(symbol.name)) continue;
      const { name, line } = symbol;
      relations.push({ path: linked.path, line, symbol: name, name, tie });
    }
  }
  return relations;
}

/** Deprecated symbols of other files that a file uses, with the line of the use. */
export function findDeprecatedUses(
  graph: CodeGraph,
  facts: FileFacts,
): (CodeRelation & { note: string; used: number })[] {
  const lines = new Map(facts.refs.map(([name, line]) => [name, line]));
  const found: (CodeRelation & { note: string; used: number })[] = [];
  for (const linked of linkedFacts(graph, facts)) {
    for (const symbol of linked.symbols) {
      const used = lines.get(symbol.name);
      if (symbol.deprecated === undefined || used === undefined) continue;
      const { name, line } = symbol;
      const tie: Tie = facts.links.includes(linked.path) ? "import" : "package";
      found.push({
        path: linked.path,
        line,
        symbol: name,
        name,
        tie,
        note: symbol.deprecated,
        used,
      });
    }
  }
  return found;
}

/** The files that a file imports, and the others of its package where a package needs no import. */
function linkedFacts(graph: CodeGraph, facts: FileFacts): FileFacts[] {
  const found = new Map<string, FileFacts>();
  for (const link of facts.links) {
    const linked = link.endsWith("/") ? [] : [graph.find(link)];
    for (const item of linked) if (item !== undefined) found.set(item.path, item);
    const barrel = linked[0];
    if (barrel !== undefined && isBarrel(barrel)) {
      for (const inner of barrel.links) {
        const item = inner.endsWith("/") ? undefined : graph.find(inner);
        if (item !== undefined && !found.has(item.path)) found.set(item.path, item);
      }
    }
  }
  if (hasPackages(facts) || facts.links.some((link) => link.endsWith("/"))) {
    for (const item of packageFacts(graph, facts)) found.set(item.path, item);
  }
  found.delete(facts.path);
  return [...found.values()];
}

/** Importers; an importer that only passes things on stands for its own importers too. */
export function importersThroughBarrels(graph: CodeGraph, path: string): FileFacts[] {
  const found = new Map<string, FileFacts>();
  for (const importer of graph.findImporters(path)) {
    found.set(importer.path, importer);
    if (!isBarrel(importer)) continue;
    for (const outer of graph.findImporters(importer.path)) found.set(outer.path, outer);
  }
  found.delete(path);
  return [...found.values()];
}

/** Go and Java name things of other directories by package: found by the names a file uses. */
function packageFacts(graph: CodeGraph, facts: FileFacts): FileFacts[] {
  const directories = new Set(facts.links.filter((link) => link.endsWith("/")));
  if (hasPackages(facts)) directories.add(directoryOf(facts.path) || ".//");
  const found = new Map<string, FileFacts>();
  for (const [name] of facts.refs.slice(0, 300)) {
    for (const definer of graph.findDefinitions(name, 8)) {
      if (directories.has(directoryOf(definer.path) || ".//")) found.set(definer.path, definer);
    }
  }
  return [...found.values()];
}

function tieOf(
  facts: FileFacts,
  known: { path: string; target?: FileFacts; importers: ReadonlySet<string>; unique: boolean },
): Tie | undefined {
  if (facts.path === known.path) return "same_file";
  if (known.importers.has(facts.path)) return "import";
  const samePackage = hasPackages(facts) && known.target?.language === facts.language &&
    directoryOf(facts.path) === directoryOf(known.path);
  if (samePackage) return "package";
  return known.unique && known.target?.language === facts.language ? "unique_name" : undefined;
}

/** A use inside a symbol says more than the import line of the same file. */
function preferInner(relations: CodeRelation[]): CodeRelation[] {
  const inner = new Set(
    relations.filter((item) => item.symbol !== undefined).map((item) => item.path),
  );
  return relations.filter((item) => item.symbol !== undefined || !inner.has(item.path));
}

function hasPackages(facts: FileFacts): boolean {
  return facts.language === "go" || facts.language === "java";
}

function isBarrel(facts: FileFacts): boolean {
  return facts.symbols.length === 0 || /(^|\/)(index|mod|__init__|lib)\.\w+$/.test(facts.path);
}
