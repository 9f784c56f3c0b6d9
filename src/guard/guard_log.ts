// What guards did, one line each: `guards.ndjson`, rotated by size, appended without a lock: what was
// caught and what the user let pass.

import { hashHex } from "../core/hash.ts";
import { isObject } from "../core/json.ts";
import type { Files } from "../disk/files.ts";
import type { Layout } from "../disk/layout.ts";
import { type BoundedLog, readRows } from "../store/logs/rotate_log.ts";
import type { guardEvent } from "../formats/log_row.ts";
import type { RowOf } from "../formats/row_schema.ts";

/**
 * One line. `caught`: a guard said no; `passed`: it was let pass once; `pass`: the user allows that.
 */
export type GuardEvent = RowOf<typeof guardEvent>;

/** How long the user's word for one pass holds. */
export const passMs = 10 * 60_000;
const maxChars = 300;

interface Place {
  files: Files;
  layout: Layout;
}

function boundedLog({ guardLog: path }: Layout): BoundedLog {
  return { path, fileBytes: 256 << 10, kept: 1 };
}

export async function logGuard(
  { files, layout }: Place,
  { now, ...event }: Omit<GuardEvent, "ts"> & { now: number },
): Promise<void> {
  const { appendRedacted } = await import("../store/logs/append_row.ts");
  const { redactRow } = await import("../core/redact/redact_row.ts");
  const { line, ...said } = event;
  const row = await redactRow({
    ...said,
    ts: new Date(now).toISOString(),
    what: event.what?.slice(0, maxChars),
    found: event.found?.slice(0, maxChars),
  });
  // A digest is no secret, though it looks like one.
  appendRedacted(files, boundedLog(layout), { ...row, line });
}

/** All lines, oldest first. */
export function readGuardLog({ files, layout }: Place): GuardEvent[] {
  return [...readRows(files, boundedLog(layout), isGuardEvent)];
}

/** Whether the user allowed the next breach of a guard, and nothing was let pass since. */
export function hasPass(events: readonly GuardEvent[], guard: string, now: number): boolean {
  const last = events.findLast((one) =>
    one.guard === guard && (one.event === "pass" || one.event === "passed")
  );
  return last?.event === "pass" && now - Date.parse(last.ts) < passMs;
}

/** The digest of a line, by which it is found again. */
export function lineDigest(line: string): string {
  return hashHex(line.trim());
}

/** The file in which a change stands that a guard refused, though nobody let it pass since. */
export function findDoneByHand(
  events: readonly GuardEvent[],
  guard: string,
  readText: (file: string) => string | undefined,
): string | undefined {
  const own = events.filter((one) => one.guard === guard);
  const last = own.findLastIndex(({ event }) => event === "passed");
  const refused = own.slice(last + 1).filter(({ mode }) => mode !== "shadow");
  return refused.slice(-maxLooks).find(({ file, line }) =>
    file !== undefined && line !== undefined &&
    readText(file)?.split("\n").some((one) => lineDigest(one) === line)
  )?.file;
}

/** So many refusals of one guard are looked at. */
const maxLooks = 5;

function isGuardEvent(value: unknown): value is GuardEvent {
  return isObject(value) && typeof value.ts === "string" && typeof value.guard === "string" &&
    ["caught", "passed", "pass"].includes(String(value.event));
}
