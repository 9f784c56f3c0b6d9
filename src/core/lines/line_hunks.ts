// What changed between two texts, as runs of lines: the shortest script of edits (Myers, in linear
// space), placed where git places it, so that a line is blamed on the commit that git blames. Bounded:
// a search that gets long is cut, and its parts are looked at by themselves. Pure.

import { type DiffSide, shiftRuns } from "./shift_runs.ts";
import type { TextLines } from "./text_lines.ts";

/** Lines of the old text that became lines of the new one; counted from 0. */
export interface LineHunk {
  from: number;
  removed: number;
  to: number;
  added: number;
}

/** How far two texts are compared. */
export interface HunkOptions {
  /** Equal ends are not looked at again, in blocks of this size, as git does for blame. */
  isForBlame?: boolean;
  /** Only these lines of the new text are asked for: how the others changed is told roughly. */
  asked?: readonly number[];
}

const blockBytes = 1024;
/** Beyond this many edits a search is cut, or at the root of the size of what is compared. */
const leastCost = 256;
/** So many equal lines in a row are a landmark, when they lie so much further than edits cost. */
const [snakeLines, snakeGain] = [20, 4];
/** A line that occurs more often than this says nothing about its place. */
const maxFrequent = 1024;
/** How far around a frequent line it is looked whether its neighbours have a match. */
const windowLines = 100;

/** The hunks by which one text becomes another, in order. */
export function diffHunks(
  before: TextLines,
  after: TextLines,
  { isForBlame = false, asked }: HunkOptions = {},
): LineHunk[] {
  const first = countEqualStart(before, after);
  if (first === before.count && first === after.count) return [];
  const tail = countEqualTail(before, after);
  const cut = isForBlame ? tail.cut : 0;
  const old = {
    lines: before,
    count: before.count - cut,
    changed: new Uint8Array(before.count + 2),
  };
  const now = { lines: after, count: after.count - cut, changed: new Uint8Array(after.count + 2) };
  const start = Math.min(first, old.count, now.count);
  const last = Math.min(tail.lines - cut, old.count - start, now.count - start);
  const middle = { start, endA: old.count - last, endB: now.count - last };
  if (asked !== undefined && isApart(before, after, { ...middle, asked })) {
    const { endA, endB } = middle;
    return [{ from: start, removed: endA - start, to: start, added: endB - start }];
  }
  markChanged(old, now, middle);
  shiftRuns(old, now);
  shiftRuns(now, old);
  return toHunks(old, now);
}

/** How many first lines are equal. */
function countEqualStart(before: TextLines, after: TextLines): number {
  const a = before.bytes;
  const b = after.bytes;
  const least = Math.min(a.length, b.length);
  let at = 0;
  while (at < least && a[at] === b[at]) at++;
  if (at === a.length && at === b.length) return before.count;
  // The line with the first difference is not equal; up to there the lines of both are the same.
  return Math.min(before.countUpTo(at), after.countUpTo(at));
}

/** How many last lines are equal, and how many of them lie in equal blocks, as git cuts them off. */
function countEqualTail(before: TextLines, after: TextLines): { lines: number; cut: number } {
  const a = before.bytes;
  const b = after.bytes;
  const least = Math.min(a.length, b.length);
  const shift = b.length - a.length;
  let from = a.length;
  const end = a.length - least;
  while (from > end && a[from - 1] === b[from - 1 + shift]) from--;
  let first = before.countStartsUpTo(from);
  // A line may start exactly there in one text, and before in the other.
  if (before.starts[first - 1] === from && after.startsAt(from + shift)) first--;
  const block = Math.floor((a.length - from) / blockBytes) * blockBytes;
  return { lines: before.count - first, cut: block === 0 ? 0 : countAfterLine(before, block) };
}

/** The lines in the last bytes of a text, but for the first of them, which may not be whole. */
function countAfterLine(lines: TextLines, block: number): number {
  const end = lines.bytes.indexOf(10, lines.bytes.length - block);
  return end < 0 ? 0 : lines.count - lines.countStartsUpTo(end);
}

/** The lines between the equal ends. */
interface Middle {
  start: number;
  endA: number;
  endB: number;
}

/**
 * Whether what changed does not touch the lines asked for: they are all in the equal ends, and no run of
 * changed lines can be moved into an end, because the lines next to the middle do not occur in it.
 */
