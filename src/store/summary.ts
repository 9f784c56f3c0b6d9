// `summary.md`: what the archive comes to, between two marks; what people write around the marks
// stays, and what they write between them is kept as theirs when ctx writes anew. Never lost
// silently.

import { hashHex } from "../core/hash.ts";
import { hasConflict, joinSides } from "../core/lines/conflict_marks.ts";
import { conflictWarning } from "../disk/conflicts.ts";
import { readText, replaceText } from "../disk/text_files.ts";
import { findFingerprint } from "../disk/lines.ts";
import type { Store } from "./store.ts";
import type { Writer } from "./writer.ts";

/** Who wrote a summary. */
export type SummaryKind = "extractive" | "model";

/** A summary and the state of the archive that it was made from. */
export interface Summary {
  kind: SummaryKind;
  text: string;
  /** Fingerprint of the archive. */
  archive: string;
}

/** What is in `summary.md`. */
export interface SummaryFile {
  before: string;
  /** The part ctx wrote; undefined when there is none. */
  written?: Summary & {
    edited: boolean;
    /** Of parts that a merge joined: what people wrote into them. */
    byHand?: string;
  };
  after: string;
}

const note = "ctx writes between these marks; what you write outside them is kept";
const begin = /<!-- ctx:begin kind=(\w+) archive=(\S*) hash=(\w+)[^>]*-->\n?/;
const end = "<!-- ctx:end -->";
const emptyPart = `<!-- ctx:begin kind=extractive archive= hash=${hashHex("")} -->\n${end}\n`;

export function parseSummary(text: string): SummaryFile {
  if (isMerged(text)) return parseMerged(joinSides(text).split("\n"));
  const match = begin.exec(text);
  if (!match) return { before: text, after: "" };
  const from = match.index + match[0].length;
  const to = text.indexOf(end, from);
  const inside = text.slice(from, to < 0 ? text.length : to);
  return {
    before: text.slice(0, match.index),
    written: {
      kind: match[1] === "model" ? "model" : "extractive",
      text: inside,
      archive: match[2],
      edited: to < 0 || hashHex(inside) !== match[3],
    },
    after: to < 0 ? "" : text.slice(to + end.length).replace(/^\n/, ""),
  };
}

/** Whether a merge joined the parts of two sides, or left its marks. */
export function isMerged(text: string): boolean {
  return text.split("\n").filter((line) => begin.test(line)).length > 1 || hasConflict(text);
}

/** All lines from the first mark to the last are of parts that ctx wrote, one way or the other. */
function parseMerged(lines: string[]): SummaryFile {
  const isMark = (line: string): boolean => begin.test(line) || line === end;
  const from = lines.findIndex(isMark);
  if (from < 0) return { before: lines.join("\n"), after: "" };
  const to = lines.findLastIndex(isMark);
  const inside = lines.slice(from, to).filter((line) => !isMark(line));
  const isModel = lines.some((line) => begin.exec(line)?.[1] === "model");
  const byHand = isModel ? [] : inside.filter((line) => line !== "" && !isDigestLine(line));
  return {
    before: toBlock(lines.slice(0, from)),
    written: {
      kind: isModel ? "model" : "extractive",
      text: toBlock(inside),
      // Of none: it is made anew.
      archive: "",
      edited: byHand.length > 0,
      byHand: toBlock(byHand),
    },
    after: lines.slice(to + 1).join("\n"),
  };
}

function toBlock(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** A file's text with a new summary in it; a part that was edited by hand stays above it. */
export function placeSummary(text: string, summary: Summary): string {
  const file = parseSummary(text);
  const title = file.before.trim() === "" && file.after.trim() === "" ? "# Summary\n\n" : "";
  const { written } = file;
  const kept = written?.edited ? `${(written.byHand ?? written.text).trimEnd()}\n\n` : "";
  const before = title + file.before + kept;
  const glue = before === "" || before.endsWith("\n") ? "" : "\n";
  const body = summary.text.endsWith("\n") ? summary.text : summary.text + "\n";
  const mark = `<!-- ctx:begin kind=${summary.kind} archive=${summary.archive} hash=${
    hashHex(body)
  } : ${note} -->`;
  return `${before}${glue}${mark}\n${body}${end}\n${file.after}`;
}

/** Whether a line is one of the comments between which ctx keeps its part, with nothing added. */
export function isSummaryMark(line: string): boolean {
  const plain = line.replace(` : ${note}`, "");
  return line === end || /^<!-- ctx:begin kind=\w+ archive=[\w-]* hash=\w+ -->$/.test(plain);
}

/** The text for readers: without the marks. */
export function readableSummary(text: string): string {
  const { before, written, after } = parseSummary(text);
  return [before, written?.text ?? "", after].map((part) => part.trim()).filter((part) =>
    part !== ""
  ).join("\n\n");
}

/** Whether the marks come in a pair, or not at all. */
export function hasWholeMarks(text: string): boolean {
  const { written, after } = parseSummary(text);
  return written === undefined ? !text.includes(end) : text.includes(end) && !begin.test(after);
}

/** The text of `summary.md`; empty when there is none. */
export function readSummaryText(
  store: Pick<Store, "files" | "layout"> & Partial<Pick<Store, "warn">>,
): string {
  const text = readText(store.files, store.layout.summary);
  if (hasConflict(text)) store.warn?.(conflictWarning("summary.md"));
  return text;
}

/** A mark of the archive as it is now: its size and fingerprint. */
export function archiveMark({ files, layout }: Pick<Store, "files" | "layout">): string {
  const bytes = files.findSize(layout.history.archive) ?? 0;
  return bytes === 0 ? "0" : `${bytes}-${findFingerprint(files, layout.history.archive, bytes)}`;
}

/** Whether the part ctx wrote was made from another archive than the one there is. */
export function isSummaryStale(store: Store): boolean {
  const { written } = parseSummary(readSummaryText(store));
  const archive = archiveMark(store);
  return written === undefined ? archive !== "0" : written.archive !== archive;
}

/** Takes the lines that a test picks out of the summary, ours and others'; returns how many. */
export function dropSummaryLines(writer: Writer, isGone: (line: string) => boolean): number {
  const text = readSummaryText(writer);
  const gone = text.split("\n").filter(isGone).length;
  if (gone === 0) return 0;
  const filter = (part: string): string =>
    part.split("\n").filter((line) => !isGone(line)).join("\n");
  const { before, written, after } = parseSummary(text);
  const rest = written === undefined || written.edited ? filter(text) : placeSummary(
    `${filter(before)}${emptyPart}${filter(after)}`,
    { ...written, text: filter(written.text) },
  );
  replaceText(writer.files, writer.layout.summary, rest);
  return gone;
}

/** What a model wrote cannot be traced line by line: without its sources, it goes whole. */
export function dropModelSummary(writer: Writer): void {
  const { before, written, after } = parseSummary(readSummaryText(writer));
  if (written?.kind === "model") {
    replaceText(writer.files, writer.layout.summary, before + after);
  }
}

function isDigestLine(line: string): boolean {
  return digestLine.test(line);
}

const digestLine =
  /^(?:\d+ archived entries.*\.|## (?:Decisions|Corrections|Errors fixed|Files|Commits)|- \d{4}-\d\d-\d\d .*\[[^\]]*\]|- .* \(\d+\))$/;
