// `ctx serve`: MCP, the commands and change events over HTTP, on loopback only and with a token.

import { integer, optionalText } from "../../table/shape.ts";
import { findCommand, loadCommands } from "../../commands/mod.ts";
import { findEnvironment } from "../../core/environment.ts";
import { CtxError } from "../../core/errors.ts";
import { heldVariable } from "../../mcp/sandbox.ts";
import { makeToken } from "../../web/guard.ts";
import type { Listening } from "../../web/listen.ts";
import { mcp, servedFlags } from "./mcp.ts";
import { defineProcess, type ProcessWorld } from "../line/process.ts";
import {
  confineServer,
  findServedWorkspace,
  openServed,
  type ServedOptions,
  withoutFlag,
} from "./served.ts";
import { stopSignal } from "./stop_signal.ts";
import { tellLine, writeOut } from "../line/terminal.ts";

const hostname = "127.0.0.1";

/** The flag of everything that listens. */
export const tokenFlag = optionalText("The token; CTX_TOKEN is the safer place for it.");

/** The token that was given, or a fresh one. */
export function chooseToken(given: string | undefined): string {
  return given ?? (Deno.env.get("CTX_TOKEN") || makeToken());
}

/** Serves HTTP on this machine. */
export const serve = defineProcess({
  name: "serve",
  group: "Serving",
  summary: "Serve MCP and all commands over HTTP on this machine (/mcp, /api, /events).",
  description:
    "Listens on 127.0.0.1 only. Requests need the token as `Authorization: Bearer TOKEN`; without --token or CTX_TOKEN a fresh one is made and printed. Requests for other hosts or from other origins are refused. A program that starts it with pipes and names no port or token is spoken to over MCP on them, as by `ctx mcp`.",
  input: {
    port: integer("The port; 0 takes a free one.", { min: 0, max: 65535, default: 4577 }),
    token: tokenFlag,
    ...servedFlags,
  },
  examples: [{ argv: ["serve", "--port", "4577"], about: "Serve this workspace." }],
  async run(input, world) {
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

/** Whether an MCP client started it: with pipes, and with nothing that only HTTP has. */
async function isForClient({ words, json }: ProcessWorld): Promise<boolean> {
  const isForHttp = json || words.some((word) => /^--(port|token)(=|$)/i.test(word));
  if (isForHttp || Deno.env.get("CTX_TOKEN")) return false;
  const { fstatSync } = await import("node:fs");
  return [0, 1].map((stream) => fstatSync(stream)).every((file) =>
    file.isFIFO() || file.isSocket()
  );
}

/** Listens until it is told to stop. */
async function serveHttp(
  options: ServedOptions & { port: number; token: string; json: boolean },
  signal?: AbortSignal,
): Promise<number> {
  const stop = AbortSignal.any([stopSignal(signal), inputEnd()]);
  const { makeMcpEndpoint } = await import("../../mcp/http.ts");
  const { makeWebHandler } = await import("../../web/web_handler.ts");
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
  const server = await listen(options.port, telling(handler), stop);
  const url = `http://${hostname}:${server.port}`;
  tellLine(`serving ${options.workspace} at ${url}; Ctrl-C ends it`);
  tellLine(`agents at ${url}/mcp, commands at ${url}/api, changes at ${url}/events`);
  tellLine(`each request needs the header Authorization: Bearer ${options.token}`);
  // Programs read the line; people have been told.
  if (!(Deno.stdout.isTerminal() && Deno.stderr.isTerminal()) || options.json) {
    writeOut("stdout", JSON.stringify({ url, mcp: `${url}/mcp`, token: options.token }) + "\n");
  }
  await server.finished;
  await mcp.close();
  return 0;
}

type Handler = (request: Request) => Promise<Response>;

/** Says on a terminal what is asked and how that goes; never with what, which may be secret. */
function telling(handler: Handler): Handler {
  if (!Deno.stderr.isTerminal()) return handler;
  return async (request) => {
    const begun = performance.now();
    const response = await handler(request);
    const took = Math.round(performance.now() - begun);
    const { pathname } = new URL(request.url);
    tellLine(`${request.method} ${pathname.slice(0, 80)} ${response.status}, ${took} ms`);
    return response;
  };
}

async function listen(
  port: number,
  handler: Handler,
  signal: AbortSignal,
): Promise<Listening> {
  const { listenHttp } = await import("../../web/listen.ts");
  try {
    return await listenHttp({ hostname, port, signal }, handler);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    throw new CtxError("USAGE", `Cannot listen on port ${port}: it is in use`, {
      hint: "ctx serve --port 0 takes a free one",
      cause: error,
    });
  }
}

/** Fires when the process that started this one and holds its input is gone. */
function inputEnd(): AbortSignal {
  const end = new AbortController();
  if (findEnvironment(heldVariable)) {
    Deno.stdin.readable.pipeTo(new WritableStream()).finally(() => end.abort());
  }
  return end.signal;
}

/** Found before the sandbox is set up, because the sandbox names the port. */
function findFreePort(signal: AbortSignal | undefined): number {
  signal?.throwIfAborted();
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}
