// Times that cannot be: a row says itself when it was written, and may say anything.

const dayMs = 86_400_000;

/** Whether a time lies further ahead than clocks differ. */
export function isFuture(ts: string, nowMs: number): boolean {
  return Date.parse(ts) > nowMs + dayMs;
}

/** A time to order by: what claims to come from the future counts as the oldest. */
export function orderTime(ts: string, nowMs: number): string {
  return isFuture(ts, nowMs) ? "" : ts;
}
