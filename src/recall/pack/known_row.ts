// A piece of knowledge as a session start is told of it: which entries are one, and what of them is
// needed. Pure.

import { type Entry, isImportedMemory } from "../../core/entry.ts";
import { recordOf } from "../../core/rows/record.ts";
import { verdictOf } from "../../core/rows/verdict.ts";
import { compareText } from "../../core/text.ts";
import { orderTime } from "../../core/time/known_time.ts";
import { type Surroundings, worthOf } from "../../read/knowledge_worth.ts";
import { lineChars, type PackSection } from "./pack_item.ts";
import { packLine, withTitle } from "./pack_line.ts";

/** A piece of knowledge: an entry whose text is the line that is told of it. */
export interface KnownRow extends Entry {
  truncated_chars: number;
  /** Whether it is not written yet, so that nothing is found by its id. */
  isDraft?: true;
}

const sectionOf: Record<string, PackSection> = {
  preference: "preferences",
  decision: "decisions",
  open: "open",
  outcome: "outcomes",
  digest: "last",
  fix: "fixes",
  note: "notes",
  command: "commands",
};

/** Knowledge has the role of a note, or one of these types; a correction may have any. */
export const knownNeedles = [
  '"role":"note"',
  '"type":"preference"',
  '"type":"decision"',
  '"supersedes":',
  '"saved_by":',
];

export function findSection(entry: Entry): PackSection | undefined {
  // Of what others than a note say, only these two are knowledge by their type alone.
  const isSaid = entry.type === "preference" || entry.type === "decision";
  if (entry.role !== "note" && !isSaid || isImportedMemory(entry)) return undefined;
  return Object.hasOwn(sectionOf, entry.type) ? sectionOf[entry.type] : undefined;
}

/** What of an entry a start needs; undefined when it is no knowledge. */
export function toKnownRow(entry: Entry, author: string | undefined): KnownRow | undefined {
  const section = findSection(entry);
  if (section === undefined) return undefined;
  const record = recordOf(entry);
  const { id, ts, role, type, session_id, project, branch, supersedes, saved_by, refs } = entry;
  // A session that did work is known even where its line is not sure: no older one is the last then.
  const isWork = section === "last" && (record?.work === true || entry.files !== undefined);
  if (record?.grade === "candidate" && !isWork) return undefined;
  const cites = type === "decision" || (record && (type === "outcome" || type === "digest"));
  return {
    id,
    ts,
    role,
    type,
    ...packLine(withTitle(entry.title, entry.text), lineChars(section)),
    ...(session_id === undefined ? {} : { session_id }),
    ...(project === undefined ? {} : { project }),
    ...(branch === undefined ? {} : { branch }),
    ...(supersedes === undefined ? {} : { supersedes }),
    ...(saved_by === undefined ? {} : { saved_by }),
    ...(cites ? { refs } : {}),
    // Whether they are committed is asked when it is told.
    ...(section === "last" && entry.files ? { files: entry.files.slice(0, maxFiles) } : {}),
    ...(author === undefined && verdictOf(entry) !== undefined ? { verdict: entry.verdict } : {}),
    ...(author === undefined ? {} : { author }),
    ...(record === undefined ? {} : {
      record: {
        by: record.by,
        grade: record.grade,
        subject: record.subject,
        ...(record.narrow ? { narrow: record.narrow } : {}),
      },
    }),
  };
}

const maxFiles = 8;

/** Newest first. */
export function byNewest(nowMs: number): (a: Entry, b: Entry) => number {
  return (a, b) =>
    compareText(orderTime(b.ts, nowMs), orderTime(a.ts, nowMs)) || compareText(b.id, a.id);
}

/** The most valuable first. */
export function rank<T extends Entry>(rows: readonly T[], around: Surroundings): T[] {
  const compare = byNewest(around.nowMs);
  return rows.map((row) => ({ row, worth: worthOf(row, around) }))
    .sort((a, b) => b.worth - a.worth || compare(a.row, b.row))
    .map(({ row }) => row);
}
