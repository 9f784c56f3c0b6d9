// Change notifications from the server. One connection for the whole page.

import { useEffect, useState } from "preact/hooks";
import * as z from "zod/mini";
import { change } from "./received.ts";

const listeners = new Set<(isTracesOnly: boolean) => void>();
let source: EventSource | undefined;
/** The last known position of the store; undefined before the first event. */
let lastId: string | undefined;

addEventListener("visibilitychange", follow, true);

/**
 * A number that grows whenever the store changes. Requests leave traces, so reloading at each trace would
 * never stop: only views that show traces are notified of them.
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

/** Browsers allow six connections per host, so a hidden tab keeps none. */
function follow(): void {
  if (document.visibilityState === "visible") source ??= listen();
  else source = void source?.close();
}

function listen(): EventSource {
  const events = new EventSource("events");
  events.addEventListener("change", ({ data, lastEventId }) => {
    // If the event does not say what has changed, anything may have.
    const { changed } = z.safeParse(change, JSON.parse(data)).data ?? { changed: [] };
    const isNews = lastId !== undefined && lastId !== lastEventId;
    lastId = lastEventId;
    // The first event only reports the position of the store; nothing has changed yet.
    if (isNews) tellChange(changed.length > 0 && changed.every((kind) => kind === "traces"));
  });
  return events;
}

/** Reloads everything; also called after the page itself changed the store. */
export function tellChange(isTracesOnly = false): void {
  for (const listener of [...listeners]) listener(isTracesOnly);
}
