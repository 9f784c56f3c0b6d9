// Appends to a bounded log, redacted.

import { redactRow } from "../../core/redact/redact_row.ts";
import { encodeExact } from "../../core/utf8.ts";
import type { Files } from "../../disk/files.ts";
import { type BoundedLog, rotateLog } from "./rotate_log.ts";

export async function appendRow(files: Files, log: BoundedLog, row: object): Promise<void> {
  appendRedacted(files, log, await redactRow(row));
}

/** Appends a row that is redacted, by one append of the operating system; without a lock. */
export function appendRedacted(files: Files, log: BoundedLog, row: object): void {
  const line = encodeExact(JSON.stringify(row) + "\n");
  const size = files.append(log.path, line, { sync: false });
  // A view of one session does not see the whole file.
  if (!files.isScoped) rotateLog(files, log, size);
}
