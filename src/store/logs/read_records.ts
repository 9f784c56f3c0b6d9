// The records of a log of NDJSON; lines that are torn or foreign are passed over.

import type { Files } from "../files/files.ts";
import { readLines } from "../files/lines.ts";

/** Yields the values in a file that are what `isRecord` says. */
export function* readRecords<T>(
  files: Files,
  path: string,
  isRecord: (value: unknown) => value is T,
): Generator<T> {
  for (const { bytes } of readLines(files, path)) {
    const value = findRecord(bytes, isRecord);
    if (value !== undefined) yield value;
  }
}

/** The value of one line, or undefined. */
export function findRecord<T>(
  bytes: Uint8Array,
  isRecord: (value: unknown) => value is T,
): T | undefined {
  try {
    const value = JSON.parse(decoder.decode(bytes));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });
