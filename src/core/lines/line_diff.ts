// The difference of two texts, line by line, for people. Pure.

import { diffHunks } from "./line_hunks.ts";
import { TextLines } from "./text_lines.ts";

/** A line of a difference: `+` was added, `-` removed, a space stayed. */
export interface DiffRow {
  mark: "+" | "-" | " ";
  text: string;
  /** Its place in the new text, for a removed line in the old one; counted from 0. */
  at: number;
}

/** Changed lines with `-` and `+`, and one line around them; empty when the texts are equal. */
export function diffLines(before: string, after: string): string {
  return diffRows(before, after).map(({ mark, text }) => `${mark}${text}\n`).join("");
}

/** The same, line by line. */
export function diffRows(before: string, after: string): DiffRow[] {
  if (before === after) return [];
  const [a, b] = [splitLines(before), splitLines(after)];
  const hunks = diffHunks(toTextLines(a), toTextLines(b));
  const rows: DiffRow[] = [];
  const toRows = (mark: DiffRow["mark"], lines: readonly string[], first: number): DiffRow[] =>
    lines.map((text, i) => ({ mark, text, at: first + i }));
  let at = Math.max(0, (hunks[0]?.from ?? a.length) - 1);
  let moved = 0;
  for (const { from, removed, to, added } of hunks) {
    rows.push(
      ...toRows(" ", a.slice(at, from), at + moved),
      ...toRows("-", a.slice(from, from + removed), from),
      ...toRows("+", b.slice(to, to + added), to),
    );
    at = from + removed;
    moved = to + added - at;
  }
  rows.push(...toRows(" ", a.slice(at, at + 1), at + moved));
  return rows;
}

function splitLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function toTextLines(lines: readonly string[]): TextLines {
  return new TextLines(new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
}
