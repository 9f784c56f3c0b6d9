// `team/order`: the pieces of the members' logs in the order in which they arrived. Put one after the
// other they are one log that only grows, so whatever reads a log can read them all. Derived: lost,
// damaged or not matching the files it is made anew, one piece a writer.

import { findJson } from "../../core/json.ts";
import { decodeLossy } from "../../core/utf8.ts";
import type { Files } from "../files/files.ts";
import type { Layout } from "../files/layout.ts";
import { findTornTail } from "../files/lines.ts";

/** A piece of a writer's log, whole lines, by its bytes. */
export interface Extent {
  writer: string;
  from: number;
  to: number;
}

type TeamLayout = Pick<Layout, "team">;

/** More pieces than this are put in order once more: they are held in memory by every reader. */
const maxExtents = 10_000;

const logName = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.ndjson$/;

/** Where a writer's log is. */
export function teamLogOf(layout: TeamLayout, writer: string): string {
  return `${layout.team}/${writer}.ndjson`;
}

/** Where the order is. */
export function orderOf(layout: TeamLayout): string {
  return `${layout.team}/order`;
}

/** The writers that have a log here, sorted. */
export function listWriters(files: Files, layout: TeamLayout): string[] {
  return files.list(layout.team).filter((name) => logName.test(name))
    .map((name) => name.slice(0, -".ndjson".length));
}

/** The pieces that the text of an order names, joined; undefined when they do not fit the logs. */
export function parseOrder(
  text: string,
  sizes: ReadonlyMap<string, number>,
): Extent[] | undefined {
  const extents: Extent[] = [];
  const reached = new Map<string, number>();
  // What comes after the last newline was not finished: the next writer adds it again.
  for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n")) {
    if (line === "") continue;
    const extent = toExtent(findJson(line));
    if (extent === undefined) return undefined;
    const { writer, from, to } = extent;
    if (from !== (reached.get(writer) ?? 0) || to > (sizes.get(writer) ?? 0)) return undefined;
    reached.set(writer, to);
    const last = extents.at(-1);
    if (last?.writer === writer) last.to = to;
    else extents.push(extent);
  }
  return extents;
}

/** The order as it is made anew: one piece a writer. Logs end with whole lines, or are cut there. */
export function makeOrder(
  sizes: ReadonlyMap<string, number>,
  wholeOf: (writer: string, size: number) => number,
): Extent[] {
  return [...sizes.keys()].sort()
    .map((writer) => ({ writer, from: 0, to: wholeOf(writer, sizes.get(writer) ?? 0) }))
    .filter(({ to }) => to > 0);
}

/** Says that a piece has been added. */
export function appendExtent(files: Files, layout: TeamLayout, extent: Extent): void {
  files.append(orderOf(layout), toBytes([extent]), { sync: false });
}

/**
 * Under the lock: cuts unfinished lines off the logs, which are pulled again, and brings the order up
 * to them. One that is made anew moves every row, so what was derived from the old one goes.
 */
export function settleOrder(files: Files, layout: Pick<Layout, "team" | "index">): void {
  const writers = listWriters(files, layout);
  if (writers.length === 0) return;
  const path = orderOf(layout);
  const bytes = files.findBytes(path);
  const sizes = new Map(
    writers.map((writer) => [writer, files.findSize(teamLogOf(layout, writer)) ?? 0]),
  );
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

/** Under the lock: makes the order anew, and takes away what was derived from the old one. */
export function remakeOrder(files: Files, layout: Pick<Layout, "team" | "index">): void {
  for (const path of files.listTree(layout.index)) files.remove(path);
  const sizes = new Map(
    listWriters(files, layout).map((writer) => {
      const path = teamLogOf(layout, writer);
      return [writer, cutTail(files, path) ?? files.findSize(path) ?? 0];
    }),
  );
  files.replace(orderOf(layout), toBytes(makeOrder(sizes, (_, size) => size)), { sync: true });
}

/** Cuts an unfinished last line; returns the new size, or undefined when there was none. */
function cutTail(files: Files, path: string): number | undefined {
  const tail = findTornTail(files, path);
  if (tail !== undefined) files.truncate(path, tail.offset);
  return tail?.offset;
}

function toExtent(value: unknown): Extent | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [writer, from, to] = value;
  const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= from && from < to;
  return typeof writer === "string" && isRange ? { writer, from, to } : undefined;
}

function toBytes(extents: readonly Extent[]): Uint8Array {
  const lines = extents.map(({ writer, from, to }) => JSON.stringify([writer, from, to]) + "\n");
  return new TextEncoder().encode(lines.join(""));
}
