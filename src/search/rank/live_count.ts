// How many rows of a posting list still count, where some of its segment are dead. Counted by the
// scoring kernel in a memory of its own: in a fresh process a walk in JavaScript is interpreted, and a
// common word is in every tenth row.

import type { Postings } from "../../index/segment/segment.ts";
import { makeScoreKernel, type ScoreKernel } from "./score_kernel.ts";

let kernel: ScoreKernel | undefined;
/** A 1 for each dead row, up to the last of them. */
const marksOf = new WeakMap<ReadonlySet<number>, Uint8Array>();

/** How many entries of a list are there still. */
export function liveCount(
  list: Postings | undefined,
  dead: ReadonlySet<number> | undefined,
): number {
  if (list === undefined) return 0;
  if (dead === undefined || dead.size === 0) return list.count;
  let marks = marksOf.get(dead);
  if (marks === undefined) marksOf.set(dead, marks = toMarks(dead));
  const { memory, pick } = kernel ??= makeScoreKernel();
  const stop = marks.length;
  const end = stop + list.bytes.length;
  // A list that is not what its checksum said is read a little further.
  const missing = end + 64 - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65_536));
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(marks);
  bytes.set(list.bytes, stop);
  return list.count - pick(stop, end, 0, stop);
}

function toMarks(dead: ReadonlySet<number>): Uint8Array {
  const last = dead.values().reduce((most, row) => Math.max(most, row), -1);
  const marks = new Uint8Array(last + 1);
  for (const row of dead) marks[row] = 1;
  return marks;
}
