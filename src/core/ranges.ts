// Ranges of positions as people write them: `5`, `5-10`, `1,5,10-15`, `20-`.

import { CtxError } from "./errors.ts";

/** The positions in a range text, from 1 to `last`, ascending and each once. */
export function parseRanges(text: string, last: number): number[] {
  const picked = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^\s*(\d+)\s*(-\s*(\d*)\s*)?$/.exec(part);
    const from = match ? Number(match[1]) : NaN;
    const to = match?.[2] === undefined ? from : match[3] === "" ? last : Number(match[3]);
    if (!match || from < 1 || to < from && match[3] !== "") {
      throw new CtxError("USAGE", `Cannot read the range "${part.trim()}"`, {
        hint: "write 5, 5-10, 1,5,10-15 or 20-",
      });
    }
    for (let i = from; i <= Math.min(to, last); i++) picked.add(i);
  }
  return [...picked].sort((a, b) => a - b);
}
