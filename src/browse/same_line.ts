// Whether two lines say the same in the same words. Pure.

/** The words of a line, each once. */
export function wordsOfLine(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
}

/** Whether two lines share nine of ten words. */
export function isSameLine(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const least = 0.9 * Math.max(a.size, b.size);
  return Math.min(a.size, b.size) >= least && countShared(a, b) >= least;
}

/** Whether one line has nine of ten words of the other, and is at most twice as long. */
export function isContained(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [least, most] = [Math.min(a.size, b.size), Math.max(a.size, b.size)];
  return most <= 2 * least && countShared(a, b) >= 0.9 * least;
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared;
}
