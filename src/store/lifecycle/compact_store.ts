// Which entries are old enough to leave the hot log, and the transaction that moves them.

import { tombstoneType } from "../../core/entry.ts";
import { findFingerprint, readLines } from "../../disk/lines.ts";
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
  const times: number[] = [];
  let bytes = 0;
  for (const line of readLines(store.files, store.layout.history.hot)) {
    times.push(timeOf(line.bytes));
    bytes = line.offset + line.bytes.length + 1;
  }
  const chosen = choose(times, options);
  const moved = chosen.reduce((sum, flag) => sum + flag, 0);
  const movable = times.reduce((n, time) => n + (Number.isNaN(time) ? 0 : 1), 0);
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
function choose(times: readonly number[], options: CompactOptions): Uint8Array {
  const chosen = new Uint8Array(times.length);
  const sorted = Float64Array.from(times.filter((time) => !Number.isNaN(time))).sort();
  const surplus = sorted.length - options.keep;
  if (surplus <= 0) return chosen;
  const border = sorted[surplus - 1];
  let atBorder = surplus - sorted.indexOf(border);
  for (let i = 0; i < times.length; i++) {
    if (!(times[i] <= border) || times[i] >= options.beforeMs) continue;
    if (times[i] === border && atBorder-- <= 0) continue;
    chosen[i] = 1;
  }
  return chosen;
}
