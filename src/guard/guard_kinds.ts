// What a guard is: a rule of the user's as a check that an agent's command or edit has to pass. Kept
// in `.contextfs/guards.jsonc`, where people read and change it. Pure.

import type { guardModes } from "../core/row_kinds.ts";

/** What happens when a check says no. */
export type GuardMode = typeof guardModes[number];

/** The parts of code whose names or contents a rule can be about. */
export const codeKinds = [
  "function",
  "method",
  "class",
  "argument",
  "variable",
  "attribute",
] as const;
/** One of them. */
export type CodeKind = typeof codeKinds[number];

/** What is looked for. Patterns have `*`, `?` and `[0-9]`. */
export type GuardCheck =
  /**
   * Commands that are not run: words in order, flags anywhere; on some branches, or as a push to some.
   */
  | { on: "command"; runs: string[]; branches?: string[]; to?: string[] }
  /** Files that are not changed; with `existing`, new ones may be written. */
  | { on: "edit"; touches: string[]; existing?: true }
  /** What no added line has; `outside` text, comments and strings do not count. */
  | { on: "edit"; adds: string[]; in?: string[]; outside?: "text" }
  /** Modules that are not imported. */
  | { on: "edit"; imports: string[]; in?: string[] }
  /** New files of such names, and where they belong. */
  | { on: "edit"; creates: string[]; below: string[] }
  /** How things are named. */
  | { on: "edit"; names: CodeKind; like: string; in?: string[] }
  /** What each of them has: a docstring, annotations, a decorator such as `@retry`. */
  | { on: "edit"; each: CodeKind | "file"; has: string; in?: string[] }
  /** Files that are not read. */
  | { on: "read"; reads: string[] }
  /** What has to have succeeded since the last edit, before a turn ends or another command runs. */
  | { on: "end"; ran: string[]; before?: string[] };

/** A rule that binds. */
export interface Guard {
  id: string;
  /** The user's words. */
  rule: string;
  /** The day from which it holds. */
  since: string;
  mode: GuardMode;
  check: GuardCheck;
  instead?: string;
  /** Commands or paths to which it does not apply. */
  except?: string[];
  /** The entry that it comes from. */
  entry?: string;
  /** ctx's own, which binds wherever there are guards. */
  isOwn?: true;
}

/** What broke a guard: the command or the file, and the words that did. */
export interface Breach {
  guard: Guard;
  /** The command, or the path of the file. */
  what: string;
  /** The line or name that broke it. */
  found?: string;
  /** The file of an edit, and a line that it would have got. */
  file?: string;
  line?: string;
}
