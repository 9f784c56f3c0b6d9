// Trying again with growing pauses, for every provider that is asked over the network. Pure but for
// the wait it is handed.

/** One try that failed: the error to show when it was the last, and whether another can help. */
export class FailedTry extends Error {
  readonly error: Error;
  readonly retry: boolean;
  readonly status?: number;
  /** How long the other side asks to wait. */
  readonly afterMs?: number;

  constructor(error: Error, about: { retry: boolean; status?: number; afterMs?: number }) {
    super(error.message);
    this.error = error;
    this.retry = about.retry;
    this.status = about.status;
    this.afterMs = about.afterMs;
  }
}

/** How often and how patiently. */
export interface RetryOptions {
  wait: (ms: number) => Promise<void>;
  onRetry?: (event: { attempt: number; delayMs: number; reason: string }) => void;
  retries?: number;
  firstMs?: number;
  maxMs?: number;
}

/** Runs an action, again after 1, 2 and 4 seconds when that can help; the last failure is thrown. */
export async function withRetries<T>(
  action: () => Promise<T>,
  { wait, onRetry, retries = 3, firstMs = 1000, maxMs = 30_000 }: RetryOptions,
): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await action();
    } catch (failed) {
      if (!(failed instanceof FailedTry)) throw failed;
      if (!failed.retry || attempt > retries) throw failed.error;
      const { status, afterMs = 0 } = failed;
      const delayMs = Math.min(maxMs, Math.max(afterMs, firstMs * 2 ** (attempt - 1)));
      const reason = status === undefined ? "the connection was lost" : `status ${status}`;
      onRetry?.({ attempt, delayMs, reason });
      await wait(delayMs);
    }
  }
}

/** Reads a Retry-After header: seconds or a date; undefined when it says nothing. */
export function parseRetryAfter(
  value: string | null | undefined,
  nowMs: number,
): number | undefined {
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value) * 1000;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : Math.max(0, time - nowMs);
}
