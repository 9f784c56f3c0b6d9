// `/events`: tells listeners, as server-sent events, that the store has changed, and what of it.
// Carries the revision, counts and names of kinds only, no stored text; whoever wants the rows asks.

import { checksum } from "../../core/checksum.ts";
import { pools } from "../../core/entry.ts";
import { hashHex } from "../../core/hash.ts";
import type { Context } from "../../command/command.ts";

const pollMs = 500;

/**
 * Streams a `change` event whenever something of the store moves, starting with where it is. A listener
 * that comes back with the id of its last event hears at once when it missed something.
 */
export function serveEvents(request: Request, context: Context): Response {
  let timer: ReturnType<typeof setInterval> | undefined;
  let lastId = request.headers.get("last-event-id");
  let last: Marks | undefined;
  const encoder = new TextEncoder();
  const stop = (): void => clearInterval(timer);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const tick = async (): Promise<void> => {
        const read = await readNews(context);
        if (read === undefined) return;
        const { marks, ...news } = read;
        const id = `${news.revision}-${hashHex(JSON.stringify(marks))}`;
        const known = last;
        last = marks;
        if (id === lastId) return;
        // Whoever was away may have missed any of them.
        const changed = kinds.filter((kind) =>
          known === undefined ? lastId !== null : known[kind] !== marks[kind]
        );
        lastId = id;
        const data = JSON.stringify({ ...news, changed });
        const lines = `id: ${id}\nevent: change\ndata: ${data}\n\n`;
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

const kinds = [
  "entries",
  "sessions",
  "pins",
  "suggestions",
  "traces",
  "injections",
  "acts",
] as const;

/** Where each kind of thing stands: whether that has moved is all that can be told from it. */
type Marks = Record<typeof kinds[number], number>;

interface News {
  revision: number;
  entries: number;
  marks: Marks;
}

async function readNews(context: Context): Promise<News | undefined> {
  try {
    const store = await context.openStore();
    const { files, layout } = store;
    const { revision, logs } = store.readState();
    const sizeOf = (path: string): number => files.findSize(path) ?? 0;
    const marks = {
      entries: pools.reduce((sum, pool) => sum + logs[pool].bytes, 0),
      sessions: sizeOf(layout.sessions),
      // Rewritten in place, and short.
      pins: checksum(files.findBytes(layout.pins) ?? new Uint8Array()),
      suggestions: sizeOf(layout.suggestions),
      traces: sizeOf(layout.traces),
      injections: sizeOf(layout.injections),
      acts: sizeOf(layout.acts),
    };
    return { revision, entries: pools.reduce((sum, pool) => sum + logs[pool].rows, 0), marks };
  } catch {
    return undefined;
  }
}
