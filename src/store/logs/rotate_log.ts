// Logs that are bounded: a file that has become too long is set aside by a rename, so a line written
// meanwhile lands in the older file and is not lost; the oldest goes.

import type { Files } from "../../disk/files.ts";
import { readRecords } from "../../disk/lines.ts";

/** Where a bounded log is and how much of it is kept. */
export interface BoundedLog {
  path: string;
  /** The newest file is set aside at this size. */
  fileBytes: number;
  /** Files that are kept beside the current one. */
  kept: number;
}

/** The files of a log, the newest first. */
export function rotatedPaths({ path, kept }: BoundedLog): string[] {
  return Array.from({ length: 1 + kept }, (_, i) => i === 0 ? path : `${path}.${i}`);
}

/** All rows, or those that hold a needle, oldest first; torn and foreign lines are passed over. */
export function* readRows<T>(
  files: Files,
  log: BoundedLog,
  isRow: (value: unknown) => value is T,
  options: { needles?: string[] } = {},
): Generator<T> {
  for (const path of rotatedPaths(log).reverse()) {
    yield* readRecords(files, path, isRow, options);
  }
}

/** Sets a file aside that has become so long. The line is written: what fails is done next time. */
export function rotateLog(files: Files, log: BoundedLog, sizeBytes: number): void {
  if (sizeBytes < log.fileBytes) return;
  try {
    // Another process may have done it.
    if ((files.findSize(log.path) ?? 0) < log.fileBytes) return;
    const paths = rotatedPaths(log);
    for (let i = paths.length - 1; i > 0; i--) {
      if (files.findSize(paths[i - 1]) !== undefined) files.rename(paths[i - 1], paths[i]);
    }
  } catch {
    // A longer file until then.
  }
}
