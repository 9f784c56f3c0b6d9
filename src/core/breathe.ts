// Lets timers and signals in during long synchronous work: a listener for SIGTERM runs only when the
// event loop turns, and awaiting what is ready does not turn it.

const everyMs = 50;
/** Turning the event loop loads timers, which takes longer than most commands have to work. */
const patienceMs = 200;
let last = performance.now() + patienceMs;

/** Whether the event loop has not turned here for a while: loops ask before they await `breathe`. */
export function isBreathDue(): boolean {
  return performance.now() - last >= everyMs;
}

/** Turns the event loop if it has not turned here for a while; throws when the signal is aborted. */
export async function breathe(signal?: AbortSignal): Promise<void> {
  if (!isBreathDue()) return;
  await turnEventLoop();
  last = performance.now();
  signal?.throwIfAborted();
}

/** Gives everything that waits its turn. */
export function turnEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
