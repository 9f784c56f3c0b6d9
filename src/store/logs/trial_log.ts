// The trial of what context is worth, kept beside what agents were sent (`injections.ndjson`): which
// sessions got none, by a coin, and each look at the difference. Ids and numbers only.

import { isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { appendRow } from "./append_row.ts";
import { injectionLog } from "./injection_log.ts";
import { readRows } from "./rotate_log.ts";
import { trialVerdicts } from "../../core/row_kinds.ts";
import type { coin, look } from "../../formats/log_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

/** The coin of a conversation, tossed when it would have been sent something for the first time. */
export type TrialCoin = RowOf<typeof coin>;

/** What a trial ended with. */
export type Verdict = typeof trialVerdicts[number];

/** One look at the sessions so far; the last one has the verdict. */
export type TrialLook = RowOf<typeof look>;

interface Place {
  files: Files;
  layout: Layout;
}

export async function appendTrial(
  { files, layout }: Place,
  row: TrialCoin | TrialLook,
): Promise<void> {
  await appendRow(files, injectionLog(layout), row);
}

/** All rows of the trial, or the looks and the coin of one conversation, oldest first. */
export function readTrial(
  { files, layout }: Place,
  conversation?: string,
): (TrialCoin | TrialLook)[] {
  const needles = conversation === undefined
    ? ['"coin"', '"look"']
    : [JSON.stringify(conversation), '"look"'];
  return [...readRows(files, injectionLog(layout), isTrialRow, { needles })];
}

export function isTrialRow(value: unknown): value is TrialCoin | TrialLook {
  if (!isObject(value) || typeof value.ts !== "string") return false;
  if (value.event === "coin") {
    return typeof value.agent === "string" && typeof value.conversation === "string" &&
      typeof value.withheld === "boolean";
  }
  return value.event === "look" && typeof value.sessions === "number" &&
    typeof value.p === "number" &&
    (value.verdict === undefined || trialVerdicts.some((verdict) => verdict === value.verdict));
}
