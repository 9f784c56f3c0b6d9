// What the scripted model does next, apart from any protocol: it goes through a script, one step for
// each tool result that a conversation holds, and then says its last words.

/** One step: a call of a tool that the client offers, or words that end the turn. */
export type ModelStep =
  | { tool: string; input: Record<string, unknown> }
  | { text: string };

/** A request, as every protocol has it in some form. */
export interface ModelRequest {
  /** The names of the tools that are offered. */
  tools: string[];
  /** What the tools of this conversation have answered, oldest first. */
  results: string[];
}

/** A step with the name by which this client offers the tool. */
export type ModelTurn =
  | { name: string; input: Record<string, unknown> }
  | { text: string };

/** The next step; requests beside the conversation (titles, checks of quota) offer none of its tools. */
export function chooseTurn(script: ModelStep[], { tools, results }: ModelRequest): ModelTurn {
  const step = script[Math.min(results.length, script.length - 1)];
  if ("text" in step) return tools.length > 0 ? step : sideAnswer;
  const name = tools.find((tool) => isNamed(tool, step.tool)) ??
    // Claude Code lists some tools by name only, and lets them be called all the same.
    (tools.includes("ToolSearch")
      ? step.tool.startsWith("mcp__") ? step.tool : `mcp__ctx__${step.tool}`
      : undefined);
  if (name !== undefined) return { name, input: step.input };
  // Qwen Code calls tools that were found by search through one of its own.
  if (tools.includes("tool_call")) {
    return { name: "tool_call", input: { name: `mcp__ctx__${step.tool}`, arguments: step.input } };
  }
  return results.length === 0 && !tools.some((tool) => /ctx/.test(tool))
    ? sideAnswer
    : { text: `The tool ${step.tool} is not offered; there are ${tools.join(", ")}` };
}

/** The name under which clients offer a search for tools. */
export const toolSearch = "tool_search";

const sideAnswer = { text: "Side request" };

function isNamed(offered: string, wanted: string): boolean {
  return offered === wanted || isOfServer(offered, wanted);
}

/** Clients put the server's name before the tool's, each in its own way. */
export function isOfServer(offered: string, wanted: string): boolean {
  return new RegExp(`(?:^|[_.])ctx[_.]+${wanted}$`).test(offered);
}
