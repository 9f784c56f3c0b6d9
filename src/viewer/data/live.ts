// What the server tells by itself: that the store has changed. One connection for the whole page.

import { useEffect, useState } from "preact/hooks";
import * as z from "zod/mini";
import { change } from "./received.ts";

const listeners = new Set<(isTracesOnly: boolean) => void>();
let source: EventSource | undefined;
/** Where the store was when it was last told; undefined before the first event. */
let lastId: string | undefined;

addEventListener("visibilitychange", follow, true);

/**
 * A number that grows whenever the store changes. Asking leaves traces, so whoever asked anew at each
 * trace would never stop: only what shows traces hears of them.
 */
export function useLive({ hearsTraces = false } = {}): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    follow();
    const hear = (isTracesOnly: boolean): void => {
      if (hearsTraces || !isTracesOnly) setCount((before) => before + 1);
    };
    listeners.add(hear);
    return () => void listeners.delete(hear);
  }, [hearsTraces]);
  return count;
}

/** Browsers hold six connections to a host at most: a tab that nobody looks at holds none. */
function follow(): void {
  if (document.visibilityState === "visible") source ??= listen();
  else source = void source?.close();
}

function listen(): EventSource {
  const events = new EventSource("events");
  events.addEventListener("change", ({ data, lastEventId }) => {
    // Where it is not told what has changed, anything may have.
    const { changed } = z.safeParse(change, JSON.parse(data)).data ?? { changed: [] };
    const isNews = lastId !== undefined && lastId !== lastEventId;
    lastId = lastEventId;
    // The first event says where the store is; nothing has changed since the page asked.
    if (isNews) tellChange(changed.length > 0 && changed.every((kind) => kind === "traces"));
  });
  return events;
}

/** Has everything asked anew; also what the page did itself changes the store. */
export function tellChange(isTracesOnly = false): void {
  for (const listener of [...listeners]) listener(isTracesOnly);
}
