// `/source`: the files of the work tree for the page alone, with `?path=` one of them with the story of
// its lines, and with `?folder=` who worked where in a folder. `/agents`: when each agent was heard of.
// A page that is limited to one session has neither.

import type { Context } from "../../command/command.ts";
import { encode } from "../../command/execute.ts";
import { CtxError, toCtxError, toErrorBody } from "../../core/errors.ts";

/** Answers one request. */
export async function serveSource(request: Request, context: Context): Promise<Response> {
  try {
    if (context.scopedSession !== undefined) {
      throw new CtxError("DENIED", "Cannot show this: the page is limited to one session");
    }
    const { pathname, searchParams } = new URL(request.url);
    const [path, folder] = ["path", "folder"].map((name) => searchParams.get(name));
    const own = { ...context, signal: request.signal };
    if (pathname.endsWith("/agents")) {
      const { readHeard } = await import("../../read/overview/read_heard.ts");
      return toJson(await readHeard(own), 200);
    }
    if (folder !== null) {
      const { readHeat } = await import("../../read/overview/read_heat.ts");
      return toJson(await readHeat(folder, own), 200);
    }
    const { listSource, readSource } = await import("../../read/overview/read_source.ts");
    return toJson(path === null ? await listSource(own) : await readSource(path, own), 200);
  } catch (thrown) {
    const error = toCtxError(thrown);
    const status = error.code === "NOT_FOUND" ? 404 : error.code === "DENIED" ? 403 : 500;
    return toJson({ error: toErrorBody(error) }, status);
  }
}

function toJson(body: object, status: number): Response {
  const headers = { "content-type": "application/json" };
  return new Response(`${encode(body)}\n`, { status, headers });
}
