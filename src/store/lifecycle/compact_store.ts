// Which entries are old enough to leave the hot log, and the transaction that moves them.

import { tombstoneType } from "../../core/entry.ts";
import { findFingerprint } from "../files/fingerprint.ts";
import { readLines } from "../files/lines.ts";
import { moveLines } from "../move.ts";
import { parseLine } from "../row.ts";
import type { Store } from "../store.ts";

/** What stays: the newest `keep` entries, and everything since `before`. */
export interface CompactOptions {
  keep: number;
  /** Milliseconds since the epoch: only entries before it are moved. */
  beforeMs: number;
}

/** Which lines of the hot log would move, and the log they were chosen from. */
export interface CompactPlan {
  moved: number;
  kept: number;
  /** One byte per line: 1 moves. */
  chosen: Uint8Array;
  bytes: number;
  fingerprint?: string;
}

/** Chooses lines without a lock; the same log and options always give the same choice. */
export function planCompact(store: Store, options: CompactOptions): CompactPlan {
  let times = new Float64Array(1024);
  let lines = 0;
  let bytes = 0;
  for (const line of readLines(store.files, store.layout.history.hot)) {
    if (lines === times.length) times = growTimes(times);
    times[lines++] = timeOf(line.bytes);
    bytes = line.offset + line.bytes.length + 1;
  }
  const chosen = choose(times.subarray(0, lines), options);
  const moved = chosen.reduce((sum, flag) => sum + flag, 0);
  const movable = times.subarray(0, lines).reduce((n, time) => n + (Number.isNaN(time) ? 0 : 1), 0);
  const fingerprint = findFingerprint(store.files, store.layout.history.hot, bytes);
  return { moved, kept: movable - moved, chosen, bytes, fingerprint };
}

/** Moves what was planned; plans again under the lock when the log was rewritten meanwhile. */
export async function compactStore(
  store: Store,
  options: CompactOptions,
): Promise<{ moved: number; kept: number }> {
  const early = planCompact(store, options);
  if (early.moved === 0) return early;
  return await store.write("compact", (writer) => {
    const { files, layout } = writer;
    const same = early.fingerprint === findFingerprint(files, layout.history.hot, early.bytes);
    const plan = same ? early : planCompact(store, options);
    if (plan.moved === 0) return plan;
    const moved = moveLines(writer, (position) => plan.chosen[position] === 1);
    return { moved, kept: plan.kept };
  });
}

/** The time of a line that may move; NaN for tombstones, damaged and empty lines: they stay. */
function timeOf(bytes: Uint8Array): number {
  const { entries, damage } = parseLine(bytes);
  const [entry] = entries;
  if (damage !== undefined || entry === undefined || entry.type === tombstoneType) return NaN;
  return Date.parse(entry.ts);
}

/** Marks all but the newest `keep`, if they are old enough; equal times go by place in the log. */
function choose(times: Float64Array, options: CompactOptions): Uint8Array {
  const chosen = new Uint8Array(times.length);
  const sorted = times.filter((time) => !Number.isNaN(time)).sort();
  const surplus = sorted.length - options.keep;
  if (surplus <= 0) return chosen;
  const border = sorted[surplus - 1];
  let atBorder = surplus - countBelow(sorted, border);
  for (let i = 0; i < times.length; i++) {
    if (!(times[i] <= border) || times[i] >= options.beforeMs) continue;
    if (times[i] === border && atBorder-- <= 0) continue;
    chosen[i] = 1;
  }
  return chosen;
}

function countBelow(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function growTimes(times: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(times.length * 2);
  larger.set(times);
  return larger;
}
