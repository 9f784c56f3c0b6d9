// How far an import has come, in words: sessions and bytes of all, how fast, how long it still takes.

import { toSize } from "../../core/to_size.ts";
import { withCommas } from "../../command/view.ts";

/** What is done of one source, and all of it. */
export interface PassProgress {
  done: number;
  total: number;
  bytes: number;
  totalBytes: number;
  /** Whether what was read first is in the store. */
  isSearchable?: boolean;
}

/** Below this the speed says nothing yet. */
const earlyMs = 500;

/** One line about a source that is being read for some time. */
export function describeProgress(
  source: string,
  { done, total, bytes, totalBytes, isSearchable }: PassProgress,
  elapsedMs: number,
): string {
  const facts = [
    `${withCommas(done)} of ${withCommas(total)} sessions`,
    totalBytes > 0 && `${toSize(Math.round(bytes))} of ${toSize(Math.round(totalBytes))}`,
  ];
  if (elapsedMs >= earlyMs && bytes > 0) {
    const speed = bytes / elapsedMs;
    facts.push(`${toSize(Math.round(speed * 1000))}/s`);
    if (totalBytes > bytes) facts.push(`${toDuration((totalBytes - bytes) / speed)} left`);
  }
  const found = isSearchable && done < total ? "; the newest can be searched already" : "";
  return `${source}: ${facts.filter(Boolean).join(", ")}${found}`;
}

function toDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
