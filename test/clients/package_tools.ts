// The tools by which clients and stores check packages, pinned and installed as the clients are.

import { installTool } from "./install_clients.ts";

/** The tools that check what no client checks. */
export const pinnedTools = {
  mcpb: { package: "@anthropic-ai/mcpb", version: "2.1.2", program: "dist/cli/cli.js" },
  vsce: { package: "@vscode/vsce", version: "4.1.0", program: "vsce" },
} as const;

/** The names of all. */
export const toolNames = Object.keys(pinnedTools) as (keyof typeof pinnedTools)[];

/** The words that start a tool; undefined where it is not installed and may not be. */
export async function findTool(
  name: keyof typeof pinnedTools,
  { installs }: { installs: boolean },
): Promise<string[] | undefined> {
  const { package: source, version, program } = pinnedTools[name];
  const directory = await installTool(`${name}-${version}`, `${source}@${version}`, { installs });
  return directory === "" ? undefined : ["node", `${directory}/node_modules/${source}/${program}`];
}
