// The records of a store as they stand: which count, which were taken over by newer ones or corrected
// by hand. One pass over the lines that are records or correct something.

import type { Entry } from "../../core/entry.ts";
import { isRecord } from "../../core/rows/record.ts";
import { verdictOf } from "../../core/rows/verdict.ts";
import { recordNeedle } from "../../store/lifecycle/derived.ts";
import type { Store } from "../../store/store.ts";

export interface RecordTable {
  /** Every record that is not forgotten, in log order. */
  records: Entry[];
  /** The ids that something newer supersedes, with what does: a record, or a correction by hand. */
  superseded: ReadonlyMap<string, Entry>;
  /** Lines that the user rejected. */
  rejected: string[];
}

export function readRecords(store: Store): RecordTable {
  const records: Entry[] = [];
  const superseded = new Map<string, Entry>();
  const rejected: string[] = [];
  for (const { entry, pool } of store.entries({ needles: [recordNeedle, '"supersedes":'] })) {
    if (isRecord(entry)) records.push(entry);
    if (pool !== "team" && verdictOf(entry)?.said === "reject") rejected.push(entry.text);
    if (entry.supersedes !== undefined && entry.supersedes !== entry.id) {
      superseded.set(entry.supersedes, entry);
    }
  }
  return { records, superseded, rejected };
}
