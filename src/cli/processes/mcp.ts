// `ctx mcp`: the MCP server on standard input and output, confined by the runtime to one workspace.

import { flag, optionalText, text, withDefault } from "../../table/shape.ts";
import { defineProcess } from "../line/process.ts";
import { confineServer, findServedWorkspace, openServed } from "./served.ts";
import { stopSignal } from "./stop_signal.ts";
import { writeBytes, writeOut } from "../line/terminal.ts";

/** The flags that both servers take. */
export const servedFlags = {
  session: withDefault(
    text("all; current opens a session for this client; an id scopes the server to it.", 1),
    "all",
  ),
  read_only: flag("Offer only what reads."),
  tools: withDefault(text("core, all, or names with commas between.", 1), "core"),
};

/** Serves MCP over stdio. */
export const mcp = defineProcess({
  name: "mcp",
  group: "Serving",
  summary: "Serve the memory to an agent over MCP (standard input and output).",
  description:
    "The server can read the workspace and write its .contextfs/, nothing else: no network but a configured provider's host, no subprocess. With --session ID it shows that session only. `ctx setup` writes the entry for your agent.",
  input: {
    ...servedFlags,
    guide_name: optionalText("The guide's tool name, if a client rejects __IMPORTANT."),
    explain: flag("Print the tool list and what it costs in tokens, and stop."),
  },
  examples: [
    { argv: ["mcp", "--explain"], about: "What does an agent see, and what does it cost?" },
    {
      argv: ["mcp", "--session", "S-1m2few700s4d0k3nc"],
      about: "Serve one session, nothing else.",
    },
  ],
  async run(input, world) {
    const workspace = findServedWorkspace(world.workspace);
    if (input.explain) {
      const { explainTools } = await import("../../mcp/explain_tools.ts");
      const { catalog } = await openServed({ ...input, workspace, surface: "mcp" });
      writeOut("stdout", await explainTools(catalog, world.json));
      return 0;
    }
    const confined = await confineServer({ name: "mcp", workspace, words: world.words });
    if (confined !== undefined) return confined;
    return await serveMcp({ ...input, workspace, signal: world.signal });
  },
});

/** Serves on the pipes of this process or worker until the input ends. */
export async function serveMcp(
  options: {
    workspace: string;
    session: string;
    read_only: boolean;
    tools: string;
    guide_name?: string;
    signal?: AbortSignal;
  },
): Promise<number> {
  const stop = stopSignal(options.signal);
  const { factory } = await openServed({ ...options, surface: "mcp" });
  const { serveOverPipes } = await import("../../mcp/stdio.ts");
  await serveOverPipes(factory, {
    input: Deno.stdin.readable,
    write: (bytes) => writeBytes("stdout", bytes),
    report: (message) => writeOut("stderr", `ctx: ${message}\n`),
  }, stop);
  return 0;
}
