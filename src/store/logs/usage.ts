// The ledger of tokens: one line per call of a model in `usage.ndjson`, never changed. The daily
// cap and `ctx stats --cost` count from it.

import { isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { readRecords } from "../../disk/lines.ts";
import type { modelUse } from "../../formats/log_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

/** One call of a model. */
export type UsageRow = RowOf<typeof modelUse>;

/** All calls, oldest first; lines that are none are passed over. */
export function readUsage(files: Files, layout: Layout): Generator<UsageRow> {
  return readRecords(files, layout.usage, isUsage);
}

/** The tokens of one day (UTC), such as 2026-11-15. */
export function tokensOfDay(files: Files, layout: Layout, day: string): number {
  let total = 0;
  for (const row of readUsage(files, layout)) {
    if (row.ts.startsWith(day)) total += row.input_tokens + row.output_tokens;
  }
  return total;
}

function isUsage(value: unknown): value is UsageRow {
  return isObject(value) && typeof value.ts === "string" && typeof value.model === "string" &&
    typeof value.input_tokens === "number" && typeof value.output_tokens === "number";
}
