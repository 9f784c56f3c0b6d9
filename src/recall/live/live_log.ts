// The edits of the last hour, one line each: `live.ndjson`, shared by all worktrees of a repository,
// rotated by size, appended without a lock. Holds ids, paths and line numbers, never text. Tells which
// sessions are live without a daemon: who was silent for an hour, or ended, is not.

import { findJson, isObject } from "../../core/json.ts";
import { decodeLossy, encodeExact } from "../../core/utf8.ts";
import type { Files } from "../../disk/files.ts";
import { holdsStore, type Layout, layoutOf } from "../../disk/layout.ts";
import { findMainCheckout } from "../../disk/worktree.ts";
import { type BoundedLog, rotatedPaths, rotateLog } from "../../store/logs/rotate_log.ts";
import type { liveRow } from "../../formats/log_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

/** One line: a session is about to edit a file, or ended. */
export type LiveRow = RowOf<typeof liveRow>;

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

/**
 * The edits of the last hour of sessions that did not end since, oldest first. With `only`, those of some
 * files, and none where nobody but a session of `own` edited them: every edit asks that.
 */
export function readLive(
  files: Files,
  log: BoundedLog,
  { nowMs, only, own }: { nowMs: number; only?: readonly string[]; own?: string },
): LiveEdit[] {
  const since = new Date(nowMs - liveMs).toISOString();
  const until = new Date(nowMs + clockSkewMs).toISOString();
  const texts = readTexts(files, log);
  const lines = only === undefined
    ? texts.flatMap((text) => text.split("\n"))
    : pickLines(texts, only.map((file) => `"file":${JSON.stringify(file)}`), own);
  const rows = lines.map(findJson).filter(isLiveRow)
    .filter(({ ts }) => ts >= since && ts <= until);
  const ended = new Map(
    rows.flatMap((row, i) => row.ended ? [[row.session, { i, ts: row.ts }]] : []),
  );
  // What a shell changed may be noted late.
  return rows.filter((row, i): row is LiveEdit => {
    const end = ended.get(row.session);
    return row.file !== undefined && (end === undefined || (i > end.i && row.ts > end.ts));
  });
}

const clockSkewMs = 60_000;

/** The lines that name a file, with those that tell of an end; none where all are of one session. */
function pickLines(texts: readonly string[], names: readonly string[], own?: string): string[] {
  const named = texts.map((text) => findLines(text, names));
  const mine = own === undefined ? undefined : `"session":${JSON.stringify(own)}`;
  const isAlone = mine !== undefined &&
    named.every((some) => some.every((line) => line.includes(mine)));
  return isAlone ? [] : texts.flatMap((text) => findLines(text, [...names, '"ended":true']));
}

/** The lines of a text that hold one of some words. Most hold none: `indexOf` looks at a whole log at once. */
function findLines(text: string, words: readonly string[]): string[] {
  const starts = new Set<number>();
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      starts.add(text.lastIndexOf("\n", at) + 1);
    }
  }
  return [...starts].sort((a, b) => a - b).map((start) => {
    const end = text.indexOf("\n", start);
    return text.slice(start, end < 0 ? text.length : end);
  });
}

/** The ends of the log's files, the older first. */
function readTexts(files: Files, log: BoundedLog): string[] {
  try {
    // Mostly nothing was set aside, and a file that is not there costs a hook more than a listing.
    const names = files.list(log.path.replace(/\/[^/]*$/, ""));
    const isThere = (path: string): boolean => names.includes(path.replace(/^.*\//, ""));
    return rotatedPaths(log).filter(isThere).reverse().map((path) => {
      using reader = files.openReader(path);
      if (reader === undefined) return "";
      // A file that somebody else made may be of any length.
      const from = Math.max(0, reader.size - 2 * log.fileBytes);
      const bytes = new Uint8Array(reader.size - from);
      return decodeLossy(bytes.subarray(0, reader.readAt(from, bytes)));
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