function isApart(
  before: TextLines,
  after: TextLines,
  { start, endA, endB, asked }: Middle & { asked: readonly number[] },
): boolean {
  if (asked.some((line) => line >= start && line < endB)) return false;
  const edges = [start - 1, endB].filter((line) => line >= 0 && line < after.count);
  for (const edge of edges) {
    for (let line = start; line < endB; line++) if (after.isSame(edge, line)) return false;
    for (let line = start; line < endA; line++) if (after.isSame(edge, line, before)) return false;
  }
  return true;
}

function markChanged(before: DiffSide, after: DiffSide, { start, endA, endB }: Middle): void {
  if (hasNoMatch(before.lines, after.lines, { start, endA, endB })) {
    before.changed.fill(1, start, endA);
    after.changed.fill(1, start, endB);
    return;
  }
  const { classesA, classesB, inA, inB } = classify(before, after);
  const keptA = keepTelling(before, { start, end: endA, classes: classesA, others: inB });
  const keptB = keepTelling(after, { start, end: endB, classes: classesB, others: inA });
  new Search({ changed: before.changed, ...keptA }, { changed: after.changed, ...keptB }).run();
}

/** Whether it is plain that the middles have no line in common: most changes are small. */
function hasNoMatch(a: TextLines, b: TextLines, { start, endA, endB }: Middle): boolean {
  if (start === endA || start === endB) return true;
  if (endA - start > 2 || endB - start > 2) return false;
  for (let i = start; i < endA; i++) {
    for (let j = start; j < endB; j++) if (a.isSame(i, j, b)) return false;
  }
  return true;
}

/** Numbers equal lines alike, and counts how often each occurs on either side. */
function classify(before: DiffSide, after: DiffSide) {
  const firsts: { lines: TextLines; line: number; next: number }[] = [];
  const heads = new Map<number, number>();
  const number = (lines: TextLines, count: number): Uint32Array => {
    const classes = new Uint32Array(count);
    const { hashes } = lines;
    for (let line = 0; line < count; line++) {
      const head = heads.get(hashes[line]) ?? -1;
      let found = head;
      while (found >= 0 && !lines.isSame(line, firsts[found].line, firsts[found].lines)) {
        found = firsts[found].next;
      }
      if (found < 0) {
        found = firsts.push({ lines, line, next: head }) - 1;
        heads.set(hashes[line], found);
      }
      classes[line] = found;
    }
    return classes;
  };
  const classesA = number(before.lines, before.count);
  const classesB = number(after.lines, after.count);
  return {
    classesA,
    classesB,
    inA: countEach(classesA, firsts.length),
    inB: countEach(classesB, firsts.length),
  };
}

function countEach(classes: Uint32Array, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (let i = 0; i < classes.length; i++) counts[classes[i]]++;
  return counts;
}

/** The lines that are searched: classes, and the place of each in its text. */
interface Kept {
  classes: Uint32Array;
  places: Uint32Array;
}

const [alone, telling, frequent] = [0, 1, 2];

/**
 * Leaves out lines that the other side does not have, and frequent ones (a blank line, a bracket)
 * amid those: to match them would tear a rewritten block into shreds.
 */
function keepTelling(
  { count, changed }: DiffSide,
  { start, end, classes, others }: {
    start: number;
    end: number;
    classes: Uint32Array;
    others: Uint32Array;
  },
): Kept {
  const limit = Math.min(roughRoot(count), maxFrequent);
  const kinds = new Uint8Array(end - start);
  for (let i = start; i < end; i++) {
    const matches = others[classes[i]];
    kinds[i - start] = matches === 0 ? alone : matches >= limit ? frequent : telling;
  }
  const kept = new Uint32Array(end - start);
  const places = new Uint32Array(end - start);
  let size = 0;
  for (let i = 0; i < kinds.length; i++) {
    if (kinds[i] === telling || (kinds[i] === frequent && !isAmidLone(kinds, i))) {
      kept[size] = classes[start + i];
      places[size++] = start + i;
    } else changed[start + i] = 1;
  }
  return { classes: kept.subarray(0, size), places: places.subarray(0, size) };
}

function isAmidLone(kinds: Uint8Array, at: number): boolean {
  let [lone, many] = [0, 2];
  for (const step of [-1, 1]) {
    const least = Math.max(0, at - windowLines);
    const most = Math.min(kinds.length - 1, at + windowLines);
    let here = 0;
    for (let i = at + step; i >= least && i <= most && kinds[i] !== telling; i += step) {
      if (kinds[i] === alone) here++;
      else many++;
    }
    if (here === 0) return false;
    lone += here;
  }
  return many * 4 < many + lone;
}

