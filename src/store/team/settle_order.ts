// Writes `team/order`, under the lock: a piece that was added, what a killed writer left, and the whole
// made anew. Readers need none of it.

import { decodeLossy } from "../../core/utf8.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { findTornTail } from "../../disk/lines.ts";
import {
  type Extent,
  listWriters,
  makeOrder,
  orderOf,
  parseOrder,
  readSizes,
  teamLogOf,
} from "./team_order.ts";

type TeamLayout = Pick<Layout, "team">;

/** More pieces than this are put in order once more: they are held in memory by every reader. */
const maxExtents = 10_000;

/** Says that a piece has been added. */
export function appendExtent(files: Files, layout: TeamLayout, extent: Extent): void {
  files.append(orderOf(layout), toBytes([extent]), { sync: false });
}

/**
 * Under the lock: cuts unfinished lines off the logs, which are pulled again, and brings the order up
 * to them. One that is made anew moves every row, so what was derived from the old one goes.
 */
export function settleOrder(files: Files, layout: Pick<Layout, "team" | "index">): void {
  const sizes = readSizes(files, layout);
  if (sizes.size === 0) return;
  const path = orderOf(layout);
  const bytes = files.findBytes(path);
  const known = bytes && parseOrder(decodeLossy(bytes), sizes);
  if (known === undefined || known.length > maxExtents) return remakeOrder(files, layout);
  if (bytes !== undefined && bytes.length > 0 && bytes.at(-1) !== 10) {
    files.truncate(path, bytes.lastIndexOf(10) + 1);
  }
  const reached = new Map(known.map(({ writer, to }) => [writer, to]));
  for (const [writer, size] of sizes) {
    const from = reached.get(writer) ?? 0;
    if (size === from) continue;
    const to = cutTail(files, teamLogOf(layout, writer)) ?? size;
    if (to > from) appendExtent(files, layout, { writer, from, to });
  }
}

/** Whether logs have more than the order names, as a power cut can leave it; the next writer adds it. */
export function isOrderShort(files: Files, layout: TeamLayout): boolean {
  const sizes = readSizes(files, layout);
  const bytes = files.findBytes(orderOf(layout)) ?? new Uint8Array();
  const known = parseOrder(decodeLossy(bytes), sizes) ?? [];
  const named = known.reduce((sum, { from, to }) => sum + to - from, 0);
  return named < [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** Under the lock: makes the order anew, and takes away what was derived from the old one. */
export function remakeOrder(files: Files, layout: Pick<Layout, "team" | "index">): void {
  for (const path of files.listTree(layout.index)) files.remove(path);
  for (const writer of listWriters(files, layout)) cutTail(files, teamLogOf(layout, writer));
  const order = makeOrder(readSizes(files, layout), (_, size) => size);
  files.replace(orderOf(layout), toBytes(order), { sync: true });
}

/** Cuts an unfinished last line; returns the new size, or undefined when there was none. */
function cutTail(files: Files, path: string): number | undefined {
  const tail = findTornTail(files, path);
  if (tail !== undefined) files.truncate(path, tail.offset);
  return tail?.offset;
}

function toBytes(extents: readonly Extent[]): Uint8Array {
  const lines = extents.map(({ writer, from, to }) => JSON.stringify([writer, from, to]) + "\n");
  return new TextEncoder().encode(lines.join(""));
}
