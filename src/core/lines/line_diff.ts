// The difference of two texts, line by line, for people. Pure.

import { diffHunks } from "./line_hunks.ts";
import { TextLines } from "./text_lines.ts";

/** Changed lines with `-` and `+`, and one line around them; empty when the texts are equal. */
export function diffLines(before: string, after: string): string {
  if (before === after) return "";
  const [a, b] = [splitLines(before), splitLines(after)];
  const hunks = diffHunks(toTextLines(a), toTextLines(b));
  const lines: string[] = [];
  let at = Math.max(0, (hunks[0]?.from ?? a.length) - 1);
  for (const { from, removed, to, added } of hunks) {
    lines.push(
      ...a.slice(at, from).map((line) => ` ${line}`),
      ...a.slice(from, from + removed).map((line) => `-${line}`),
      ...b.slice(to, to + added).map((line) => `+${line}`),
    );
    at = from + removed;
  }
  lines.push(...a.slice(at, at + 1).map((line) => ` ${line}`));
  return lines.join("\n") + "\n";
}

function splitLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function toTextLines(lines: readonly string[]): TextLines {
  return new TextLines(new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
}