/** A power of two near the square root. */
function roughRoot(value: number): number {
  let root = 1;
  for (let left = value; left > 0; left = Math.floor(left / 4)) root *= 2;
  return root;
}

interface Box {
  a: number;
  endA: number;
  b: number;
  endB: number;
  /** The shortest script is wanted: this box is known to have a short one. */
  isMinimal: boolean;
}

/** A point that the script passes; on one side of it the shortest way may not be wanted. */
interface MiddlePoint {
  a: number;
  b: number;
  isMinimalBefore: boolean;
  isMinimalAfter: boolean;
}

/** The diagonals that the walks from both ends came to. */
type Reached = Record<"lowF" | "highF" | "lowB" | "highB", number>;

const never = 0x7fffffff;

/** Finds the shortest script: a middle point that it passes, then the same on either side of it. */
class Search {
  readonly #a: Kept & { changed: Uint8Array };
  readonly #b: Kept & { changed: Uint8Array };
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  /** Diagonals may be negative. */
  readonly #zero: number;
  readonly #maxCost: number;

  constructor(a: Kept & { changed: Uint8Array }, b: Kept & { changed: Uint8Array }) {
    this.#a = a;
    this.#b = b;
    const diagonals = a.classes.length + b.classes.length + 3;
    this.#zero = b.classes.length + 1;
    this.#forward = new Int32Array(diagonals + 1);
    this.#backward = new Int32Array(diagonals + 1);
    this.#maxCost = Math.max(leastCost, roughRoot(diagonals));
  }

  run(): void {
    const [x, y] = [this.#a.classes, this.#b.classes];
    const boxes: Box[] = [{ a: 0, endA: x.length, b: 0, endB: y.length, isMinimal: false }];
    for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
      let { a, endA, b, endB } = box;
      while (a < endA && b < endB && x[a] === y[b]) {
        a++;
        b++;
      }
      while (a < endA && b < endB && x[endA - 1] === y[endB - 1]) {
        endA--;
        endB--;
      }
      if (a === endA) this.#mark(this.#b, b, endB);
      else if (b === endB) this.#mark(this.#a, a, endA);
      else {
        const found = this.#findMiddle({ a, endA, b, endB, isMinimal: box.isMinimal });
        const [atA, atB] = [found.a, found.b];
        boxes.push({ a: atA, endA, b: atB, endB, isMinimal: found.isMinimalAfter });
        boxes.push({ a, endA: atA, b, endB: atB, isMinimal: found.isMinimalBefore });
      }
    }
  }

