// Looks through the own logs for what is to be pushed: from where the last push ended, unless a log
// was rewritten or other rows may leave by now. `team/scan.json` keeps the place; it can be lost.

import { type OwnPool, ownPools } from "../../core/entry.ts";
import { findJson, isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { findFingerprint, fingerprintOf } from "../../disk/lines.ts";
import { readText } from "../../disk/text_files.ts";
import type { Row, Snapshot } from "../../store/snapshot.ts";

/** How far the own logs were looked through, and by which rules. */
export interface ScanMark {
  /** What stands for the rules: the policy, what was shared by name, the pins. */
  rules: string;
  archive: LogMark;
  hot: LogMark;
}

interface LogMark {
  bytes: number;
  /** The fingerprint of the log there: another one means that it was rewritten. */
  tail: string;
}

interface Place {
  files: Files;
  layout: Layout;
}

/** The mark of the last push, where it still fits; else that of the beginning. */
export function readMark(place: Place, rules: string): ScanMark {
  const { files, layout } = place;
  const value = findJson(readText(files, markPath(layout)));
  const beginning = { rules, archive: { bytes: 0, tail: "" }, hot: { bytes: 0, tail: "" } };
  if (!isMark(value) || value.rules !== rules) return beginning;
  const fits = ownPools.every((pool) =>
    findFingerprint(files, layout.history[pool], value[pool].bytes) === value[pool].tail
  );
  return fits ? value : beginning;
}

/** Keeps the mark, once what lies before it is pushed. */
export function writeMark({ files, layout }: Place, mark: ScanMark): void {
  files.makeDirectory(layout.team);
  const bytes = new TextEncoder().encode(JSON.stringify(mark) + "\n");
  files.replace(markPath(layout), bytes, { sync: false });
}

/** Has everything looked through again. */
export function dropMark({ files, layout }: Place): void {
  files.remove(markPath(layout));
}

/** The mark behind a row; a row of the hot log comes after all of the archive. */
export function markBehind(snapshot: Snapshot, mark: ScanMark, row: Row): ScanMark {
  const at = row.pool === "hot" ? markPool(snapshot, mark, "archive") : mark;
  return markAt(snapshot, at, { pool: row.pool as OwnPool, bytes: row.offset + row.length + 1 });
}

/** The mark at the end of what a snapshot has. */
export function markEnd(snapshot: Snapshot, mark: ScanMark): ScanMark {
  return ownPools.reduce((at, pool) => markPool(snapshot, at, pool), mark);
}

function markPool(snapshot: Snapshot, mark: ScanMark, pool: OwnPool): ScanMark {
  const bytes = snapshot.sizeOf(pool);
  return mark[pool].bytes >= bytes ? mark : markAt(snapshot, mark, { pool, bytes });
}

/** Of the log that was read, not of one that may have taken its name meanwhile. */
function markAt(
  snapshot: Snapshot,
  mark: ScanMark,
  { pool, bytes }: { pool: OwnPool; bytes: number },
): ScanMark {
  const readAt = (offset: number, buffer: Uint8Array): number => {
    const found = snapshot.readBytes(pool, offset, buffer.length);
    buffer.set(found);
    return found.length;
  };
  return { ...mark, [pool]: { bytes, tail: fingerprintOf({ readAt }, bytes) ?? "" } };
}

/** Own rows behind a mark, in log order. */
export function* readBehind(snapshot: Snapshot, mark: ScanMark): Generator<Row> {
  const from = { archive: mark.archive.bytes, hot: mark.hot.bytes };
  yield* snapshot.rows({ pools: ownPools, from });
}

function markPath({ team }: Pick<Layout, "team">): string {
  return `${team}/scan.json`;
}

function isMark(value: unknown): value is ScanMark {
  return isObject(value) && typeof value.rules === "string" &&
    ownPools.every((pool) => isLogMark(value[pool]));
}

function isLogMark(value: unknown): value is LogMark {
  return isObject(value) && Number.isSafeInteger(value.bytes) && typeof value.tail === "string";
}
