// The way to the parser. Deno reads and parses every module that a literal import names before
// anything runs, dynamic or not, so a computed name keeps the grammars (8 MB) out of start-up: with
// them in the graph, `ctx --version` was 1.5 times an empty script instead of 1.2. The build finds
// the name by its `new URL` and bundles the parser as an entry of its own.

import type { SourceParser } from "./source_parser.ts";

let loading: Promise<SourceParser> | undefined;

/** Loads the parser once. */
export function loadParser(): Promise<SourceParser> {
  return loading ??= load();
}

async function load(): Promise<SourceParser> {
  const url = new URL("./source_parser.ts", import.meta.url);
  const module: typeof import("./source_parser.ts") = await import(url.href);
  return await module.loadSourceParser();
}