  #mark({ changed, places }: Kept & { changed: Uint8Array }, from: number, to: number): void {
    for (let i = from; i < to; i++) changed[places[i]] = 1;
  }

  /** Walks from both ends, an edit more each time, until the walks meet. */
  #findMiddle({ a, endA, b, endB, isMinimal }: Box): MiddlePoint {
    const [x, y, forward, backward, zero] = [
      this.#a.classes,
      this.#b.classes,
      this.#forward,
      this.#backward,
      this.#zero,
    ];
    const [least, most, first, last] = [a - endB, endA - b, a - b, endA - endB];
    const isOdd = ((first - last) & 1) !== 0;
    let [lowF, highF, lowB, highB] = [first, first, last, last];
    forward[zero + first] = a;
    backward[zero + last] = endA;
    for (let cost = 1;; cost++) {
      let hasSnake = false;
      if (lowF > least) forward[zero + --lowF - 1] = -1;
      else ++lowF;
      if (highF < most) forward[zero + ++highF + 1] = -1;
      else --highF;
      for (let d = highF; d >= lowF; d -= 2) {
        const below = forward[zero + d - 1];
        const above = forward[zero + d + 1];
        let i = below >= above ? below + 1 : above;
        let j = i - d;
        const from = i;
        while (i < endA && j < endB && x[i] === y[j]) {
          i++;
          j++;
        }
        forward[zero + d] = i;
        if (i - from > snakeLines) hasSnake = true;
        if (isOdd && lowB <= d && d <= highB && backward[zero + d] <= i) {
          return { a: i, b: j, isMinimalBefore: true, isMinimalAfter: true };
        }
      }
      if (lowB > least) backward[zero + --lowB - 1] = never;
      else ++lowB;
      if (highB < most) backward[zero + ++highB + 1] = never;
      else --highB;
      for (let d = highB; d >= lowB; d -= 2) {
        const below = backward[zero + d - 1];
        const above = backward[zero + d + 1];
        let i = below < above ? below : above - 1;
        let j = i - d;
        const from = i;
        while (i > a && j > b && x[i - 1] === y[j - 1]) {
          i--;
          j--;
        }
        backward[zero + d] = i;
        if (from - i > snakeLines) hasSnake = true;
        if (!isOdd && lowF <= d && d <= highF && i <= forward[zero + d]) {
          return { a: i, b: j, isMinimalBefore: true, isMinimalAfter: true };
        }
      }
      if (isMinimal) continue;
      const box = { a, endA, b, endB };
      const reached = { lowF, highF, lowB, highB };
      const found = hasSnake && cost > leastCost
        ? this.#findSnake(box, { ...reached, cost })
        : undefined;
      if (found !== undefined) return found;
      if (cost >= this.#maxCost) return this.#cutShort(box, reached);
    }
  }

  /** A long run of equal lines far along is a good point to go on from, whatever the shortest way. */
  #findSnake(
    { a, endA, b, endB }: Omit<Box, "isMinimal">,
    { lowF, highF, lowB, highB, cost }: Reached & { cost: number },
  ): MiddlePoint | undefined {
    const x = this.#a.classes;
    const y = this.#b.classes;
    const isSnake = (i: number, j: number): boolean => {
      for (let k = 0; k < snakeLines; k++) if (x[i + k] !== y[j + k]) return false;
      return true;
    };
    let [best, atA, atB] = [0, 0, 0];
    for (let d = highF; d >= lowF; d -= 2) {
      const i = this.#forward[this.#zero + d];
      const j = i - d;
      const gain = i - a + (j - b) - Math.abs(d - (a - b));
      const isInside = a + snakeLines <= i && i < endA && b + snakeLines <= j && j < endB;
      if (gain <= snakeGain * cost || gain <= best || !isInside) continue;
      if (isSnake(i - snakeLines, j - snakeLines)) [best, atA, atB] = [gain, i, j];
    }
    if (best > 0) return { a: atA, b: atB, isMinimalBefore: true, isMinimalAfter: false };
    for (let d = highB; d >= lowB; d -= 2) {
      const i = this.#backward[this.#zero + d];
      const j = i - d;
      const gain = endA - i + (endB - j) - Math.abs(d - (endA - endB));
      const isInside = a < i && i <= endA - snakeLines && b < j && j <= endB - snakeLines;
      if (gain <= snakeGain * cost || gain <= best || !isInside) continue;
      if (isSnake(i, j)) [best, atA, atB] = [gain, i, j];
    }
    return best > 0 ? { a: atA, b: atB, isMinimalBefore: false, isMinimalAfter: true } : undefined;
  }

  /** Too long: goes on from the point that came furthest, from whichever end. */
  #cutShort(
    { a, endA, b, endB }: Omit<Box, "isMinimal">,
    { lowF, highF, lowB, highB }: Reached,
  ): MiddlePoint {
    let [bestF, atF, bestB, atB] = [-1, -1, never, never];
    for (let d = highF; d >= lowF; d -= 2) {
      let i = Math.min(this.#forward[this.#zero + d], endA);
      if (endB < i - d) i = endB + d;
      if (bestF < i + i - d) [bestF, atF] = [i + i - d, i];
    }
    for (let d = highB; d >= lowB; d -= 2) {
      let i = Math.max(a, this.#backward[this.#zero + d]);
      if (i - d < b) i = b + d;
      if (i + i - d < bestB) [bestB, atB] = [i + i - d, i];
    }
    return endA + endB - bestB < bestF - (a + b)
      ? { a: atF, b: bestF - atF, isMinimalBefore: true, isMinimalAfter: false }
      : { a: atB, b: bestB - atB, isMinimalBefore: false, isMinimalAfter: true };
  }
}

function toHunks(before: DiffSide, after: DiffSide): LineHunk[] {
  const hunks: LineHunk[] = [];
  let i = 0;
  let j = 0;
  while (i < before.count || j < after.count) {
    // Equal lines come in pairs.
    const nextA = before.changed.indexOf(1, i);
    const nextB = after.changed.indexOf(1, j);
    if (nextA < 0 && nextB < 0) break;
    const equal = Math.min(nextA < 0 ? never : nextA - i, nextB < 0 ? never : nextB - j);
    i += equal;
    j += equal;
    const from = i;
    const to = j;
    while (before.changed[i]) i++;
    while (after.changed[j]) j++;
    hunks.push({ from, removed: i - from, to, added: j - to });
  }
  return hunks;
}
