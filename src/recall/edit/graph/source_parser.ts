// Parses source files with tree-sitter into facts. Loads the runtime and each grammar once, when
// first needed. Reached only through load_parser.ts: megabytes of grammars hang on this module.

import type { Node, Parser, Query, QueryCapture, Tree } from "web-tree-sitter";
import { emptyFacts, type FileFacts, type RefFact, type SymbolFact } from "./file_facts.ts";
import { hashBytes } from "../../../code/git/file_hash.ts";
import { type Language, languageQueries } from "./languages.ts";
import { expandRustUse } from "./rust_use.ts";

const maxSymbols = 20_000;
const maxRefs = 4000;
const maxSpecs = 2000;
/** Longer names and imports are nobody's. */
const maxNameChars = 200;
const maxSpecChars = 4000;
/** Brackets open at once: the parser takes quadratic time on more. `<` is mostly none. */
const maxNesting = 1000;
const maxLess = 5000;
const parseLimitMs = 3000;

/** A source to parse. */
export interface Source {
  path: string;
  language: Language;
  bytes: Uint8Array;
  mtime: number;
}

/** Turns sources into facts. */
export interface SourceParser {
  parse(source: Source): Promise<FileFacts>;
}

interface Grammar {
  parser: Parser;
  query: Query;
}

/** Loads the parser runtime. */
export async function loadSourceParser(): Promise<SourceParser> {
  const runtime = await import("web-tree-sitter");
  const { default: wasm } = await import("web-tree-sitter/wasm", { with: { type: "bytes" } });
  await runtime.Parser.init({ wasmBinary: wasm });
  const grammars = new Map<Language, Promise<Grammar>>();
  const load = async (language: Language): Promise<Grammar> => {
    const grammar = await runtime.Language.load(await grammarBytes[language]());
    const parser = new runtime.Parser();
    parser.setLanguage(grammar);
    return { parser, query: new runtime.Query(grammar, languageQueries[language]) };
  };
  return {
    async parse(source) {
      const { path, language, bytes, mtime } = source;
      const hash = hashBytes(bytes);
      const facts = emptyFacts({ path, language, hash, size: bytes.length, mtime });
      if (isTooDeep(bytes)) return { ...facts, skipped: "too_deep" };
      if (!grammars.has(language)) grammars.set(language, load(language));
      const grammar = await grammars.get(language)!;
      try {
        return parseWithin(grammar, new TextDecoder().decode(bytes), facts);
      } catch {
        // A trap of the machine code leaves the parser in a state that nobody knows.
        grammars.delete(language);
        return { ...facts, skipped: "failed" };
      }
    },
  };
}

/** Whether too many brackets are open at once, whether or not they are in texts and comments. */
function isTooDeep(bytes: Uint8Array): boolean {
  let open = 0;
  let less = 0;
  for (const byte of bytes) {
    if (byte === 40 || byte === 91 || byte === 123) open++;
    else if ((byte === 41 || byte === 93 || byte === 125) && open > 0) open--;
    else if (byte === 60) less++;
    else if (byte === 62 && less > 0) less--;
    if (open > maxNesting || less > maxLess) return true;
  }
  return false;
}

/** A pathological file must not hold up a build: parsing and looking through it give up in time. */
function parseWithin({ parser, query }: Grammar, text: string, facts: FileFacts): FileFacts {
  const deadline = performance.now() + parseLimitMs;
  let late = false;
  const progressCallback = (): boolean => late ||= performance.now() > deadline;
  parser.reset();
  const tree = parser.parse(text, null, { progressCallback });
  if (tree === null) return { ...facts, skipped: "too_slow" };
  try {
    const captures = query.captures(tree.rootNode, { progressCallback });
    return late ? { ...facts, skipped: "too_slow" } : readFacts(facts, { text, tree, captures });
  } finally {
    tree.delete();
  }
}

interface Parsed {
  text: string;
  tree: Tree;
  captures: QueryCapture[];
}

function readFacts(facts: FileFacts, { text, tree, captures }: Parsed): FileFacts {
  const lines = text.split("\n");
  const uses: { name: string; line: number; at: number }[] = [];
  const specs = new Set<string>();
  let definition: { node: Node; kind: string } | undefined;
  const spans: { from: number; to: number }[] = [];
  const named = new Set<number>();
  for (const { name: capture, node } of captures) {
    if (capture.startsWith("def.")) {
      definition = { node, kind: capture.slice(4) };
    } else if (capture === "name" && definition !== undefined) {
      named.add(node.startIndex);
      if (facts.symbols.length === maxSymbols || isTooLong(node, maxNameChars)) continue;
      facts.symbols.push(toSymbol(definition, node, lines));
      spans.push({ from: definition.node.startIndex, to: definition.node.endIndex });
      definition = undefined;
    } else if (
      isTooLong(node, capture === "ref" || capture === "use" ? maxNameChars : maxSpecChars)
    ) {
      continue;
    } else if (capture === "ref" || capture === "use") {
      uses.push({ name: node.text, line: node.startPosition.row + 1, at: node.startIndex });
    } else if (capture === "module") {
      facts.module = node.text;
    } else {
      for (const spec of readSpecs(capture, node, facts.language)) specs.add(spec);
    }
  }
  facts.specs = [...specs].slice(0, maxSpecs);
  facts.refs = toRefs(uses.filter((use) => !named.has(use.at)), spans);
  if (tree.rootNode.hasError) facts.broken = true;
  return facts;
}

