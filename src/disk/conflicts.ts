// What git does to a store: whether it versions it, so that others write it too, and the marks of a
// merge conflict that it leaves between the lines of a log.

import { isConflictMark, markNeedles, sortConflicts } from "../core/lines/conflict_marks.ts";
import { decodeLossy } from "../core/utf8.ts";
import { type Files, isListed } from "./files.ts";
import type { Layout } from "./layout.ts";
import { readLines } from "./lines.ts";

/** Whether the store says that git versions it. */
export function isVersioned(
  files: Files,
  { gitattributes }: Pick<Layout, "gitattributes">,
): boolean {
  return isListed(files, gitattributes) && files.findSize(gitattributes) !== undefined;
}

/** Whether a line of a log is such a mark. */
export function isMarkLine(bytes: Uint8Array): boolean {
  return markBytes.has(bytes[0]) && bytes.length < maxMarkBytes &&
    isConflictMark(decodeLossy(bytes));
}

const markBytes: ReadonlySet<number> = new Set(markNeedles.map((needle) => needle.charCodeAt(0)));
const maxMarkBytes = 4096;

/** How many conflicts begin in a log, from an offset on. */
export function countConflicts(files: Files, path: string, from = 0): number {
  return readLines(files, path, { from, needles: markNeedles.slice(0, 1) })
    .filter(({ bytes }) => isMarkLine(bytes)).reduce((sum) => sum + 1, 0);
}

/**
 * Tells of a place in a log whether it is in what both sides had before, which diff3 shows between
 * them: each of them has of it what it kept.
 */
export function findBase(files: Files, path: string): (offset: number) => boolean {
  const marks = [...readLines(files, path, { needles: markNeedles })]
    .filter(({ bytes }) => isMarkLine(bytes))
    .map(({ offset, bytes }) => ({ offset, line: decodeLossy(bytes) }));
  const parts = sortConflicts(marks.map(({ line }) => line));
  const sections = marks.flatMap(({ offset, line }, i) =>
    parts[i] === "mark" && line.startsWith("|") ? [{ from: offset, to: marks[i + 1].offset }] : []
  );
  return (offset) => sections.some(({ from, to }) => offset > from && offset < to);
}

/** What readers say of a file in which git left a conflict. */
export function conflictWarning(name: string): string {
  return `${name} has merge conflict markers; both sides are read (resolve it with: ctx doctor --fix)`;
}
