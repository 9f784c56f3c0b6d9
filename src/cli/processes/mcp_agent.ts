// `ctx mcp agent`: an MCP server with one tool, `ask_documents`. Confined like `ctx mcp`, except
// that it may reach the configured provider, and the user's own store for documents and the ledger.

import { enabled, list, optionalText, text, withDefault } from "../../table/shape.ts";
import { findCommand } from "../../commands/mod.ts";
import { userStoreDirectory } from "../../config/load_config.ts";
import { CtxError } from "../../core/errors.ts";
import type { AgentLimits } from "../../mcp/agent_catalog.ts";
import { defineProcess } from "../line/process.ts";
import { confineServer, findServedWorkspace } from "./served.ts";
import { stopSignal } from "./stop_signal.ts";
import { writeBytes, writeOut } from "../line/terminal.ts";

/** Serves `ask_documents` over stdio. */
export const mcpAgent = defineProcess({
  name: "mcp agent",
  group: "Serving",
  summary: "Serve one MCP tool, ask_documents: a question in, a sourced answer out.",
  description:
    "The agent searches and reads inside, so that only the answer costs the caller context. It can reach the configured provider and nothing else on the network.",
  input: {
    collections: list("Only documents of this collection."),
    session: withDefault(text("Only this session: all, current or an id.", 1), "all"),
    project: optionalText("Only this project."),
    global: enabled("Your own collections too; --no-global leaves them out."),
    model: optionalText("Another model than the configured one."),
  },
  short: { c: "collections" },
  flags: { collections: "collection" },
  examples: [
    { argv: ["mcp", "agent"], about: "Serve the whole memory." },
    { argv: ["mcp", "agent", "--collection", "handbook"], about: "Serve one collection." },
  ],
  async run(limits, world) {
    const workspace = findServedWorkspace(world.workspace);
    const confined = await confineServer({
      name: "mcp agent",
      workspace,
      words: world.words,
      model: limits.model,
      userStore: userStoreDirectory((name) => findVariable(name)),
      env: ["XDG_DATA_HOME"],
    });
    if (confined !== undefined) return confined;
    return await serveAgent({ workspace, limits, signal: world.signal });
  },
});

async function serveAgent(
  options: { workspace: string; limits: AgentLimits; signal?: AbortSignal },
): Promise<number> {
  const { openContext } = await import("../../app.ts");
  const { makeAgentCatalog } = await import("../../mcp/agent_catalog.ts");
  const { makeServerFactory } = await import("../../mcp/server_factory.ts");
  const { serveOverPipes } = await import("../../mcp/stdio.ts");
  const { versionInfo } = await import("../../version.ts");
  const stop = stopSignal(options.signal);
  const ask = await findCommand("ask");
  if (ask === undefined) throw new CtxError("INTERNAL", "There is no command ask");
  const context = openContext({
    surface: "mcp",
    workspace: options.workspace,
    confined: true,
    warn: (message) => writeOut("stderr", `ctx: warning: ${message}\n`),
  });
  const catalog = makeAgentCatalog(ask, { context, limits: options.limits });
  const factory = makeServerFactory({ catalog, version: versionInfo().version });
  await serveOverPipes(factory, {
    input: Deno.stdin.readable,
    write: (bytes) => writeBytes("stdout", bytes),
    report: (message) => writeOut("stderr", `ctx: ${message}\n`),
  }, stop);
  return 0;
}

function findVariable(name: string): string | undefined {
  const granted = Deno.permissions.querySync({ name: "env", variable: name }).state === "granted";
  return granted ? Deno.env.get(name) : undefined;
}
