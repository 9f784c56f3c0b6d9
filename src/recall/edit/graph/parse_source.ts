// Reads a source into facts by the patterns of its language: definitions, uses of names and imports.
// A definition lasts as long as the lines below it are indented deeper. Pure, and linear in the size.

import type { FileFacts, RefFact, SymbolFact } from "./file_facts.ts";
import { keywords, type Language, languages } from "./languages.ts";

const maxSymbols = 20_000;
const maxRefs = 4000;
const maxSpecs = 2000;
/** Longer names and imports are nobody's. */
const maxNameChars = 200;

export type ParsedSource = Pick<FileFacts, "symbols" | "refs" | "specs" | "broken">;

export function parseSource(text: string, language: Language): ParsedSource {
  const { quiet, definitions, imports } = languages[language];
  const bare = text.replace(quiet, silence);
  const lines = { text: text.split("\n"), bare: bare.split("\n"), starts: startsOf(text) };
  const found = new Map<number, { name: string; kind: string }>();
  for (const [kind, pattern] of definitions) {
    for (const match of bare.matchAll(pattern)) {
      const name = match.at(-1) ?? "";
      const at = match.indices?.at(-1)?.[0] ?? match.index;
      if (name.length <= maxNameChars && !keywords.has(name) && !found.has(at)) {
        found.set(at, { name, kind });
      }
    }
  }
  const places = [...found].sort((a, b) => a[0] - b[0]).slice(0, maxSymbols);
  const ends = new Map<number, number>();
  const symbols = places.map(([at, { name, kind }]): SymbolFact => {
    const line = lineAt(lines.starts, at);
    const end = ends.get(line) ?? endOf(lines.bare, line);
    ends.set(line, end);
    const symbol = { name, kind, line, end };
    const deprecated = findDeprecation(lines.text, symbol);
    return deprecated === undefined ? symbol : { ...symbol, deprecated };
  });
  const refs = readRefs(bare, { symbols, places: places.map(([at]) => at), starts: lines.starts });
  const specs = new Set<string>();
  for (const match of bare.matchAll(imports)) {
    for (const spec of specsOf(match, text)) if (spec.length <= maxNameChars) specs.add(spec);
  }
  const isBroken = bare.split("{").length !== bare.split("}").length;
  return {
    symbols,
    refs,
    specs: [...specs].slice(0, maxSpecs),
    ...(isBroken ? { broken: true } : {}),
  };
}

/** Blanks in the place of what is no code; texts keep their quotes. */
function silence(part: string): string {
  const blank = part.replace(/[^\n]/g, " ");
  const quote = /["'`]/.test(part[0]) && part.length > 1 ? part[0] : "";
  return quote === "" ? blank : quote + blank.slice(1, -1) + quote;
}

function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The line of a place, from 1. */
function lineAt(starts: number[], at: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last line of a definition: what follows is indented deeper, or closes it. */
function endOf(lines: string[], first: number): number {
  const indent = lines[first - 1].search(/\S|$/);
  let end = first;
  for (let i = first; i < lines.length; i++) {
    const own = lines[i].search(/\S/);
    if (own < 0) continue;
    if (own < indent || own === indent && !/[)}\]{]/.test(lines[i][own])) break;
    end = i + 1;
    if (own === indent && lines[i][own] === "}") break;
  }
  return end;
}

/** The uses of names, each once for the symbol it stands in: no keys, no fields, no definitions. */
function readRefs(
  bare: string,
  { symbols, places, starts }: { symbols: SymbolFact[]; places: number[]; starts: number[] },
): RefFact[] {
  const refs: RefFact[] = [];
  const seen = new Set<string>();
  const defined = new Set(places);
  // Symbols that are open where a use stands, the innermost last.
  const open: number[] = [];
  let next = 0;
  for (const { 0: name, index: at } of bare.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    while (next < places.length && places[next] <= at) open.push(next++);
    const after = bare[at + name.length];
    // What is written large is a type or a class, also in a namespace.
    const isField = bare[at - 1] === "." && after !== "(" && !/^[$_]*\p{Lu}/u.test(name);
    const isKey = after === ":" && bare[at + name.length + 1] !== ":";
    if (isField || isKey || name.length > maxNameChars || defined.has(at)) continue;
    if (keywords.has(name)) continue;
    const line = lineAt(starts, at);
    while (open.length > 0 && symbols[open.at(-1)!].end < line) open.pop();
    const within = open.at(-1) ?? -1;
    const key = `${name}\0${within}`;
    if (seen.has(key)) continue;
    seen.add(key);
    refs.push([name, line, within]);
    if (refs.length === maxRefs) break;
  }
  return refs;
}

/** What an import names, as the language writes it. */
function specsOf(match: RegExpExecArray, text: string): string[] {
  const { from, names, list, use, mod } = match.groups ?? {};
  if (mod !== undefined) return [`mod ${mod}`];
  if (use !== undefined) {
    const [base, inner = ""] = use.split("{");
    const parts = inner.match(/\w[\w:]*/g) ?? [];
    return parts.length === 0 ? [base] : parts.map((part) => base + part);
  }
  if (from !== undefined) {
    // `from a.b import c` may mean the module a.b or its submodule c.
    const join = from.endsWith(".") ? from : `${from}.`;
    const parts = namesIn(names).map((name) => join + name);
    return [from, ...parts];
  }
  if (list !== undefined) return namesIn(list);
  const start = match.index + match[0].length;
  const end = text.indexOf(text[start - 1], start);
  return end < 0 ? [] : [text.slice(start, end)];
}

function namesIn(list: string): string[] {
  return list.replace(/\bas\s+\w+/g, "").match(/[\w.*]+/g) ?? [];
}

const deprecation =
  /@deprecated\b[^\n]*|@Deprecated\b|#\[deprecated[^\]]*\]|\bDeprecated: [^\n]*|DeprecationWarning/;
const maxLeadChars = 500;
const lead = /^\s*(\/\/|\/\*|\*|#|@|"""|--)/;

/** Looks at the comments, attributes and decorators above a definition and at its first lines. */
function findDeprecation(lines: string[], { line, end, kind }: SymbolFact): string | undefined {
  let from = line - 1;
  while (from > 0 && line - from < 30 && lead.test(lines[from - 1])) from--;
  const body = kind === "function" ? lines.slice(line, Math.min(end, line + 6)) : [];
  const warned = body.filter((text) => text.includes("DeprecationWarning"));
  const above = [...lines.slice(from, line), ...warned];
  const match = deprecation.exec(above.map((text) => text.slice(0, maxLeadChars)).join("\n"));
  if (match === null) return undefined;
  const words = match[0].replace(/^@deprecated\s*|^Deprecated:\s*|\*\/.*$/g, "")
    .replace(/^[\s("']+|[\s)"']+$/g, "");
  return words.slice(0, 120) || "deprecated";
}
