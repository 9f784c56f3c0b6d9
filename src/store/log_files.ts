// A log by its pool: a file of one's own, or the members' logs as one; and whether it is the same log
// that somebody looked at before.

import { checksum } from "../core/checksum.ts";
import type { Pool } from "../core/entry.ts";
import { type FileReader, type Files, isListed } from "../disk/files.ts";
import type { Layout } from "../disk/layout.ts";
import { fingerprintOf, type Line, type LineOptions, readLinesOf } from "../disk/lines.ts";
import { openTeam } from "./team/team_reader.ts";

/** Where the logs are. */
export type LogLayout = Pick<Layout, "history" | "root" | "team">;

/** Opens a log, or returns undefined when there is none. */
export function openLog(files: Files, layout: LogLayout, pool: Pool): FileReader | undefined {
  if (pool !== "team") return files.openReader(layout.history[pool]);
  return isListed(files, layout.team) ? openTeam(files, layout) : undefined;
}

/** The size of a log in bytes; 0 when there is none. */
export function findLogSize(files: Files, layout: LogLayout, pool: Pool): number {
  if (pool !== "team") return files.findSize(layout.history[pool]) ?? 0;
  using log = openLog(files, layout, pool);
  return log?.size ?? 0;
}

/** The fingerprint of a log before an offset; undefined when it is shorter than that. */
export function findLogFingerprint(
  files: Files,
  layout: LogLayout,
  { pool, offset }: { pool: Pool; offset: number },
): string | undefined {
  if (offset === 0) return "";
  using log = openLog(files, layout, pool);
  return log && fingerprintOf(log, offset);
}

/** Yields the whole lines of a log in order. */
export function* readLog(
  files: Files,
  layout: LogLayout,
  { pool, ...options }: LineOptions & { pool: Pool },
): Generator<Line> {
  using log = openLog(files, layout, pool);
  if (log !== undefined) yield* readLinesOf(log, options);
}

/** What a log is called in messages: its path in the store. */
export function logNameOf({ history, root, team }: LogLayout, pool: Pool): string {
  return (pool === "team" ? team : history[pool]).slice(root.length + 1);
}

const edgeBytes = 512;

/** A part of a log, by its bytes. */
export interface LogRange {
  pool: Pool;
  from: number;
  to: number;
}

/**
 * The bytes at both ends of a range of a log, as one number. A log only grows, so other edges mean
 * that it was rewritten since, even when it has grown past the range again.
 */
export function edgesOf(
  log: { readBytes(pool: Pool, offset: number, length: number): Uint8Array },
  { pool, from, to }: LogRange,
): number {
  if (to <= from) return 0;
  const length = Math.min(edgeBytes, to - from);
  const first = checksum(log.readBytes(pool, from, length));
  const last = checksum(log.readBytes(pool, to - length, length));
  return (first ^ Math.imul(last, 0x9e3779b1)) >>> 0;
}
