// `ctx mcp --explain`: what an agent is shown and what it costs, in tokens of a real tokenizer
// where one is installed, else by the estimate that every other count uses.

import { toTable } from "../table/view.ts";
import { countTokens } from "../core/tokens.ts";
import type { Catalog } from "./catalog.ts";

/** How a tool list is counted. */
export interface TokenCounter {
  name: string;
  count(text: string): number;
}

/** The listed tools with their tokens, as a table or as JSON. */
export async function explainTools(catalog: Catalog, json: boolean): Promise<string> {
  const counter = await findTokenizer();
  const tools = catalog.listTools(undefined);
  const rows = tools.map((tool) => ({
    name: tool.name,
    tokens: counter.count(JSON.stringify(tool)),
  }));
  const instructions = counter.count(await catalog.readInstructions());
  const total = counter.count(JSON.stringify({ tools }));
  const bytes = JSON.stringify({ tools }).length;
  if (json) {
    return JSON.stringify({ tokenizer: counter.name, tools: rows, total, bytes, instructions }) +
      "\n";
  }
  const lines = [
    ...rows.map(({ name, tokens }) => [name, String(tokens)]),
    ["all tools", `${total} tokens, ${bytes} bytes`],
    ["instructions", `${instructions} tokens`],
    ["counted with", counter.name],
  ];
  return `${toTable(lines)}\n`;
}

/** o200k_base when its package is there (it is only a development dependency), else the estimate. */
export async function findTokenizer(): Promise<TokenCounter> {
  const specifier = "gpt-tokenizer";
  try {
    const { encode } = await import(specifier);
    return { name: "o200k_base", count: (text) => encode(text).length };
  } catch {
    return { name: "ctx's estimate", count: countTokens };
  }
}
