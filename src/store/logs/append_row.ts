// Appends to a bounded log. Apart from reading one, because it brings the rules of redaction along.

import { redactValue } from "../../core/redact/redact.ts";
import { encodeExact } from "../../core/utf8.ts";
import type { Files } from "../../disk/files.ts";
import { type BoundedLog, rotateLog } from "./rotate_log.ts";

/** Appends a row, redacted, by one append of the operating system; without a lock. */
export function appendRow(files: Files, log: BoundedLog, row: object): void {
  const line = encodeExact(JSON.stringify(redactValue(row).value) + "\n");
  const size = files.append(log.path, line, { sync: false });
  // A view of one session does not see the whole file.
  if (!files.isScoped) rotateLog(files, log, size);
}
