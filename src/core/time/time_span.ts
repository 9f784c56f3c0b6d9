// Spans of time, and what a search needs of them at every start: whether a text may speak of a time
// at all. What reads times is large and loaded only then.

/** A span of time in milliseconds: `fromMs` belongs to it, `toMs` no more. */
export interface TimeSpan {
  fromMs: number;
  toMs: number;
}

export interface TimeInText {
  /** What it may mean, newest first: one span, or one for each year where the text names none. */
  spans: TimeSpan[];
  /** Where its words stand in the text; `end` is behind them. */
  start: number;
  end: number;
}

/** Milliseconds from the nearest of some spans: 0 inside, negative before it, positive after it. */
export function offsetFrom(spans: readonly TimeSpan[], timeMs: number): number {
  let nearest = Infinity;
  for (const { fromMs, toMs } of spans) {
    const offset = timeMs < fromMs ? timeMs - fromMs : timeMs < toMs ? 0 : timeMs - toMs + 1;
    if (Math.abs(offset) < Math.abs(nearest)) nearest = offset;
  }
  return nearest;
}

/** Whether it is worth while to look for times in a text. Wrong only on the careful side. */
export function mayHoldTime(text: string): boolean {
  return /\d{4}|day|ago|last |past |this |jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec/i
    .test(text);
}
