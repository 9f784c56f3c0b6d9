// A long session in stretches, so that its records can be made a part at a time. Where a stretch ends
// depends only on what came before, so a session that goes on keeps the stretches it had. Pure.

import type { Entry } from "../../core/entry.ts";
import { isPrompt } from "../../core/rows/exchanges.ts";

/** From so many rows on the next prompt begins another stretch; at the most any row does. */
const usualRows = 800;
const mostRows = 1600;

export interface Stretch {
  /** The number of rows before it. */
  from: number;
  entries: Entry[];
}

/** Cuts a session; most are one stretch. */
export function toStretches(entries: readonly Entry[]): Stretch[] {
  const stretches: Stretch[] = [];
  let current: Stretch | undefined;
  for (const [i, entry] of entries.entries()) {
    const length = current?.entries.length ?? mostRows;
    if (current === undefined || length >= mostRows || (length >= usualRows && isPrompt(entry))) {
      current = { from: i, entries: [] };
      stretches.push(current);
    }
    current.entries.push(entry);
  }
  return stretches;
}
