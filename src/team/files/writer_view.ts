// What is known of a writer's files, so that a sync reads only new ones and notices when old ones are
// gone: how far they were followed, where which rows are, and what they say. `team/files.json` keeps it.

import * as z from "zod/mini";
import { findJson } from "../../core/json.ts";
import { count, uuid } from "../remote/server_answer.ts";
import { type JoinEvent, spaceEvent } from "./space_event.ts";
import type { WriterFile } from "./writer_file.ts";

const said = z.object({ number: count, ts: z.string(), event: spaceEvent });

/** Something that a writer said, and in which of its files. */
export type Said = z.infer<typeof said>;

const view = z.object({
  /** How many files were followed. */
  number: count,
  /** The digest of the last one's header. */
  head: z.string(),
  /** The last row in them. */
  seq: count,
  /** The files that have rows: the number, and the seq of the last row. */
  files: z.array(z.tuple([count, count])),
  said: z.array(said),
});
export type WriterView = z.infer<typeof view>;

const views = z.object({
  version: z.literal(1),
  space: z.string(),
  writers: z.record(uuid, view),
});

/** Nothing is known yet. */
export function newView(): WriterView {
  return { number: 0, head: "", seq: 0, files: [], said: [] };
}

/** The views as they were kept; none where they cannot be read, or are of another space. */
export function parseViews(text: string, space: string): Map<string, WriterView> {
  const { data } = z.safeParse(views, findJson(text));
  return new Map(data?.space === space ? Object.entries(data.writers) : []);
}

/** The views as text. */
export function formatViews(known: ReadonlyMap<string, WriterView>, space: string): string {
  return JSON.stringify({ version: 1, space, writers: Object.fromEntries(known) }) + "\n";
}

/** Adds a file that follows. */
export function addFile(
  into: WriterView,
  { header, digest }: Pick<WriterFile, "header" | "digest">,
): void {
  const { number, ts, after, rows, events } = header;
  into.number = number;
  into.head = digest;
  into.seq = after + rows;
  if (rows > 0) into.files.push([number, into.seq]);
  into.said.push(...events.map((event) => ({ number, ts, event })));
}

/** The view as far as some number of files. */
export function cutView(known: WriterView, number: number): WriterView {
  if (number >= known.number) return known;
  const files = known.files.filter(([item]) => item <= number);
  return {
    number,
    head: "",
    seq: files.at(-1)?.[1] ?? 0,
    files,
    said: known.said.filter((item) => item.number <= number),
  };
}

/** How a writer began; undefined when its first file says something else. */
export function findJoin({ said }: WriterView): (Said & { event: JoinEvent }) | undefined {
  const [first] = said;
  return first?.number === 1 && first.event.type === "join"
    ? { ...first, event: first.event }
    : undefined;
}