function isTooLong(node: Node, maxChars: number): boolean {
  return node.endIndex - node.startIndex > maxChars;
}

function toSymbol(
  { node, kind }: { node: Node; kind: string },
  name: Node,
  lines: string[],
): SymbolFact {
  const line = name.startPosition.row + 1;
  const symbol: SymbolFact = { name: name.text, kind, line, end: node.endPosition.row + 1 };
  const deprecated = findDeprecation(lines, node.startPosition.row, symbol);
  return deprecated === undefined ? symbol : { ...symbol, deprecated };
}

/** One use per name and surrounding symbol: the first. */
function toRefs(
  uses: { name: string; line: number; at: number }[],
  spans: { from: number; to: number }[],
): RefFact[] {
  const seen = new Set<string>();
  const refs: RefFact[] = [];
  // Uses come in order: spans that are open where one stands are a stack, the innermost last.
  const open: number[] = [];
  let next = 0;
  for (const { name, line, at } of uses) {
    while (next < spans.length && spans[next].from <= at) open.push(next++);
    while (open.length > 0 && spans[open.at(-1)!].to <= at) open.pop();
    const within = open.at(-1) ?? -1;
    const key = `${name}\0${within}`;
    if (seen.has(key)) continue;
    seen.add(key);
    refs.push([name, line, within]);
    if (refs.length === maxRefs) break;
  }
  return refs;
}

function readSpecs(capture: string, node: Node, language?: Language): string[] {
  if (capture === "required") return [node.text];
  if (capture === "submodule") return [`mod ${node.text}`];
  if (capture === "from") return readPythonFrom(node);
  if (capture !== "import") return [];
  if (language === "go") return [node.text.slice(1, -1)];
  if (language === "rust") return expandRustUse(node.text);
  if (language === "java") {
    return [node.text.replace(/^import\s+(static\s+)?/, "").replace(/\s*;.*$/s, "")];
  }
  return [node.text];
}

/** `from a.b import c, d` may name the module a.b or its submodules c and d. */
function readPythonFrom(node: Node): string[] {
  const module = node.childForFieldName("module_name")?.text ?? "";
  const names = node.childrenForFieldName("name").map((child) =>
    child?.childForFieldName("name")?.text ?? child?.text ?? ""
  );
  const join = module.endsWith(".") ? module : `${module}.`;
  return [module, ...names.filter((name) => name !== "").map((name) => join + name)];
}

const deprecation =
  /@deprecated\b[^\n]*|@Deprecated\b|#\[deprecated[^\]]*\]|\bDeprecated: [^\n]*|DeprecationWarning/;
const maxLeadLines = 60;
const maxLeadChars = 500;
const lead = /^\s*(\/\/|\/\*|\*|#|@|"""|--)/;

/** Looks at the comments, attributes and decorators above a definition and at its first lines. */
function findDeprecation(lines: string[], row: number, symbol: SymbolFact): string | undefined {
  let from = row;
  while (from > 0 && row - from < 30 && lead.test(lines[from - 1])) from--;
  const python = symbol.kind !== "class" && symbol.kind !== "variable" &&
    lines.slice(symbol.line, Math.min(symbol.end, symbol.line + 6)).join("\n")
      .includes("DeprecationWarning");
  const above = lines.slice(from, Math.min(symbol.line, from + maxLeadLines));
  const match = deprecation.exec(above.map((line) => line.slice(0, maxLeadChars)).join("\n"));
  if (match === null) return python ? "DeprecationWarning" : undefined;
  const words = match[0].replace(/^@deprecated\s*|^Deprecated:\s*|\*\/.*$/g, "")
    .replace(/^[\s("']+|[\s)"']+$/g, "");
  return words.slice(0, 120) || "deprecated";
}

const grammarBytes: Record<Language, () => Promise<Uint8Array>> = {
  typescript: async () =>
    (await import("tree-sitter-wasm/tree-sitter-typescript.wasm", { with: { type: "bytes" } }))
      .default,
  tsx: async () =>
    (await import("tree-sitter-wasm/tree-sitter-tsx.wasm", { with: { type: "bytes" } })).default,
  javascript: async () =>
    (await import("tree-sitter-wasm/tree-sitter-javascript.wasm", { with: { type: "bytes" } }))
      .default,
  python: async () =>
    (await import("tree-sitter-wasm/tree-sitter-python.wasm", { with: { type: "bytes" } })).default,
  go: async () =>
    (await import("tree-sitter-wasm/tree-sitter-go.wasm", { with: { type: "bytes" } })).default,
  rust: async () =>
    (await import("tree-sitter-wasm/tree-sitter-rust.wasm", { with: { type: "bytes" } })).default,
  java: async () =>
    (await import("tree-sitter-wasm/tree-sitter-java.wasm", { with: { type: "bytes" } })).default,
};
