// `/source`: the files of the work tree for the page alone, and with `?path=` one of them with the
// story of its lines. A page that is limited to one session has none.

import type { Context } from "../../command/command.ts";
import { encode } from "../../command/execute.ts";
import { CtxError, toCtxError, toErrorBody } from "../../core/errors.ts";

/** Answers one request. */
export async function serveSource(request: Request, context: Context): Promise<Response> {
  try {
    if (context.scopedSession !== undefined) {
      throw new CtxError("DENIED", "Cannot show source: this page is limited to one session");
    }
    const { listSource, readSource } = await import("../../read/overview/read_source.ts");
    const path = new URL(request.url).searchParams.get("path");
    const own = { ...context, signal: request.signal };
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
