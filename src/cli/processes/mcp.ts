// `ctx mcp`: the MCP server on standard input and output, confined by the runtime to one workspace.

import { flag, optionalText, text, withDefault } from "../../command/shape.ts";
import { defineProcess } from "../line/process.ts";
import { confineServer, findServedWorkspace, openServed, serveOnPipes } from "./served.ts";
import { stopSignal } from "./stop_signal.ts";
import { writeOut } from "../line/terminal.ts";

/** The flags that both servers take. */
export const servedFlags = {
  session: withDefault(
    text("all; current opens a session for this client; an id scopes the server to it.", 1),
    "all",
  ),
  read_only: flag("Offer only what reads."),
  tools: withDefault(text("core, documents, all, or names with commas between.", 1), "core"),
};

export const mcp = defineProcess({
  name: "mcp",
  lasting: true,
  access: "server",
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
      const { explainTools } = await import("../../serve/mcp/explain_tools.ts");
      const { catalog } = await openServed({ ...input, workspace, surface: "mcp" });
      writeOut("stdout", await explainTools(catalog, world.json));
      return 0;
    }
    const confined = await confineServer({ name: "mcp", workspace, words: world.words });
    if (confined !== undefined) return confined;
    const stop = stopSignal(world.signal);
    const { factory } = await openServed({ ...input, workspace, surface: "mcp" });
    return await serveOnPipes(factory, stop);
  },
});
