// Trying again with growing pauses. Pure but for the wait it is handed.

/** What to make of a failure: whether another try can help, and how long the other side asks to wait. */
export interface RetryVerdict {
  retry: boolean;
  afterMs?: number;
}

/** How often and how patiently. */
export interface RetryOptions {
  judge: (error: unknown) => RetryVerdict;
  wait: (ms: number) => Promise<void>;
  onRetry?: (event: { attempt: number; delayMs: number; error: unknown }) => void;
  retries?: number;
  firstMs?: number;
  maxMs?: number;
}

/** Runs an action, again after 1, 2 and 4 seconds when that can help; the last failure is thrown. */
export async function withRetries<T>(
  action: () => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  const { retries = 3, firstMs = 1000, maxMs = 30_000 } = options;
  for (let attempt = 1;; attempt++) {
    try {
      return await action();
    } catch (error) {
      const { retry, afterMs } = options.judge(error);
      if (!retry || attempt > retries) throw error;
      const delayMs = Math.min(maxMs, Math.max(afterMs ?? 0, firstMs * 2 ** (attempt - 1)));
      options.onRetry?.({ attempt, delayMs, error });
      await options.wait(delayMs);
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
