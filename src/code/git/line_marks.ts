// Marks of lines, by which it is told later who wrote a line: short numbers, blanks aside. Lines that
// say nothing of their own, such as a closing bracket, have none. Pure.

import { hash64 } from "../../core/hash.ts";

const leastChars = 8;

/** The marks of lines that say something. */
export function markLines(lines: readonly string[]): number[] {
  const marks: number[] = [];
  for (const line of lines) {
    const text = line.trim();
    if (text.length >= leastChars && /[A-Za-z]/.test(text)) marks.push(hash64(text)[1] >>> 8);
  }
  return marks;
}
