// Runs of changed lines can often stand a little higher or lower and say the same. Here they are put
// where git puts them: beside a change of the other side, else where indentation and blank lines make
// it look like one piece. Works on marks; pure.

import type { TextLines } from "./text_lines.ts";

export interface DiffSide {
  lines: TextLines;
  /** How many of its lines are compared. */
  count: number;
  /** Which lines have no equal on the other side. */
  changed: Uint8Array;
}

/** Moves the runs of changed lines of one side; the other is walked along. */
export function shiftRuns(side: DiffSide, other: DiffSide): void {
  const run = new Run(side);
  const beside = new Run(other);
  do {
    if (run.size > 0) shiftRun(run, beside);
    // Lines that are equal on both sides are passed at once.
    const step = Math.min(run.toNext(), beside.toNext());
    run.skip(step - 1);
    beside.skip(step - 1);
  } while (run.next() && beside.next());
}

const maxShift = 100;

function shiftRun(run: Run, beside: Run): void {
  let size: number;
  let earliest: number;
  // Where the run ended when the other side had a change in the same place.
  let matching: number;
  do {
    size = run.size;
    matching = -1;
    while (run.slideUp()) beside.previous();
    earliest = run.end;
    if (beside.size > 0) matching = run.end;
    while (run.slideDown()) {
      beside.next();
      if (beside.size > 0) matching = run.end;
    }
    // It may have grown by a run that it met.
  } while (size !== run.size);
  if (run.end === earliest) return;
  if (matching >= 0) {
    while (beside.size === 0 && run.slideUp()) beside.previous();
    return;
  }
  const best = findBestEnd(run, { size, earliest });
  while (run.end > best && run.slideUp()) beside.previous();
}

function findBestEnd(run: Run, { size, earliest }: { size: number; earliest: number }): number {
  const { lines, count } = run.side;
  const from = Math.max(earliest, run.end - size - 1, run.end - maxShift);
  let best = -1;
  let [bestIndent, bestPenalty] = [0, 0];
  for (let end = from; end <= run.end; end++) {
    const low = rateSplit(lines, count, end);
    const high = rateSplit(lines, count, end - size);
    const indent = low.indent + high.indent;
    const penalty = low.penalty + high.penalty;
    const order = 60 * Math.sign(indent - bestIndent) + penalty - bestPenalty;
    if (best < 0 || order <= 0) [best, bestIndent, bestPenalty] = [end, indent, penalty];
  }
  return best;
}

const maxBlanks = 20;
const maxIndent = 200;

/** How bad it looks to cut a text before a line: the weights are git's. */
function rateSplit(
  lines: TextLines,
  count: number,
  at: number,
): { indent: number; penalty: number } {
  const own = at >= count ? -1 : indentOf(lines, at);
  const before = lookFrom(lines, { from: at - 1, step: -1, count });
  const after = lookFrom(lines, { from: at + 1, step: 1, count });
  const blanksAfter = own === -1 ? 1 + after.blanks : 0;
  const blanks = before.blanks + blanksAfter;
  const indent = own === -1 ? after.indent : own;
  let penalty = -30 * blanks + 6 * blanksAfter;
  if (before.indent === -1 && before.blanks === 0) penalty += 1;
  if (at >= count) penalty += 21;
  if (indent === -1 || before.indent === -1 || indent === before.indent) return { indent, penalty };
  if (indent > before.indent) penalty += blanks > 0 ? 10 : -4;
  else if (after.indent !== -1 && after.indent > indent) penalty += blanks > 0 ? 17 : 24;
  else penalty += blanks > 0 ? 17 : 23;
  return { indent, penalty };
}

/** The indentation of the next line that is not blank, and how many blank ones come first. */
function lookFrom(
  lines: TextLines,
  { from, step, count }: { from: number; step: number; count: number },
): { indent: number; blanks: number } {
  let blanks = 0;
  for (let line = from; line >= 0 && line < count; line += step) {
    const indent = indentOf(lines, line);
    if (indent !== -1) return { indent, blanks };
    if (++blanks === maxBlanks) return { indent: 0, blanks };
  }
  return { indent: -1, blanks };
}

/** How far a line is indented; -1 when it is blank. */
function indentOf({ bytes, starts }: TextLines, line: number): number {
  let indent = 0;
  for (let at = starts[line]; at < starts[line + 1]; at++) {
    const byte = bytes[at];
    if (byte === 32) indent++;
    else if (byte === 9) indent += 8 - indent % 8;
    else if (byte < 9 || byte > 13) return indent;
    if (indent >= maxIndent) return maxIndent;
  }
  return -1;
}

/** A run of changed lines, possibly empty, between two unchanged ones. */
class Run {
  readonly side: DiffSide;
  #start = 0;
  end = 0;

  constructor(side: DiffSide) {
    this.side = side;
    while (side.changed[this.end]) this.end++;
  }

  get size(): number {
    return this.end - this.#start;
  }

  /** How many steps it is to the next run that is not empty, or to the end. */
  toNext(): number {
    const at = this.side.changed.indexOf(1, this.end);
    return Math.max(1, (at < 0 ? this.side.count : at) - this.end);
  }

  /** Takes steps over lines that are not changed. */
  skip(steps: number): void {
    if (steps <= 0) return;
    this.end += steps;
    this.#start = this.end;
  }

  next(): boolean {
    if (this.end >= this.side.count) return false;
    this.#start = this.end + 1;
    this.end = this.#start;
    while (this.side.changed[this.end]) this.end++;
    return true;
  }

  previous(): boolean {
    if (this.#start === 0) return false;
    this.end = this.#start - 1;
    this.#start = this.end;
    while (this.#start > 0 && this.side.changed[this.#start - 1]) this.#start--;
    return true;
  }

  slideDown(): boolean {
    const { lines, count, changed } = this.side;
    if (this.end >= count || !lines.isSame(this.#start, this.end)) return false;
    changed[this.#start++] = 0;
    changed[this.end++] = 1;
    while (changed[this.end]) this.end++;
    return true;
  }

  slideUp(): boolean {
    const { lines, changed } = this.side;
    if (this.#start === 0 || !lines.isSame(this.#start - 1, this.end - 1)) return false;
    changed[--this.#start] = 1;
    changed[--this.end] = 0;
    while (this.#start > 0 && changed[this.#start - 1]) this.#start--;
    return true;
  }
}
