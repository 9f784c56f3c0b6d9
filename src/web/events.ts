// `/events`: tells listeners, as server-sent events, that the store has changed. Carries the
// revision and counts only, no stored text; whoever wants the rows asks for them.

import type { Context } from "../table/command.ts";

const pollMs = 500;

/** Streams a `change` event whenever the store's revision moves, starting with where it is. */
export function serveEvents(request: Request, context: Context): Response {
  let timer: ReturnType<typeof setInterval> | undefined;
  let last = Number(request.headers.get("last-event-id") ?? NaN);
  const encoder = new TextEncoder();
  const stop = (): void => clearInterval(timer);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const tick = async (): Promise<void> => {
        const news = await readNews(context);
        if (news === undefined || news.revision === last) return;
        last = news.revision;
        const lines = `id: ${news.revision}\nevent: change\ndata: ${JSON.stringify(news)}\n\n`;
        try {
          controller.enqueue(encoder.encode(lines));
        } catch {
          stop();
        }
      };
      controller.enqueue(encoder.encode(": ctx\n\n"));
      tick();
      timer = setInterval(tick, pollMs);
      request.signal.addEventListener("abort", stop);
    },
    cancel: stop,
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

interface News {
  revision: number;
  entries: number;
}

async function readNews(context: Context): Promise<News | undefined> {
  try {
    const { revision, logs } = (await context.openStore()).readState();
    return { revision, entries: logs.hot.rows + logs.archive.rows };
  } catch {
    return undefined;
  }
}
