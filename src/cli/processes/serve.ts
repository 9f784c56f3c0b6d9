// `ctx serve`: MCP, the commands and change events over HTTP, on loopback only and with a token.

import { CtxError } from "../../core/errors.ts";
import { flag, integer, optionalText } from "../../command/shape.ts";
import { findCommand, loadCommands } from "../../commands/mod.ts";
import { mcp, servedFlags } from "./mcp.ts";
import { defineProcess, type ProcessWorld } from "../line/process.ts";
import {
  confineServer,
  findServedWorkspace,
  openServed,
  type ServedOptions,
  withoutFlag,
} from "./served.ts";
import { announce, chooseToken, findFreePort, hostname, listenHere } from "./http_server.ts";
import { tellLine, writeOut } from "../line/terminal.ts";

export const tokenFlag = optionalText("The access token (safer in CTX_TOKEN).");

export const serve = defineProcess({
  name: "serve",
  lasting: true,
  access: "server",
  summary: "Serve MCP and all commands over HTTP (/mcp, /api, /events).",
  description:
    "Listens on 127.0.0.1; other addresses need --remote and --host. Requests need the token as `Authorization: Bearer TOKEN`; without --token or CTX_TOKEN, a new one is created and printed. Requests for other hosts or from other origins are refused. If a program starts it on pipes without a port or token, it serves MCP there, like `ctx mcp`. On Windows, background HTTP needs --port.",
  input: {
    port: integer("The port; 0 chooses a free one.", { min: 0, max: 65535, default: 4577 }),
    token: tokenFlag,
    remote: flag("Serve the team's space to others, read-only."),
    host: optionalText("Address to listen on, with --remote."),
    ...servedFlags,
  },
  examples: [{ argv: ["serve", "--port", "4577"], about: "Serve this workspace." }],
  async run(input, world) {
    if (input.remote) {
      refuseWith(
        input,
        ["token", "session"],
        "each member has their own token: ctx team token NAME",
      );
      const { serveSpace } = await import("./serve_space.ts");
      return await serveSpace(input, world);
    }
    if (input.host !== undefined) {
      refuseWith(input, ["host"], "add --remote to listen on another address");
    }
    if (await isForClient(world)) {
      writeOut("stderr", "ctx: MCP on standard input; ctx serve --port 4577 serves HTTP\n");
      return await mcp.run({ ...input, explain: false }, world);
    }
    const workspace = findServedWorkspace(world.workspace);
    const port = input.port === 0 ? findFreePort(world.signal) : input.port;
    const words = ["--port", String(port), ...withoutFlag(world.words, "--port")];
    const net = [`${hostname}:${port}`];
    const server = { name: "serve", workspace, words, net, readsInput: false };
    const confined = await confineServer(server);
    if (confined !== undefined) return confined;
    const token = chooseToken(input.token);
    const { json, signal } = world;
    return await serveHttp({ ...input, workspace, port, token, json, surface: "http" }, signal);
  },
});

/** Says no to flags that do not go with the others. */
function refuseWith(input: Record<string, unknown>, names: string[], hint: string): void {
  const given = names.find((name) => input[name] !== undefined && input[name] !== "all");
  if (given === undefined) return;
  throw new CtxError("USAGE", `Cannot run serve with --${given} here`, { hint });
}

/** Whether an MCP client started it: with pipes, and with nothing that only HTTP has. */
async function isForClient({ words, json }: ProcessWorld): Promise<boolean> {
  const isForHttp = json || words.some((word) => /^--(port|token)(=|$)/i.test(word));
  if (isForHttp || Deno.env.get("CTX_TOKEN")) return false;
  const { fstatSync } = await import("node:fs");
  return [Deno.stdin, Deno.stdout].every((stream, id) => {
    if (stream.isTerminal()) return false;
    try {
      const file = fstatSync(id);
      return file.isFIFO() || file.isSocket();
    } catch {
      // Under Wine, asking about a pipe fails. NUL may fail too: --port says that HTTP is meant.
      return Deno.build.os === "windows";
    }
  });
}

/** Listens until it is told to stop. */
async function serveHttp(
  options: ServedOptions & { port: number; token: string; json: boolean },
  signal?: AbortSignal,
): Promise<number> {
  const { makeMcpEndpoint } = await import("../../serve/mcp/http.ts");
  const { makeWebHandler } = await import("../../serve/web/web_handler.ts");
  const { context, factory } = await openServed(options);
  const report = (message: string): void => writeOut("stderr", `ctx: ${message}\n`);
  const mcp = makeMcpEndpoint(factory, report);
  const handler = makeWebHandler({
    context,
    token: options.token,
    readOnly: options.read_only,
    findCommand,
    loadCommands,
    mcp: mcp.fetch,
  });
  const server = await listenHere({ name: "serve", port: options.port, signal }, handler);
  const url = `http://${hostname}:${server.port}`;
  tellLine(`serving ${options.workspace} at ${url}; press Ctrl-C to stop`);
  tellLine(`agents at ${url}/mcp, commands at ${url}/api, changes at ${url}/events`);
  tellLine(`each request needs the header Authorization: Bearer ${options.token}`);
  announce({ url, mcp: `${url}/mcp`, token: options.token }, options.json);
  await server.finished;
  await mcp.close();
  return 0;
}
