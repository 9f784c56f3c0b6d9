// What the server tells by itself: that the store has changed. One connection for the whole page.

import { useEffect, useState } from "preact/hooks";

const listeners = new Set<(isTracesOnly: boolean) => void>();
let source: EventSource | undefined;
let isFirst = true;

/**
 * A number that grows whenever the store changes. Asking leaves traces, so whoever asked anew at each
 * trace would never stop: only what shows traces hears of them.
 */
export function useLive({ hearsTraces = false } = {}): number {
  const [change, setChange] = useState(0);
  useEffect(() => {
    source ??= listen();
    const hear = (isTracesOnly: boolean): void => {
      if (hearsTraces || !isTracesOnly) setChange((before) => before + 1);
    };
    listeners.add(hear);
    return () => void listeners.delete(hear);
  }, [hearsTraces]);
  return change;
}

function listen(): EventSource {
  const events = new EventSource("events");
  events.addEventListener("change", ({ data }) => {
    const { changed }: { changed: string[] } = JSON.parse(data);
    // The first event says where the store is; nothing has changed since the page asked.
    if (!isFirst) tellChange(changed.length > 0 && changed.every((kind) => kind === "traces"));
    isFirst = false;
  });
  return events;
}

/** Has everything asked anew; also what the page did itself changes the store. */
export function tellChange(isTracesOnly = false): void {
  for (const listener of [...listeners]) listener(isTracesOnly);
}
