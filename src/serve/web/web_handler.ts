// The local HTTP server's routes: guard first, then `/mcp`, `/api/<command>`, `/events` and the page's
// files and source. What stands at `/mcp` is handed in, because the web does not know the MCP SDK.

import type { AnyCommand, Context } from "../../command/command.ts";
import { encode } from "../../command/execute.ts";
import { type ApiOptions, serveApi } from "./api.ts";
import { serveEvents } from "./events.ts";
import { findRefusal, notFound } from "./guard.ts";
import { serveSource } from "./serve_source.ts";
import type { WebPage } from "./web_page.ts";

/** What the server is made of. */
export interface WebOptions {
  context: Context;
  token?: string;
  /** Whether the host in a request may be any; then somebody has looked at its token before. */
  anyHost?: boolean;
  readOnly?: boolean;
  findCommand: ApiOptions["findCommand"];
  loadCommands(): Promise<AnyCommand[]>;
  /** The MCP endpoint; the page's server has none. */
  mcp?(request: Request): Promise<Response>;
  /** The page, and who may see it; then a browser's cookie stands for the token. */
  page?: WebPage;
}

/** A handler from Request to Response, for `Deno.serve` and for tests without a port. */
export function makeWebHandler(options: WebOptions): (request: Request) => Promise<Response> {
  const { page } = options;
  const answer = async (request: Request): Promise<Response> => {
    const refusal = findRefusal(request, options);
    if (refusal) return refusal;
    const pathname = page === undefined ? new URL(request.url).pathname : page.findPath(request);
    if (pathname === undefined) return notFound();
    if (pathname === "/mcp" && options.mcp) return await options.mcp(request);
    if (pathname === "/api") return await listApi(options);
    if (pathname.startsWith("/api/")) return await serveApi(request, pathname, options);
    if (pathname === "/events") return serveEvents(request, options.context);
    if (page === undefined) return notFound();
    if (pathname === "/source" || pathname === "/agents") {
      return await serveSource(request, options.context);
    }
    return await page.findFile(pathname) ?? notFound();
  };
  if (page === undefined) return answer;
  return async (request) => page.guard(page.findEntry(request) ?? await answer(request));
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
