// Rewrites the members' logs without some of their lines. The order goes before the first log is
// replaced and is made anew after the last, with everything that was derived from it: readers and
// whoever comes after a crash see old logs in their old order, or make one. The cursors stay where
// they are, so that nothing is pulled again.

import { readLines } from "../../disk/lines.ts";
import { rewriteFile, type Verdict } from "../rewrite.ts";
import { readCursors, type TeamCursor, writeCursors } from "../team/team_log.ts";
import { remakeOrder } from "../team/settle_order.ts";
import { listWriters, orderOf, teamLogOf } from "../team/team_order.ts";
import type { Writer } from "../writer.ts";

/** Rewrites all members' logs by their lines; returns how many lines changed. */
export function rewriteTeam(writer: Writer, judge: (bytes: Uint8Array) => Verdict): number {
  const { files, layout } = writer;
  const concerned = listWriters(files, layout).filter((id) =>
    readLines(files, teamLogOf(layout, id)).some(({ bytes }) => judge(bytes) !== "keep")
  );
  if (concerned.length === 0) return 0;
  // A log that is shorter than its cursor says would be pulled anew.
  setBytes(writer, concerned, () => 0);
  files.remove(orderOf(layout));
  let changed = 0;
  for (const id of concerned) {
    changed += rewriteFile(writer, teamLogOf(layout, id), ({ bytes }) => judge(bytes));
  }
  remakeOrder(files, layout);
  setBytes(writer, concerned, (id) => files.findSize(teamLogOf(layout, id)) ?? 0);
  return changed;
}

function setBytes(
  writer: Writer,
  writers: readonly string[],
  toBytes: (writer: string) => number,
): void {
  const cursors = readCursors(writer.files, writer.layout);
  const changed = writers.filter((id) => Object.hasOwn(cursors, id))
    .map((id): [string, TeamCursor] => [id, { ...cursors[id], bytes: toBytes(id) }]);
  if (changed.length === 0) return;
  writeCursors(writer, { ...cursors, ...Object.fromEntries(changed) });
}
