// The local HTTP server's routes: guard first, then `/mcp`, `/api/<command>` and `/events`. What
// stands at `/mcp` is handed in, because the web does not know the MCP SDK.

import type { AnyCommand, Context } from "../table/command.ts";
import { encode } from "../table/execute.ts";
import { type ApiOptions, serveApi } from "./api.ts";
import { serveEvents } from "./events.ts";
import { findRefusal } from "./guard.ts";

/** What the server is made of. */
export interface WebOptions {
  context: Context;
  token?: string;
  readOnly?: boolean;
  findCommand: ApiOptions["findCommand"];
  loadCommands(): Promise<AnyCommand[]>;
  /** The MCP endpoint. */
  mcp(request: Request): Promise<Response>;
}

/** A handler from Request to Response, for `Deno.serve` and for tests without a port. */
export function makeWebHandler(options: WebOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const refusal = findRefusal(request, { token: options.token });
    if (refusal) return refusal;
    const { pathname } = new URL(request.url);
    if (pathname === "/mcp") return await options.mcp(request);
    if (pathname === "/api") return await listApi(options);
    if (pathname.startsWith("/api/")) return await serveApi(request, options);
    if (pathname === "/events") return serveEvents(request, options.context);
    const error = { code: "NOT_FOUND", message: "There is nothing here" };
    return Response.json({ error }, { status: 404 });
  };
}

async function listApi(options: WebOptions): Promise<Response> {
  const commands = (await options.loadCommands())
    .filter((command) => !command.local && (!options.readOnly || command.effect === "read"))
    .map(({ name, summary, effect }) => ({
      path: `/api/${name.replaceAll(" ", "/")}`,
      summary,
      effect,
    }));
  return new Response(encode({ commands }) + "\n", {
    headers: { "content-type": "application/json" },
  });
}
