// The lines that an edit brought and those that it took away, as hashes. What stands in both texts
// stayed: whoever cites a line to find a place did not write it. Pure.

import type { Edit } from "./edits.ts";
import { forEachLineHash, toKey } from "./line_hash.ts";

export interface EditLine {
  high: number;
  low: number;
  /** Which line of its text it is, from zero. */
  order: number;
}

export interface EditLines {
  added: EditLine[];
  removed: EditLine[];
}

/** The changed lines of an edit, in order. */
export function editLinesOf(edit: Pick<Edit, "old" | "new">): EditLines {
  const [old, now] = [linesOf(edit.old), linesOf(edit.new)];
  if (old.length === 0 || now.length === 0) return { added: now, removed: old };
  return { added: without(now, old), removed: without(old, now) };
}

function linesOf(text: string): EditLine[] {
  const lines: EditLine[] = [];
  if (text !== "") forEachLineHash(text, (high, low, order) => lines.push({ high, low, order }));
  return lines;
}

/** The lines that others do not have, counted: of two alike and one there, one is left. */
function without(lines: readonly EditLine[], others: readonly EditLine[]): EditLine[] {
  const there = new Map<number, number>();
  for (const { high, low } of others) {
    const key = toKey(high, low);
    there.set(key, (there.get(key) ?? 0) + 1);
  }
  return lines.filter(({ high, low }) => {
    const key = toKey(high, low);
    const left = there.get(key) ?? 0;
    if (left > 0) there.set(key, left - 1);
    return left === 0;
  });
}
