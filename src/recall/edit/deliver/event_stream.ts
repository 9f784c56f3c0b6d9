// A subscription as server-sent events. The event id is the cursor, so that a client that comes back
// with Last-Event-ID goes on where it was, also after a restart of the server. Host, Origin and token
// are checked by whoever mounts it.

import { CtxError } from "../../../core/errors.ts";
import type { Store } from "../../../store/store.ts";
import { readDeliveries } from "./deliveries.ts";
import { getSubscription, noteRead } from "./subscription.ts";

/** Answers `GET /events?subscription=B-…`; everything else is refused. */
export function serveEventStream(
  request: Request,
  options: { store: Store; signal: AbortSignal; pollMs: number },
): Response {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.pathname !== "/events") {
    return refuse(404, "NOT_FOUND", "Cannot serve this path: use GET /events?subscription=ID");
  }
  try {
    const { store } = options;
    const id = url.searchParams.get("subscription") ?? "";
    const subscription = getSubscription(store.files, store.layout, id);
    const said = request.headers.get("last-event-id") ?? url.searchParams.get("cursor");
    const from = Math.max(subscription.from, Number(said ?? 0) || 0);
    return new Response(streamFrom(id, from, options), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
  } catch (error) {
    if (!(error instanceof CtxError)) throw error;
    return refuse(404, error.code, error.message);
  }
}

function streamFrom(
  id: string,
  from: number,
  options: { store: Store; signal: AbortSignal; pollMs: number },
): ReadableStream<Uint8Array> {
  const { store, signal, pollMs } = options;
  const encoder = new TextEncoder();
  let cursor = from;
  let noted = from;
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = (): void => clearInterval(timer);
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const end = (): void => {
        stop();
        try {
          controller.close();
        } catch {
          return;
        }
      };
      const send = (): void => {
        for (const delivery of readDeliveries(store, { id }, { from: cursor, limit: 50 })) {
          const data = JSON.stringify(delivery);
          const text = `id: ${delivery.cursor}\nevent: suggestion\ndata: ${data}\n\n`;
          controller.enqueue(encoder.encode(text));
          cursor = delivery.cursor;
        }
        void noteRead(store, { id, cursor: noted }, { cursor, now: Date.now() });
        noted = cursor;
      };
      controller.enqueue(encoder.encode(": ctx\n\n"));
      send();
      timer = setInterval(send, pollMs);
      signal.addEventListener("abort", end);
    },
    cancel: stop,
  });
}

function refuse(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message, retryable: false } }, { status });
}
