// Saves what can be saved of a damaged JSONL line. The damage is known: NUL runs before a record,
// two records without a newline, a record cut in a string with the next one glued to it. Pure.

import { findObjectEnd } from "../../core/json.ts";
import { findJson, type Json, toObject } from "./loose_json.ts";

/** How records begin; the second group also begins objects inside records, so it comes last. */
const starts = [['{"parentUuid"', '{"timestamp"', '{"uuid"', '{"role"'], ['{"type"', '{"id"']];
const maxTries = 64;

/** The whole records in a damaged line, in order, and whether the line had more than these. */
export function salvage(line: string): { records: Json[]; isLossy: boolean } {
  const text = line.replaceAll("\0", "").trim();
  const records: Json[] = [];
  let isLossy = false;
  let from = 0;
  for (let tries = 0; tries < maxTries && from < text.length; tries++) {
    const end = text[from] === "{" ? findObjectEnd(text, from) : -1;
    const record = end < 0 ? undefined : toObject(findJson(text.slice(from, end)));
    if (record) records.push(record);
    else isLossy ||= text[from].trim() !== "";
    from = record ? end : findStart(text, from + 1);
  }
  return { records, isLossy: isLossy || from < text.length };
}

function findStart(text: string, from: number): number {
  for (const group of starts) {
    const found = group.map((start) => text.indexOf(start, from)).filter((at) => at >= 0);
    if (found.length > 0) return Math.min(...found);
  }
  return text.length;
}
