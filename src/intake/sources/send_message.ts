// What every source does with a message whose producer may change it in place: it is counted, and its
// rows are sent with fingerprints; one without rows is left out for a reason.

import * as make from "./entries.ts";
import type { Sink, SourceEntry } from "./source.ts";

/** Sends the rows of one message; `lack` says why there are none. */
export async function sendMessage(
  sink: Sink,
  rows: readonly SourceEntry[],
  lack = "empty_message",
): Promise<void> {
  sink.tally.messages++;
  if (rows.length === 0) sink.tally.skip(lack);
  for (const row of rows) await sink.entry(make.revised(row));
}
