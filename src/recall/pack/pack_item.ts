// One thing that could be packed, and what of it fits a line. Small: it is on the way of every prompt.

import type { Narrow } from "../../core/rows/record.ts";
import type { Entry } from "../../core/entry.ts";
import { isInstructionLike } from "../../core/instruction_like.ts";

/** The parts of a pack, in the order of their worth. */
export const packSections = [
  "last",
  "pins",
  "preferences",
  "decisions",
  "open",
  "outcomes",
  "fixes",
  "notes",
  "commands",
  "summary",
  "recent",
] as const;
/** One of `packSections`. */
export type PackSection = typeof packSections[number];

/** One thing that could be packed, on one line. */
export interface PackItem {
  section: PackSection;
  /** What the line says of itself: an entry's type, `pin`, `summary`, or who spoke. */
  label: string;
  text: string;
  /** How much of the entry the line leaves out. */
  truncated_chars: number;
  id?: string;
  ts?: string;
  /** The entry that this one corrects. */
  corrects?: string;
  /** It speaks of code that is no longer so. */
  stale?: true;
  /** Who of the team wrote it, where that is not the user. */
  author?: string;
  /** The agent that saved it, where that was not the user. */
  saved_by?: string;
  /** One session start gets it, and no other. */
  narrow?: Narrow;
  /** `derived`: nobody wrote it, a rule found it. */
  grade?: "derived";
}

/** The longest line of a section; the rest is one `ctx get` away. */
export function lineChars(section: PackSection): number {
  return section === "pins" || section === "last" ? 400 : section === "recent" ? 600 : 240;
}

/**
 * Of what others know, what they saved themselves: not what was derived from their sessions, what they
 * like or have left to do, what they type, or what tells agents to act.
 */
export function isOfTeam(entry: Entry): boolean {
  return entry.role === "note" && teamTypes.has(entry.type) && entry.record === undefined &&
    !isInstructionLike(entry.text);
}

const teamTypes: ReadonlySet<string> = new Set(["decision", "digest", "fix", "note", "outcome"]);
