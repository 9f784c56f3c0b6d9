// Writes the summary, redacted. Apart from what reads it, which a session start needs without the rules
// of redaction.

import { redactText } from "../core/redact/redact.ts";
import { replaceText } from "../disk/text_files.ts";
import type { Writer } from "./writer.ts";
import { parseSummary, placeSummary, readSummaryText, type Summary } from "./summary.ts";

/** Writes a summary into `summary.md`; returns whether a hand-edited part was kept beside it. */
export function writeSummary(writer: Writer, summary: Summary): boolean {
  const before = readSummaryText(writer);
  const clean = { ...summary, text: redactText(summary.text).value };
  const after = placeSummary(before, clean);
  if (after !== before) replaceText(writer.files, writer.layout.summary, after);
  return parseSummary(before).written?.edited ?? false;
}
