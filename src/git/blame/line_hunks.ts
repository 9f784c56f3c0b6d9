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
}

/** Beyond this many edits a search is cut, or at the root of the size of what is compared. */
const leastCost = 256;
/** A line that occurs more often than this says nothing about its place. */
const maxFrequent = 1024;
/** How far around a frequent line it is looked whether its neighbours have a match. */
const windowLines = 100;

/** The hunks by which one text becomes another, in order. */
export function diffHunks(
  before: TextLines,
  after: TextLines,
  { isForBlame = false }: HunkOptions = {},
): LineHunk[] {
  const cut = isForBlame ? countEqualTail(before, after) : 0;
  const sides = {
    old: { lines: before, count: before.count - cut, changed: new Uint8Array(before.count + 2) },
    new: { lines: after, count: after.count - cut, changed: new Uint8Array(after.count + 2) },
  };
  markChanged(sides.old, sides.new);
  shiftRuns(sides.old, sides.new);
  shiftRuns(sides.new, sides.old);
  return toHunks(sides.old, sides.new);
}

/** How many last lines are equal for sure: all but one of those in equal blocks. */
function countEqualTail(before: TextLines, after: TextLines): number {
  const [a, b] = [before.bytes, after.bytes];
  const least = Math.min(a.length, b.length);
  let bytes = 0;
  while (bytes + 1024 <= least && isEqualBlock(a, b, bytes)) bytes += 1024;
  if (bytes === 0) return 0;
  const end = a.indexOf(10, a.length - bytes);
  const start = end < 0 ? a.length : end + 1;
  let line = before.count;
  while (line > 0 && before.starts[line - 1] >= start) line--;
  return before.count - line;
}

function isEqualBlock(a: Uint8Array, b: Uint8Array, fromEnd: number): boolean {
  let [i, j] = [a.length - fromEnd, b.length - fromEnd];
  for (let left = 1024; left > 0; left--) if (a[--i] !== b[--j]) return false;
  return true;
}

function markChanged(before: DiffSide, after: DiffSide): void {
  const [a, b] = [before.lines, after.lines];
  let start = 0;
  while (start < before.count && start < after.count && a.isSame(start, start, b)) start++;
  let [endA, endB] = [before.count, after.count];
  while (endA > start && endB > start && a.isSame(endA - 1, endB - 1, b)) {
    endA--;
    endB--;
  }
  if (start === endA || start === endB) {
    before.changed.fill(1, start, endA);
    after.changed.fill(1, start, endB);
    return;
  }
  const { classesA, classesB, inA, inB } = classify(before, after);
  const keptA = keepTelling(before, { start, end: endA, classes: classesA, others: inB });
  const keptB = keepTelling(after, { start, end: endB, classes: classesB, others: inA });
  new Search({ changed: before.changed, ...keptA }, { changed: after.changed, ...keptB }).run();
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
  #findMiddle({ a, endA, b, endB, isMinimal }: Box): {
    a: number;
    b: number;
    isMinimalBefore: boolean;
    isMinimalAfter: boolean;
  } {
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
      if (lowF > least) forward[zero + --lowF - 1] = -1;
      else ++lowF;
      if (highF < most) forward[zero + ++highF + 1] = -1;
      else --highF;
      for (let d = highF; d >= lowF; d -= 2) {
        const [below, above] = [forward[zero + d - 1], forward[zero + d + 1]];
        let i = below >= above ? below + 1 : above;
        let j = i - d;
        while (i < endA && j < endB && x[i] === y[j]) {
          i++;
          j++;
        }
        forward[zero + d] = i;
        if (isOdd && lowB <= d && d <= highB && backward[zero + d] <= i) {
          return { a: i, b: j, isMinimalBefore: true, isMinimalAfter: true };
        }
      }
      if (lowB > least) backward[zero + --lowB - 1] = never;
      else ++lowB;
      if (highB < most) backward[zero + ++highB + 1] = never;
      else --highB;
      for (let d = highB; d >= lowB; d -= 2) {
        const [below, above] = [backward[zero + d - 1], backward[zero + d + 1]];
        let i = below < above ? below : above - 1;
        let j = i - d;
        while (i > a && j > b && x[i - 1] === y[j - 1]) {
          i--;
          j--;
        }
        backward[zero + d] = i;
        if (!isOdd && lowF <= d && d <= highF && i <= forward[zero + d]) {
          return { a: i, b: j, isMinimalBefore: true, isMinimalAfter: true };
        }
      }
      if (isMinimal || cost < this.#maxCost) continue;
      return this.#cutShort({ a, endA, b, endB }, { lowF, highF, lowB, highB });
    }
  }

  /** Too long: goes on from the point that came furthest, from whichever end. */
  #cutShort(
    { a, endA, b, endB }: Omit<Box, "isMinimal">,
    { lowF, highF, lowB, highB }: Record<"lowF" | "highF" | "lowB" | "highB", number>,
  ) {
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
  let [i, j] = [0, 0];
  while (i < before.count || j < after.count) {
    const [from, to] = [i, j];
    while (i < before.count && before.changed[i]) i++;
    while (j < after.count && after.changed[j]) j++;
    if (i > from || j > to) hunks.push({ from, removed: i - from, to, added: j - to });
    i++;
    j++;
  }
  return hunks;
}
