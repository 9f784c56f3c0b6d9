// The edits that an entry stands on: its own, those of the exchange that it answers or was saved in,
// or those of the exchanges that a record was derived from. An edit that its tool refused was none.
// Bounded: of a long exchange the first so many rows are looked at.

import { confirmType, docType, type Entry, verdictType } from "../../core/entry.ts";
import { type Edit, editsOf } from "../../core/rows/edits.ts";
import { isRecord } from "../../core/rows/record.ts";
import { mayNameCode, mayStandOnCode } from "./may_speak_of_code.ts";
import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { promptOf, walkExchange, walkSession } from "../../index/segment/exchange.ts";
import { confirmTerm } from "../../index/segment/keyword.ts";
import { filesField, rowFlags } from "../../index/segment/segment_format.ts";

export interface CodeRows {
  corpus: Corpus;
  readEntry(global: number): Entry;
  /** The rows of an id: entries of several sessions may share one. */
  findGlobals(id: string): Iterable<number>;
}

/** The row of an id in a session. */
export function findGlobal(
  rows: CodeRows,
  { id, session_id }: { id: string; session_id?: string },
): number | undefined {
  for (const global of rows.findGlobals(id)) {
    if (rows.readEntry(global).session_id === session_id) return global;
  }
  return undefined;
}

/** An edit, where it was made and by which row. */
export interface MadeEdit extends Edit {
  id: string;
  project?: string;
  global: number;
}

/** What holds whatever the code is: wishes, plans, commands; and what is no entry of its own. */
const silent: ReadonlySet<string> = new Set([
  "thinking",
  "recall",
  "goal",
  "preference",
  "command",
  "open",
  "digest",
  confirmType,
  verdictType,
  docType,
]);

/** Whether entries of a type say nothing of code as it is. */
export function isSilent(type: string): boolean {
  return silent.has(type);
}

const reach = 600;
/** How far after a call its result is looked for. */
const resultReach = 16;
const maxEdits = 80;
const maxRefs = 6;

/**
 * Whether something may be told of the code of one of some rows: it was confirmed, perhaps, names code or
 * has edits to stand on. Exact but for names, so that nothing else of this folder is loaded for rows
 * without code.
 */
export function mayBeOnCode(globals: readonly number[], rows: CodeRows): boolean {
  if (globals.length === 0) return false;
  if (rows.corpus.segments.some((segment) => segment.findPostings(confirmTerm) !== undefined)) {
    return true;
  }
  return globals.some((global) => {
    const entry = rows.readEntry(global);
    if (mayNameCode(entry) && !isSilent(entry.type)) return true;
    return mayStandOnCode(entry) && findEdits(entry, global, rows).length > 0;
  });
}

/** The edits of an entry, in order; none when it stands on none. */
export function findEdits(entry: Entry, global: number, rows: CodeRows): MadeEdit[] {
  const own = madeBy(entry, global);
  if (own.length > 0) return isRefused(entry, global, rows) ? [] : own;
  if (entry.type === "tool_call" || entry.type === "tool_output" || isSilent(entry.type)) {
    return [];
  }
  if (isRecord(entry)) return findCited(entry, rows);
  const prompt = promptOf(rows.corpus, global, reach);
  if (prompt === undefined) return [];
  // What an agent says on the way to an edit announces it; the last words of an exchange answer.
  const isAnswer = entry.role === "assistant" && entry.type === "turn";
  return editsAfter(prompt, rows, isAnswer ? global : undefined);
}

function madeBy(entry: Entry, global: number): MadeEdit[] {
  const { id, project } = entry;
  return editsOf(entry).map((edit) => ({ ...edit, id, global, project }));
}

/** The edits of the exchanges that the evidence of a record is of. */
function findCited(entry: Entry, rows: CodeRows): MadeEdit[] {
  const prompts = new Set<number>();
  for (const id of (entry.refs ?? []).slice(0, maxRefs)) {
    const global = findGlobal(rows, { id, session_id: entry.session_id });
    const prompt = global === undefined ? undefined : promptOf(rows.corpus, global, reach);
    if (prompt !== undefined) prompts.add(prompt);
  }
  return [...prompts].sort((a, b) => a - b).flatMap((prompt) => editsAfter(prompt, rows));
}

/** The edits of an exchange; of its last words only, where `answer` is given. */
function editsAfter(prompt: number, rows: CodeRows, answer?: number): MadeEdit[] {
  const calls: number[] = [];
  let last: number | undefined;
  walkExchange(rows.corpus, prompt, {
    reach,
    visit(row, flags) {
      if ((flags & rowFlags.call) !== 0 && (flags & rowFlags.bare) === 0) calls.push(row);
      if ((flags & rowFlags.talk) !== 0) last = row;
    },
  });
  return answer !== undefined && answer !== last ? [] : [...editsOfCalls(calls, rows)];
}

/** The later edits of a row's session, as far as it is looked. */
export function laterEdits(global: number, rows: CodeRows): Generator<MadeEdit> {
  const calls: number[] = [];
  walkSession(rows.corpus, global, {
    reach,
    visit(row, flags) {
      if ((flags & rowFlags.call) !== 0 && (flags & rowFlags.bare) === 0) calls.push(row);
    },
  });
  return editsOfCalls(calls, rows);
}

/** What some calls edited, as far as their tools did not refuse it; a call that edits names its file. */
function* editsOfCalls(calls: readonly number[], rows: CodeRows): Generator<MadeEdit> {
  const naming = calls.filter((row) => namesFiles(rows.corpus, row));
  for (const row of naming.slice(0, maxEdits)) {
    const entry = rows.readEntry(row);
    const made = madeBy(entry, row);
    if (made.length > 0 && !isRefused(entry, row, rows)) yield* made;
  }
}

/** Whether a row names files: others need not be read. */
function namesFiles(corpus: Corpus, global: number): boolean {
  const { segment, row } = locate(corpus, global);
  return segment.lengths(filesField)[row] > 0;
}

/** Whether the result of a call says that nothing was done. A plain "done" is not even read. */
function isRefused(entry: Entry, global: number, rows: CodeRows): boolean {
  const id = entry.tool?.call_id;
  if (entry.type !== "tool_call" || typeof id !== "string") return false;
  let refused = false;
  walkSession(rows.corpus, global, {
    reach: resultReach,
    visit(row, flags) {
      if ((flags & rowFlags.result) === 0 || (flags & rowFlags.bare) !== 0) return;
      const { tool } = rows.readEntry(row);
      if (tool?.call_id !== id) return;
      refused = tool.error !== undefined && tool.error !== false;
      return true;
    },
  });
  return refused;
}
