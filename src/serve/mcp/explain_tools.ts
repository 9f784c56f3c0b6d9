// `ctx mcp --explain`: the tools an agent sees and their cost in tokens, by the same estimate as all other
// counts.

import { toTable, withCommas } from "../../command/view.ts";
import { countTokens } from "../../core/tokens.ts";
import type { Catalog } from "./catalog.ts";

/** Named for readers who compare with a tokenizer of their own. */
const counted = "ctx's estimate";

/** The listed tools with their tokens, as a table or as JSON. */
export async function explainTools(catalog: Catalog, json: boolean): Promise<string> {
  const tools = catalog.listTools(undefined);
  const rows = tools.map((tool) => ({
    name: tool.name,
    tokens: countTokens(JSON.stringify(tool)),
  }));
  const instructions = countTokens(await catalog.readInstructions() ?? "");
  const total = countTokens(JSON.stringify({ tools }));
  const bytes = JSON.stringify({ tools }).length;
  if (json) {
    return JSON.stringify({ tokenizer: counted, tools: rows, total, bytes, instructions }) +
      "\n";
  }
  const lines = [
    ...rows.map(({ name, tokens }) => [name, withCommas(tokens)]),
    ["all tools", `${withCommas(total)} tokens, ${withCommas(bytes)} bytes`],
    ["instructions", `${withCommas(instructions)} tokens`],
    ["counted with", counted],
  ];
  return `${toTable(lines)}\n`;
}
