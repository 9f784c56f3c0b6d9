// What is known of one source: its symbols, what it refers to and what it imports. Data only.

import type { Language } from "./languages.ts";

/** A definition. Lines count from 1. */
export interface SymbolFact {
  name: string;
  kind: string;
  line: number;
  end: number;
  /** The first words of the deprecation, when it is deprecated. */
  deprecated?: string;
}

/** A use of a name: the line, and the number of the symbol it stands in, or -1. */
export type RefFact = [name: string, line: number, within: number];

export interface FileFacts {
  path: string;
  language: Language;
  symbols: SymbolFact[];
  refs: RefFact[];
  /** Imports as they are written. */
  specs: string[];
  /** What the imports resolve to: files, or directories with a slash at the end. */
  links: string[];
  /** Why its symbols are unknown. */
  skipped?: SkipReason;
  /** Its braces do not match: what could be read is here. */
  broken?: boolean;
}

/** Why a source is not parsed. */
export type SkipReason = "too_large" | "binary";

/** The innermost symbol at a line, or undefined. */
export function findSymbolAt(facts: FileFacts, line: number): SymbolFact | undefined {
  let best: SymbolFact | undefined;
  for (const symbol of facts.symbols) {
    const holds = symbol.line <= line && line <= symbol.end;
    if (holds && (best === undefined || symbol.line >= best.line)) best = symbol;
  }
  return best;
}

/** How a symbol is named as an entity: `code:PATH#NAME`. */
export function symbolEntity(path: string, name?: string): string {
  return name === undefined ? `code:${path}` : `code:${path}#${name}`;
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
