// What an import reports: one receipt per source, one line per session.

import { addCounts } from "../../core/add_counts.ts";
import type { Tally } from "../sources/problem_tally.ts";
import * as s from "../../command/shape.ts";

const counts = s.recordOf(s.number());

export const receiptSchema = s.object({
  source: s.text(),
  roots: s.listOf(s.text()),
  ...s.each(s.number(), "files", "bytes", "sessions_seen", "sessions_imported", "messages"),
  ...s.each(s.number(), "messages_kept", "entries", "entries_known", "superseded", "forgotten"),
  ...s.each(s.number(), "clashes", "bad_lines", "salvaged", "redactions", "problem_count"),
  /** How many of the problems were met before, in files that have not changed since. */
  problems_known: s.number(),
  sessions_skipped: counts,
  messages_skipped: counts,
  skipped: counts,
  clash_ids: s.listOf(s.text()),
  problems: s.listOf(s.object({ path: s.text(), reason: s.text() })),
});
/** What one source gave. */
export type Receipt = s.ValueOf<typeof receiptSchema>;

/** What one session gave: a line of `--jsonl`. */
export interface SessionReceipt {
  source: string;
  session_id: string;
  conversation: string;
  title: string;
  project?: string;
  started?: string;
  messages: number;
  entries: number;
  known: number;
  superseded: number;
  bad_lines: number;
  problems: number;
}

/** Makes the receipt of a source: what was read, and what came of it. */
export function toReceipt(
  tally: Tally,
  came: Omit<Receipt, CountedName | "clashes" | "clash_ids" | "problems_known"> & Partial<Receipt>,
): Receipt {
  const { files, bytes, messages, bad_lines, salvaged, skipped, problem_count, problems } = tally;
  return {
    ...came,
    ...{ files, bytes, messages, bad_lines, salvaged, skipped, problem_count, problems },
    messages_kept: tally.kept,
    messages_skipped: tally.leftOut,
    clashes: came.clashes ?? 0,
    clash_ids: came.clash_ids ?? [],
    problems_known: 0,
  };
}

/** What the tally of a read tells. */
type CountedName = keyof Tally & keyof Receipt | "messages_kept" | "messages_skipped";

/** Adds a later receipt of the same source, for `--watch`. */
export function addReceipt(sum: Receipt, more: Receipt): Receipt {
  const added: Record<string, number> = {};
  for (const [name, value] of Object.entries(more)) {
    const before = sum[name as keyof Receipt];
    if (typeof value === "number" && typeof before === "number") added[name] = before + value;
  }
  return {
    ...more,
    ...added,
    skipped: addCounts(sum.skipped, more.skipped),
    messages_skipped: addCounts(sum.messages_skipped, more.messages_skipped),
    sessions_skipped: addCounts(sum.sessions_skipped, more.sessions_skipped),
    problems: [...sum.problems, ...more.problems].slice(0, maxProblems),
  };
}

/** The most problems that a receipt names. */
export const maxProblems = 50;

/** What was passed over that is no message; of bookkeeping records the JSON has the kinds. */
export function besideMessages(
  { skipped, messages_skipped }: Pick<Receipt, "skipped" | "messages_skipped">,
): Record<string, number> {
  const beside: Record<string, number> = {};
  for (const [reason, count] of Object.entries(skipped)) {
    if (reason in messages_skipped) continue;
    const name = reason.startsWith("type:") ? "other_records" : reason;
    beside[name] = (beside[name] ?? 0) + count;
  }
  return beside;
}
