// Waits until one of some directories changes, or a while has passed, or the caller has enough.

const settleMs = 400;
const pollMs = 10_000;

/** True when it is time to look again, false when the signal says stop. */
export async function waitForChange(paths: string[], signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const watcher = openWatcher(paths);
  const stopped = new Promise<false>((resolve) =>
    signal.addEventListener("abort", () => resolve(false), { once: true })
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = (ms: number) =>
    new Promise<true>((resolve) => timer = setTimeout(() => resolve(true), ms));
  try {
    const events = watcher?.[Symbol.asyncIterator]();
    const changed = events ? events.next().then(() => true as const) : pause(pollMs);
    const again = await Promise.race([stopped, changed, pause(pollMs)]);
    clearTimeout(timer);
    // Agents write in bursts: one look after the burst, not one per line.
    return again && await Promise.race([stopped, pause(settleMs)]);
  } finally {
    clearTimeout(timer);
    closeWatcher(watcher);
  }
}

/** Watching is a convenience: where the system has no more watches, polling does. */
function openWatcher(paths: string[]): Deno.FsWatcher | undefined {
  try {
    return paths.length === 0 ? undefined : Deno.watchFs(paths);
  } catch {
    return undefined;
  }
}

function closeWatcher(watcher: Deno.FsWatcher | undefined): void {
  try {
    watcher?.close();
  } catch {
    return;
  }
}
