// The way to the parser. Deno reads and parses every module that a literal import names before
// anything runs, dynamic or not, so a computed name keeps the grammars (8 MB) out of start-up: with
// them in the graph, `ctx --version` was 1.5 times an empty script instead of 1.2. build/bundle.ts
// makes the parser an entry of its own and gives it the right name here.

import type { SourceParser } from "./source_parser.ts";

let loading: Promise<SourceParser> | undefined;

/** Loads the parser once. */
export function loadParser(): Promise<SourceParser> {
  return loading ??= load();
}

async function load(): Promise<SourceParser> {
  const module: typeof import("./source_parser.ts") = await import(
    new URL("./source_parser.ts", import.meta.url).href
  );
  return await module.loadSourceParser();
}
