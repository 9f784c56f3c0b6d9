// `ctx serve --remote`: the hub of a space. People without a copy of their own ask this one, each with
// a token of their own, over HTTP and MCP; nothing can be changed through it.

import { findCommand, loadCommands } from "../../commands/mod.ts";
import { CtxError } from "../../core/errors.ts";
import { diskFiles } from "../../disk/files.ts";
import { type Layout, layoutOf } from "../../disk/layout.ts";
import { readRemote, type RemoteFile } from "../../store/team/remote_file.ts";
import { readMembers } from "../../store/team/team_log.ts";
import { hashToken, hubPath, readTokens } from "../../team/sync/hub_tokens.ts";
import type { AnyCommand, Context } from "../../command/command.ts";
import type { HubSide } from "../../serve/web/hub_handler.ts";
import { tellLine, writeOut } from "../line/terminal.ts";
import type { ProcessWorld } from "../line/process.ts";
import { announce, findFreePort, hostname, listenHere } from "./http_server.ts";
import { confineServer, findServedWorkspace, openServed, withoutFlag } from "./served.ts";

/** What others may ask: texts that were shared, and nothing of this machine. */
const hubCommands: readonly string[] = [
  "search",
  "get",
  "timeline",
  "sessions",
  "scan",
  "outline",
  "find",
  "show",
  "read",
  "records",
  "pack",
];

interface HubInput {
  port: number;
  host?: string;
  tools: string;
}

/** Serves the space of a store until it is told to stop. */
export async function serveSpace(input: HubInput, world: ProcessWorld): Promise<number> {
  const workspace = findServedWorkspace(world.workspace);
  const layout = layoutOf(workspace);
  const remote = getRemote(layout);
  const tokensPath = hubPath({ env: (name) => Deno.env.get(name) });
  const address = input.host ?? hostname;
  const port = input.port === 0 ? findFreePort(world.signal) : input.port;
  const confined = await confineServer({
    name: "serve",
    workspace,
    words: ["--port", String(port), ...withoutFlag(world.words, "--port")],
    net: [`${address.includes(":") ? `[${address}]` : address}:${port}`],
    reads: [tokensPath],
    readsInput: false,
    isAlone: true,
  });
  if (confined !== undefined) return confined;
  const { makeHub } = await import("../../serve/web/hub_handler.ts");
  const openSide = (asker: string) => openHubSide({ workspace, tools: input.tools, asker });
  // A wrong word is told now, not to whoever asks first.
  await (await openSide(remote.name)).close();
  const { context } = await openServed({ ...servedAs(workspace), tools: input.tools });
  const fault = await findFault(context, remote);
  if (fault) throw fault;
  const hub = makeHub({
    anyHost: input.host !== undefined,
    hashToken,
    readTokens: () => withoutRevoked(readTokens(diskFiles, tokensPath, remote.writer), layout),
    findFault: () => findFault(context, remote),
    openSide,
  });
  const { signal } = world;
  const server = await listenHere({ name: "serve", port, signal, address }, hub.fetch);
  const url = `http://${address.includes(":") ? `[${address}]` : address}:${server.port}`;
  tellLine(`serving the space ${remote.space} at ${url} (read-only); press Ctrl-C to stop`);
  tellLine(
    `agents at ${url}/mcp, commands at ${url}/api; ctx team token NAME gives someone access`,
  );
  if (!isLoopback(address)) {
    tellLine("tokens and answers are not encrypted: put TLS in front of it");
  }
  announce({ url, mcp: `${url}/mcp`, space: remote.space }, world.json);
  await server.finished;
  await hub.close();
  return 0;
}

function getRemote(layout: Layout): RemoteFile {
  const remote = readRemote({ files: diskFiles, layout });
  if (remote !== undefined) return remote;
  const message = `Cannot serve a space: the store in "${layout.workspace}" is not in a space`;
  throw new CtxError("NOT_FOUND", message, { hint: "ctx team add --invite FILE" });
}

/**
 * What the user keeps in a store of their own is not all for others, and nothing there says what of it
 * is: a hub has only what came with the space.
 */
async function findFault(context: Context, remote: RemoteFile): Promise<CtxError | undefined> {
  const { logs } = (await context.openStore()).readState();
  const own = [logs.hot, logs.archive].reduce((sum, log) => sum + log.rows - log.tombstones, 0);
  if (own === 0) return undefined;
  const entries = own === 1 ? "an entry" : `${own} entries`;
  const message = `Cannot serve the space "${remote.space}": this store has ${entries} of its own`;
  return new CtxError("DENIED", message, {
    hint: "join the space from an empty directory and serve that one: ctx init, then ctx team add",
  });
}

function withoutRevoked(tokens: Map<string, string>, layout: Layout): Map<string, string> {
  for (const { name, revoked_at } of readMembers(diskFiles, layout)?.members ?? []) {
    if (revoked_at !== undefined) tokens.delete(name);
  }
  return tokens;
}

function servedAs(workspace: string) {
  return { workspace, surface: "http" as const, session: "all", read_only: true };
}

/** What answers one person: their own sessions of MCP, and their name in what is asked. */
async function openHubSide(
  { workspace, tools, asker }: { workspace: string; tools: string; asker: string },
): Promise<HubSide> {
  const { makeMcpEndpoint } = await import("../../serve/mcp/http.ts");
  const { makeWebHandler } = await import("../../serve/web/web_handler.ts");
  const table = hubTable(asker);
  const { context, factory } = await openServed({
    ...servedAs(workspace),
    tools,
    table,
    alone: { asker, openProject: undefined, openUserStore: () => Promise.resolve(undefined) },
  });
  const mcp = makeMcpEndpoint(factory, (message) => writeOut("stderr", `ctx: ${message}\n`));
  const fetch = makeWebHandler({
    context,
    anyHost: true,
    readOnly: true,
    ...table,
    mcp: mcp.fetch,
  });
  return { fetch, close: mcp.close };
}

function hubTable(asker: string) {
  const find = async (name: string): Promise<AnyCommand | undefined> => {
    const command = await findCommand(name);
    return command && hubCommands.includes(command.name) ? asAsker(command, asker) : undefined;
  };
  return {
    findCommand: find,
    loadCommands: async () =>
      (await loadCommands()).filter(({ name }) => hubCommands.includes(name))
        .map((command) => asAsker(command, asker)),
  };
}

/** The command, where `mine` means the rows of whoever asks: none here is the hub's own. */
function asAsker(command: AnyCommand, asker: string): AnyCommand {
  if (command.input.mine === undefined) return command;
  return {
    ...command,
    run: (input, context) =>
      command.run(input.mine === true ? { ...input, mine: false, author: asker } : input, context),
  };
}

function isLoopback(address: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(address);
}
