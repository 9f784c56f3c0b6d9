// What agents were given without asking, and what of it they used: `injections.ndjson`, bounded by
// rotation. Ids and counts only, never the text of entries, redacted like every log. A line is one
// append of the operating system, without a lock: hooks must not wait for writers.

import { isObject } from "../../core/json.ts";
import { isHandedAs, isRestoredId } from "../../core/restored_uuid.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { findRecord, readLines } from "../../disk/lines.ts";
import { appendRow } from "./append_row.ts";
import { type BoundedLog, readRows, rotatedPaths } from "./rotate_log.ts";
import { parseSessionEvent } from "./session_log.ts";
import type { given, injectedLine, uptake } from "../../formats/log_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

/** A line that was given; `pins.md` and `summary.md` stand for lines without an id. */
export type InjectedLine = RowOf<typeof injectedLine>;

/** What one hook gave: the event is the agent's own name for it. */
export type Injection = RowOf<typeof given>;

/** Which given lines a conversation took up, told once it was looked at. */
export type Uptake = RowOf<typeof uptake>;

interface Place {
  files: Files;
  layout: Layout;
}

/** The log, which the trial shares (`trial_log.ts`). */
export function injectionLog({ injections }: Layout): BoundedLog {
  return { path: injections, fileBytes: 1 << 20, kept: 1 };
}

/** Appends one row; what cannot be written is an error, which a hook tells and passes over. */
export async function appendInjection(
  { files, layout }: Place,
  row: Injection | Uptake,
): Promise<void> {
  await appendRow(files, injectionLog(layout), row);
}

/** All rows, or those that hold a needle, oldest first; torn and foreign lines are passed over. */
export function readInjections(
  { files, layout }: Place,
  options: { needles?: string[] } = {},
): Generator<Injection | Uptake> {
  return readRows(files, injectionLog(layout), isRow, options);
}

/** What was given, without what was found out about its use. */
export function readGiven(place: Place): Injection[] {
  return [...readInjections(place)].flatMap((row) => isUptake(row) ? [] : row);
}

/** What of the rows of a conversation its agent still has: what came before its context was lost is gone. */
export function givenSinceLoss(
  rows: readonly (Injection | Uptake)[],
  conversation: string,
): Set<string> {
  const own = rows.flatMap((row) => row.conversation === conversation && !isUptake(row) ? row : []);
  const loss = own.findLastIndex(({ reason = "" }) => reason === "compact" || reason === "clear");
  return new Set(own.slice(Math.max(0, loss)).flatMap(({ lines }) => lines.map(({ id }) => id)));
}

/** The ids of the sessions that an agent's conversation is kept as, and of one that was handed to it. */
export function readSessionsOf(
  { files, layout }: Place,
  conversation: string,
): Set<string> {
  const ids = new Set<string>();
  const handed = new Set<string>();
  const isHanded = isRestoredId(conversation);
  const options = isHanded ? {} : { needles: [JSON.stringify(conversation)] };
  for (const { bytes } of readLines(files, layout.sessions, options)) {
    const event = parseSessionEvent(bytes);
    if (event === undefined) continue;
    if (event.conversation === conversation) ids.add(event.session_id);
    else if (isHanded && isHandedAs(event.session_id, conversation)) handed.add(event.session_id);
  }
  return ids.union(handed);
}

/** Whether a row tells what was used, not what was given. */
export function isUptake(row: Injection | Uptake): row is Uptake {
  return row.event === "uptake";
}

/** The files of the log, the newest first. */
export function injectionPaths(layout: Layout): string[] {
  return rotatedPaths(injectionLog(layout));
}

/** A line of the log without some entries: as it is, shorter, or nothing. */
export function withoutEntries(
  bytes: Uint8Array,
  ids: ReadonlySet<string>,
): "keep" | "drop" | { rows: object[] } {
  const row = findRecord(bytes, isRow);
  if (row === undefined) return "drop";
  const isKept = (id: string): boolean => !ids.has(id);
  if (isUptake(row)) {
    const [given, used] = [row.given.filter(isKept), row.used.filter(isKept)];
    return given.length === row.given.length ? "keep" : { rows: [{ ...row, given, used }] };
  }
  const lines = row.lines.filter(({ id }) => isKept(id));
  return lines.length === row.lines.length ? "keep" : { rows: [{ ...row, lines }] };
}

function isRow(value: unknown): value is Injection | Uptake {
  if (!isObject(value) || typeof value.ts !== "string" || typeof value.agent !== "string") {
    return false;
  }
  if (value.event === "uptake") {
    return typeof value.conversation === "string" && areTexts(value.given) && areTexts(value.used);
  }
  return typeof value.event === "string" && typeof value.tokens === "number" &&
    Array.isArray(value.lines) && value.lines.every(isLine);
}

function isLine(value: unknown): boolean {
  return isObject(value) && typeof value.id === "string" && typeof value.tokens === "number";
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
