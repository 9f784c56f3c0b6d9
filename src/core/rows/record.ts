// Records: short entries that were derived from a session, each with the ids of its evidence. An
// entry that a person or an agent saved with one of these types is knowledge of the same worth, but
// no record: nothing was derived. Pure.

import type { Entry } from "../entry.ts";
import { isObject } from "../json.ts";

/** What a record can be; an entry's `type`. */
export const recordTypes = [
  "goal",
  "decision",
  "outcome",
  "fix",
  "preference",
  "command",
  "open",
  "digest",
] as const;
/** One of `recordTypes`. */
export type RecordType = typeof recordTypes[number];

/** Who wrote a record: rules, the agent of the session, or a language model. */
export type RecordAuthor = "rules" | "agent" | "model";

/**
 * How sure a record is. `certain`: the agent wrote it on request, with evidence. `derived`: found
 * by one of the surer rules. `candidate`: found by search and offered for review, never sent to agents.
 */
export type RecordGrade = "certain" | "derived" | "candidate";

/** At the next session start within a day, at none (`silent`), or at one whenever it comes (`once`). */
export type Narrow = true | "silent" | "once";

/** An entry's field `record`: that it was derived, by whom, and what it is about. */
export interface RecordFacts {
  by: RecordAuthor;
  grade: RecordGrade;
  /** The key of its subject: a later record of one type and subject takes the place of this one. */
  subject?: string;
  /** Identifiers in its text. */
  symbols?: string[];
  /** The row from outside whose words it repeats: nobody is told of it unasked. */
  outside?: string;
  /** Where it is sent besides prompts and edits about it. */
  narrow?: Narrow;
  /** Of a digest: its session did work, so that no older one is the last. */
  work?: true;
}

const typeNames: ReadonlySet<string> = new Set(recordTypes);

/** Whether a type is one of knowledge: of records, and of what was saved as such. */
export function isRecordType(type: string): type is RecordType {
  return typeNames.has(type);
}

/** What an entry says of its derivation; undefined when it is no record. */
export function recordOf(entry: Entry): RecordFacts | undefined {
  const { record } = entry;
  if (!isObject(record) || !isRecordType(entry.type)) return undefined;
  const { by, grade, subject, symbols, narrow, work, outside } = record;
  if (by !== "rules" && by !== "agent" && by !== "model") return undefined;
  return {
    by,
    // Records of an older ctx have no grade.
    grade: typeof outside === "string"
      ? "candidate"
      : by === "agent"
      ? "certain"
      : grade === "derived"
      ? "derived"
      : "candidate",
    ...(typeof outside === "string" ? { outside } : {}),
    ...(typeof subject === "string" ? { subject } : {}),
    ...(Array.isArray(symbols)
      ? { symbols: symbols.filter((name) => typeof name === "string") }
      : {}),
    ...(narrow === true || narrow === "silent" || narrow === "once" ? { narrow } : {}),
    ...(work === true ? { work } : {}),
  };
}

/** Whether an entry was derived from a session. Views of a session leave such entries out. */
export function isRecord(entry: Entry): boolean {
  return recordOf(entry) !== undefined;
}

/** Whether an entry is a record that nobody is told of unasked. */
export function isCandidate(entry: Entry): boolean {
  return recordOf(entry)?.grade === "candidate";
}
