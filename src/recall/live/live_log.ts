// The edits of the last hour, one line each: `live.ndjson`, shared by all worktrees of a repository,
// rotated by size, appended without a lock. Holds ids, paths and line numbers, never text. Tells which
// sessions are live without a daemon: who was silent for an hour, or ended, is not.

import { isObject } from "../../core/json.ts";
import { encodeExact } from "../../core/utf8.ts";
import type { Files } from "../../disk/files.ts";
import { holdsStore, type Layout, layoutOf } from "../../disk/layout.ts";
import { findMainCheckout } from "../../disk/worktree.ts";
import { readRecords } from "../../disk/lines.ts";
import { type BoundedLog, rotatedPaths, rotateLog } from "../../store/logs/rotate_log.ts";
import type { LineSpan } from "./edit_spans.ts";

/** One line: a session is about to edit a file, or ended. */
export interface LiveRow {
  ts: string;
  /** The agent's own id of its session. */
  session: string;
  /** The agent, where its message shows it. */
  agent?: string;
  /** The top of the checkout, and the file below it. */
  tree?: string;
  file?: string;
  spans?: LineSpan[];
  /** It was not made: its session was warned instead, and may make it yet. */
  warned?: true;
  ended?: true;
}

/** An edit that a session is about to make. */
export type LiveEdit = LiveRow & Required<Pick<LiveRow, "tree" | "file" | "spans">>;

/** So long an edit counts, and a session that says nothing is live. */
export const liveMs = 3_600_000;

const maxChars = 500;

/** The log that the worktrees of a workspace's repository share. */
export function liveLog({ workspace, live }: Layout): BoundedLog {
  const main = findMainCheckout(workspace);
  const path = main !== undefined && holdsStore(main) ? layoutOf(main).live : live;
  return { path, fileBytes: 96 << 10, kept: 1 };
}

/** Appends a row; whether it could be written. */
export function appendLive(files: Files, log: BoundedLog, row: LiveRow): boolean {
  if ([row.session, row.tree, row.file].some((part = "") => part.length > maxChars)) return false;
  try {
    const line = encodeExact(`${JSON.stringify(row)}\n`);
    rotateLog(files, log, files.append(log.path, line, { sync: false, shared: true }));
    return true;
  } catch {
    // Read-only, or full.
    return false;
  }
}

/** Notes that a session ended, where anything was edited. */
export function endLive(
  { files, layout }: { files: Files; layout: Layout },
  { conversation: session }: { conversation?: string },
  nowMs: number,
): void {
  const log = liveLog(layout);
  if (session === undefined || files.findSize(log.path) === undefined) return;
  appendLive(files, log, { ts: new Date(nowMs).toISOString(), session, ended: true });
}

/** The edits of the last hour of sessions that did not end since, oldest first; those of some files. */
export function readLive(
  files: Files,
  log: BoundedLog,
  { nowMs, only }: { nowMs: number; only?: readonly string[] },
): LiveEdit[] {
  const since = new Date(nowMs - liveMs).toISOString();
  const until = new Date(nowMs + clockSkewMs).toISOString();
  const needles = only && [...only.map((file) => `"file":${JSON.stringify(file)}`), '"ended":true'];
  const rows = readRecent(files, log, needles).filter(({ ts }) => ts >= since && ts <= until);
  const ended = new Map(rows.flatMap((row, i) => row.ended ? [[row.session, i]] : []));
  return rows.filter((row, i): row is LiveEdit =>
    row.file !== undefined && i > (ended.get(row.session) ?? -1)
  );
}

const clockSkewMs = 60_000;

function readRecent(files: Files, log: BoundedLog, needles?: string[]): LiveRow[] {
  try {
    // Mostly nothing was set aside, and a file that is not there costs a hook more than a listing.
    const names = files.list(log.path.replace(/\/[^/]*$/, ""));
    const kept = names.includes(`${log.path.replace(/^.*\//, "")}.1`) ? log.kept : 0;
    return rotatedPaths({ ...log, kept }).reverse().flatMap((path) => {
      // A file that somebody else made may be of any length.
      const from = Math.max(0, (files.findSize(path) ?? 0) - 2 * log.fileBytes);
      return [...readRecords(files, path, isLiveRow, { needles, from })];
    });
  } catch {
    return [];
  }
}

/** Anybody can write to a file: what is not exactly a row is passed over. */
function isLiveRow(value: unknown): value is LiveRow {
  if (!isObject(value) || !isShort(value.ts) || !isShort(value.session)) return false;
  if (value.ended === true) return true;
  return isShort(value.tree) && isShort(value.file) && Array.isArray(value.spans) &&
    (value.agent === undefined ||
      typeof value.agent === "string" && /^[\w-]{1,30}$/.test(value.agent)) &&
    value.spans.every((span: unknown) =>
      isObject(span) && [span.from, span.to, span.lines].every(Number.isSafeInteger)
    );
}

function isShort(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxChars;
}
