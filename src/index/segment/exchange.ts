// An exchange: a prompt and what follows it in its session, up to the next prompt. `reach` is how many
// rows are looked at on the way.

import { type Corpus, locate } from "./corpus.ts";
import { rowFlags } from "./segment_format.ts";

/** The prompt that a row answers, itself for a prompt; undefined where none is near before it. */
export function promptOf(corpus: Corpus, global: number, reach: number): number | undefined {
  const { segment, segmentNumber, row } = locate(corpus, global);
  const session = segment.session(row);
  if (session === 0) return undefined;
  const end = Math.max(0, global - reach);
  for (let number = segmentNumber, from = row; number >= 0; number--) {
    const base = corpus.bases[number];
    const found = corpus.segments[number].findBack({
      row: from,
      least: Math.max(0, end - base),
      flag: rowFlags.prompt,
      session,
      dead: corpus.liveness.dead[number],
    });
    if (found >= 0) return base + found;
    if (base <= end) return undefined;
    from = corpus.segments[number - 1].rows - 1;
  }
  return undefined;
}

/** Visits the rows of a prompt's session after it, up to the next prompt. */
export function walkExchange(
  corpus: Corpus,
  prompt: number,
  { reach, visit }: { reach: number; visit: (row: number, flags: number) => void },
): void {
  walkSession(corpus, prompt, {
    reach,
    visit(row, flags) {
      if ((flags & rowFlags.prompt) !== 0) return true;
      visit(row, flags);
    },
  });
}

/** Visits the rows of a row's session after it, until it is told to end. */
export function walkSession(
  corpus: Corpus,
  start: number,
  { reach, visit }: { reach: number; visit: (row: number, flags: number) => true | void },
): void {
  let { segment, segmentNumber, row } = locate(corpus, start);
  let dead = corpus.liveness.dead[segmentNumber];
  const session = segment.session(row);
  const end = Math.min(corpus.size, start + 1 + reach);
  for (let next = start + 1; next < end; next++) {
    if (++row >= segment.rows) {
      ({ segment, segmentNumber, row } = locate(corpus, next));
      dead = corpus.liveness.dead[segmentNumber];
    }
    if (segment.session(row) !== session || dead?.has(row)) continue;
    const flags = segment.flags(row);
    if ((flags & rowFlags.tombstone) === 0 && visit(next, flags) === true) return;
  }
}

/** Whether a tool was used in an exchange. */
export function hasTools(corpus: Corpus, prompt: number, reach: number): boolean {
  let found = false;
  walkSession(corpus, prompt, {
    reach,
    visit(_row, flags) {
      found = (flags & (rowFlags.call | rowFlags.result)) !== 0;
      if (found || (flags & rowFlags.prompt) !== 0) return true;
    },
  });
  return found;
}
