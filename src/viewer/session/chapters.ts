// A session as chapters: each begins with a prompt and holds what it led to, up to the next. Pure.

import { plain } from "../data/plain.ts";
import type { ReaderRow } from "./reader_rows.ts";

/** A prompt and what it led to, as a range of the reader's rows. */
export interface Chapter {
  /** The key of the row of its prompt; empty for what stands before the first. */
  key: string;
  from: number;
  /** The row after its last. */
  to: number;
}

/** What a chapter led to. */
export interface ChapterFacts {
  /** The files that were changed, by name. */
  files: readonly string[];
  commands: number;
  failed: number;
  tookMs: number;
  /** How the agent's last answer begins. */
  result?: string;
}

/** Shorter sessions are shown open. */
const manyRows = 60;

/** The chapters of the rows, in order; none is empty. */
export function toChapters(rows: readonly ReaderRow[]): Chapter[] {
  const chapters: Chapter[] = [];
  for (const [i, { key, kind, depth }] of rows.entries()) {
    const isHead = kind === "prompt" && depth === 0;
    if (isHead || chapters.length === 0) {
      chapters.push({ key: isHead ? key : "", from: i, to: i + 1 });
    } else chapters[chapters.length - 1].to = i + 1;
  }
  return chapters;
}

/** Whether chapters are folded until somebody opens them. */
export function isFoldedAtFirst(rows: readonly ReaderRow[], chapters: readonly Chapter[]): boolean {
  return rows.length > manyRows && chapters.length > 2;
}

/** The rows that are shown when some chapters are open: all of these, of the others the prompt. */
export function listShown(
  chapters: readonly Chapter[],
  isOpen: (chapter: Chapter) => boolean,
): number[] {
  const shown: number[] = [];
  for (const chapter of chapters) {
    const end = isOpen(chapter) ? chapter.to : chapter.from + 1;
    for (let row = chapter.from; row < end; row++) shown.push(row);
  }
  return shown;
}

/** Says what a chapter led to. */
export function toFacts(rows: readonly ReaderRow[], { from, to }: Chapter): ChapterFacts {
  const own = rows.slice(from, to).filter(({ depth }) => depth === 0);
  const { outline } = rows[from];
  const { runs, failed, messages, files } = outline;
  const count = (wanted: ReadonlySet<number>, positions: readonly number[]): number =>
    positions.filter((at) => wanted.has(at)).length;
  const places = new Set(own.flatMap(({ at, outputs, agent }) => agent ? [] : [at, ...outputs]));
  const edited = own.filter(({ kind }) => kind === "edit")
    .flatMap(({ at, outputs }) => [at, ...outputs].flatMap((one) => messages.files[one]));
  const answer = own.findLast(({ kind }) => kind === "answer");
  const last = Math.max(...places);
  return {
    files: [...new Set(edited)].map((file) => files[file].path.replace(/^.*\//, "")),
    commands: count(places, runs),
    failed: count(places, failed),
    tookMs: messages.after_ms[last] - messages.after_ms[rows[from].at],
    ...(answer === undefined ? {} : { result: plain(messages.line[answer.at]) }),
  };
}

/** The heading of a prompt, and what of it is not in the heading. */
export function splitPrompt(line: string, text?: string): { head: string; rest: string } {
  const [first = "", ...more] = (text ?? "").trim().split("\n");
  if (text !== undefined && first.length <= mostHeadChars && !/^[`<|]/.test(first)) {
    return { head: plain(first.replace(/^[#>*\s-]+/, "")) || line, rest: more.join("\n").trim() };
  }
  return { head: plain(line) || "(empty)", rest: text ?? "" };
}

const mostHeadChars = 400;
