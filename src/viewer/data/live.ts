// What the server tells by itself: that the store has changed. One connection for the whole page.

import { useEffect, useState } from "preact/hooks";

const listeners = new Set<(change: number) => void>();
let change = 0;
let source: EventSource | undefined;
let isFirst = true;

/** A number that grows whenever the store changes. */
export function useLive(): number {
  const [seen, setSeen] = useState(change);
  useEffect(() => {
    source ??= listen();
    listeners.add(setSeen);
    return () => void listeners.delete(setSeen);
  }, []);
  return seen;
}

function listen(): EventSource {
  const events = new EventSource("/events");
  events.addEventListener("change", () => {
    // The first event says where the store is; nothing has changed since the page asked.
    if (!isFirst) tellChange();
    isFirst = false;
  });
  return events;
}

/** Has everything asked anew; also what the page did itself changes the store. */
export function tellChange(): void {
  change++;
  for (const listener of [...listeners]) listener(change);
}
