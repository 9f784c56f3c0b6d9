// The processes by name, loaded only when one is used. To add one: a file with `defineProcess({...})`,
// and a line here.

import type { AnyProcess } from "./line/process.ts";

const loaders = {
  "mcp": async () => (await import("./processes/mcp.ts")).mcp,
  "mcp agent": async () => (await import("./processes/mcp_agent.ts")).mcpAgent,
  "chat": async () => (await import("./processes/chat.ts")).chat,
  "hook": async () => (await import("./processes/hook.ts")).hook,
  "isolation": async () => (await import("./processes/isolation.ts")).isolation,
  "serve": async () => (await import("./processes/serve.ts")).serve,
  "watch": async () => (await import("./processes/watch.ts")).watch,
  "completions": async () => (await import("./completion/completions.ts")).completions,
} satisfies Record<string, () => Promise<AnyProcess>>;

/** The names of all processes. */
export const processNames: readonly string[] = Object.keys(loaders);

/** Loads a process by name, or returns undefined. */
export async function findProcess(name: string): Promise<AnyProcess | undefined> {
  if (!Object.hasOwn(loaders, name)) return undefined;
  return await loaders[name as keyof typeof loaders]();
}

/** Loads all processes, for help and documentation. */
export async function loadProcesses(): Promise<AnyProcess[]> {
  const found = await Promise.all(processNames.map(findProcess));
  return found.filter((process) => process !== undefined);
}
