// `ctx mcp agent`: an MCP server with one tool, `ask_documents`. Confined like `ctx mcp`, except
// that it may reach the configured provider, and the user's own store for documents and the ledger.

import { askLimits } from "../../ask/ask_limits.ts";
import { findLack } from "../../ask/llm_settings.ts";
import { findCommand } from "../../commands/mod.ts";
import { userStoreDirectory } from "../../config/load_config.ts";
import { findEnvironment } from "../../core/environment.ts";
import { CtxError } from "../../core/errors.ts";
import { defineProcess } from "../line/process.ts";
import {
  confineServer,
  findServedWorkspace,
  isStored,
  openServedContext,
  serveOnPipes,
} from "./served.ts";
import { stopSignal } from "./stop_signal.ts";
import { versionInfo } from "../../version.ts";

export const mcpAgent = defineProcess({
  name: "mcp agent",
  access: "server",
  summary: "Run an MCP server with one tool that answers questions.",
  description:
    "The tool, ask_documents, searches and reads on its own, so only the answer takes up the caller's context. It can reach the configured provider and nothing else on the network.",
  input: askLimits,
  short: { c: "collections" },
  flags: { collections: "collection" },
  examples: [
    { argv: ["mcp", "agent"], about: "Answer from everything." },
    { argv: ["mcp", "agent", "--collection", "handbook"], about: "Answer from one collection." },
  ],
  async run(limits, world) {
    const workspace = findServedWorkspace(world.workspace);
    const confined = await confineServer({
      name: "mcp agent",
      workspace,
      words: world.words,
      model: limits.model,
      userStore: userStoreDirectory(findEnvironment),
      env: ["XDG_DATA_HOME"],
    });
    if (confined !== undefined) return confined;
    const stop = stopSignal(world.signal);
    const { makeAgentCatalog } = await import("../../serve/mcp/agent_catalog.ts");
    const { makeServerFactory } = await import("../../serve/mcp/server_factory.ts");
    const ask = await findCommand("ask");
    if (ask === undefined) throw new CtxError("INTERNAL", "There is no command ask");
    const context = openServedContext({ surface: "mcp", workspace });
    const lack = findLack(await context.readConfig(), limits);
    if (lack !== undefined) context.warn(lack);
    const hasStore = (): boolean => isStored(workspace);
    const catalog = makeAgentCatalog(ask, { context, limits, hasStore });
    const { version } = versionInfo();
    return await serveOnPipes(makeServerFactory({ catalog, version, isLasting: true }), stop);
  },
});
