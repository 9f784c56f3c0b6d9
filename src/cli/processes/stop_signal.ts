// How a server is told to stop. Ctrl-C lets it finish what it has begun, for a moment; SIGTERM is not
// listened to, so that the system ends the process at once whatever it is doing: a listener would
// wait for work that never yields. The store is made to be left at any point.

const graceMs = 1000;

/**
 * The signal that was handed in, or one that fires at Ctrl-C. A terminal's Ctrl-C arrives twice: from
 * the terminal, and from the process that started this one; the second says nothing new.
 */
export function stopSignal(given?: AbortSignal): AbortSignal {
  if (given !== undefined) return given;
  const stop = new AbortController();
  Deno.addSignalListener("SIGINT", () => {
    if (stop.signal.aborted) return;
    Deno.unrefTimer(setTimeout(() => Deno.exit(0), graceMs));
    stop.abort();
  });
  return stop.signal;
}
