// `ctx mcp`: the MCP server on standard input and output, confined by the runtime to one workspace.

import { flag, optionalText, text, withDefault } from "../../command/shape.ts";
import { defineProcess } from "../line/process.ts";
import { confineServer, findServedWorkspace, openServed, serveOnPipes } from "./served.ts";
import { stopSignal } from "./stop_signal.ts";
import { writeOut } from "../line/terminal.ts";

/** The flags that both servers take. */
export const servedFlags = {
  session: withDefault(
    text(
      "all, current (a new session for this client), or the id of the only session to serve.",
      1,
    ),
    "all",
  ),
  read_only: flag("Offer only read-only tools."),
  tools: withDefault(text("core, documents, all, or names separated by commas.", 1), "core"),
};

export const mcp = defineProcess({
  name: "mcp",
  lasting: true,
  access: "server",
  summary: "Run the MCP server on standard input and output.",
  description:
    "The server can read the workspace and your ctx configuration, and write only to .contextfs/. It has no network access except to a configured provider, and starts no processes. With --session ID it shows only that session. `ctx setup` registers the server with your agent.",
  input: {
    ...servedFlags,
    guide_name: optionalText("The guide's tool name, if a client rejects __IMPORTANT."),
    explain: flag("Print the tool list and its token cost, then exit."),
  },
  examples: [
    { argv: ["mcp", "--explain"], about: "Show the tools and their token cost." },
    {
      argv: ["mcp", "--session", "S-1m2few700s4d0k3nc"],
      about: "Serve only one session.",
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
    const { factory } = await openServed({ ...input, workspace, surface: "mcp", later: true });
    return await serveOnPipes(factory, stop);
  },
});
