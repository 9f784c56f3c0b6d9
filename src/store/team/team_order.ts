// `team/order`: the pieces of the members' logs in the order in which they arrived. Put one after the
// other they are one log that only grows, so whatever reads a log can read them all. Derived: lost,
// damaged or not matching the files it is made anew, one piece a writer.

import { findJson } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";

/** A piece of a writer's log, whole lines, by its bytes. */
export interface Extent {
  writer: string;
  from: number;
  to: number;
}

type TeamLayout = Pick<Layout, "team">;

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

/** The writers that have a log here, sorted, and how long each log is. */
export function readSizes(files: Files, layout: TeamLayout): Map<string, number> {
  const sizeOf = (writer: string): number => files.findSize(teamLogOf(layout, writer)) ?? 0;
  return new Map(listWriters(files, layout).map((writer) => [writer, sizeOf(writer)]));
}

/** The pieces that the text of an order names, joined; undefined when they do not fit the logs. */
export function parseOrder(
  text: string,
  sizes: ReadonlyMap<string, number>,
): readonly Extent[] | undefined {
  if (text !== parsed.text) parsed = { text, ...parsePieces(text) };
  const { extents, reached } = parsed;
  for (const [writer, to] of reached) {
    if (to > (sizes.get(writer) ?? 0)) return undefined;
  }
  return extents;
}

/** What a text says, and how far into each log; of a broken one nothing. */
interface Pieces {
  extents?: readonly Extent[];
  reached: ReadonlyMap<string, number>;
}

/** The last one stays: in a process that answers many questions it is the same for most of them. */
let parsed: Pieces & { text: string } = { text: "", extents: [], reached: new Map() };

function parsePieces(text: string): Pieces {
  const extents: Extent[] = [];
  const reached = new Map<string, number>();
  // What comes after the last newline was not finished: the next writer adds it again.
  for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n")) {
    if (line === "") continue;
    const extent = toExtent(findJson(line));
    if (extent === undefined) return { reached: new Map() };
    const { writer, from, to } = extent;
    if (from !== (reached.get(writer) ?? 0)) return { reached: new Map() };
    reached.set(writer, to);
    const last = extents.at(-1);
    if (last?.writer === writer) last.to = to;
    else extents.push(extent);
  }
  return { extents, reached };
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

function toExtent(value: unknown): Extent | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [writer, from, to] = value;
  const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= from && from < to;
  return typeof writer === "string" && isRange ? { writer, from, to } : undefined;
}
