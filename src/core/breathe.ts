// Lets timers and signals in during long synchronous work: a listener for SIGTERM runs only when the
// event loop turns, and awaiting what is ready does not turn it.

const everyMs = 50;
/** Turning the event loop loads timers, which takes longer than most commands have to work. */
const patienceMs = 200;
let last = performance.now() + patienceMs;

/** Turns the event loop if it has not turned here for a while; throws when the signal is aborted. */
export async function breathe(signal?: AbortSignal): Promise<void> {
  if (performance.now() - last < everyMs) return;
  await new Promise((resolve) => setTimeout(resolve, 0));
  last = performance.now();
  signal?.throwIfAborted();
}
