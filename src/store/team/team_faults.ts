// What is wrong with others' rows on this disk, in words. Reads only. The order and torn tails are put
// right by the next writer; whatever else is wrong goes when the log does, because it is pulled again.

import { findJson, isObject } from "../../core/json.ts";
import { decodeLossy } from "../../core/utf8.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { findTornTail, readLines } from "../../disk/lines.ts";
import { readText } from "../../disk/text_files.ts";
import { readRemote } from "./remote_file.ts";
import { readCursors } from "./team_log.ts";
import { orderOf, parseOrder, readSizes, teamLogOf } from "./team_order.ts";

/** What was found: what the next writer mends, and what a sync has to. */
export interface TeamFaults {
  writers: number;
  mended: string[];
  pulled: string[];
}

/** Looks at the order, the logs and the cursors. */
export function findTeamFaults(
  files: Files,
  layout: Pick<Layout, "team" | "remote">,
): TeamFaults {
  const mended: string[] = [];
  const pulled: string[] = [];
  const sizes = readSizes(files, layout);
  const order = parseOrder(readText(files, orderOf(layout)), sizes);
  if (order === undefined) mended.push("team/order does not match the logs");
  const reached = new Map(order?.map(({ writer, to }) => [writer, to]));
  const cursors = readCursors(files, layout);
  for (const [writer, size] of sizes) {
    const path = teamLogOf(layout, writer);
    const name = `team/${writer}.ndjson`;
    if (findTornTail(files, path) !== undefined) mended.push(`${name} ends in the middle of a row`);
    else if (order && reached.get(writer) !== size && size > 0) {
      mended.push(`${name} has rows that are not in team/order`);
    }
    if (size < (cursors[writer]?.bytes ?? 0)) pulled.push(`${name} is shorter than it was`);
    const bad = countBadRows(files, path);
    if (bad > 0) pulled.push(`${name} has ${bad} invalid rows: remove it`);
  }
  // Of oneself there is a cursor and no log: the rows are in the own ones.
  const own = readRemote({ files, layout })?.writer;
  for (const writer of Object.keys(cursors)) {
    if (writer !== own && !sizes.has(writer) && cursors[writer].bytes > 0) {
      pulled.push(`team/${writer}.ndjson is gone`);
    }
  }
  return { writers: sizes.size, mended, pulled };
}

/** Rows without an id, an author or a seq that follows the one before. */
function countBadRows(files: Files, path: string): number {
  let bad = 0;
  let last = 0;
  for (const { bytes } of readLines(files, path)) {
    const row = findJson(decodeLossy(bytes));
    const isRow = isObject(row) && typeof row.id === "string" && typeof row.author === "string" &&
      Number.isSafeInteger(row.seq) && Number(row.seq) > last;
    if (isRow) last = Number(row.seq);
    else bad++;
  }
  return bad;
}
