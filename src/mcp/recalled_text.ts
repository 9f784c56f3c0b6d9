// The text form of a result, made from its data alone: compact, complete enough to act on, and with
// every recalled row behind a marker that stored text cannot know, so it cannot pretend to be
// another row or an instruction. Pure but for the marker that it is handed.

import { findCaution } from "../core/instruction_like.ts";
import { recalledEnd, recalledNotice } from "../core/rows/fence.ts";
import { isObject } from "../core/json.ts";
import { ageOf } from "../core/time.ts";

/** What the text form needs beside the data. */
export interface RecallOptions {
  /** Fresh for every call. */
  marker: string;
  nowMs: number;
}

type Fields = Record<string, unknown>;

/** Where the stored words of a row are, the most telling first. */
const bodyFields = ["text", "snippet", "summary", "title", "first_user_line"];
const labelFields = ["id", "role", "type", "source", "ts", "session_id"];
/** Left out of text: they follow from the rest, and cost tokens on every row. */
const silentFields = new Set(["expand", "original_chars", "score_lex", "score_vec", "rank_source"]);

/** Numbers that mean something when they are zero. */
const countFields = new Set(["hits", "total", "count", "entries", "removed"]);

/** A result that is one text, such as a pack or an answer, is told as it stands. */
const wholeFields = new Set(["text", "answer"]);
/** Stored words beside the rows: the title of the session that is scanned, values that are counted. */
const wordFields = new Set([...bodyFields, "facets"]);

/** What the caller said itself, and how the answer was made: told only when there are no rows. */
const echoFields = new Set(["layer", "query", "k", "offset", "scope", "mode", "retrieval"]);

/** The result as text. Rows are recalled; everything else is told as `key: value`. */
export function toRecalledText(data: object, options: RecallOptions): string {
  const facts: string[] = [];
  const rows: string[] = [];
  const hasRows = Object.values(data).some(isRowList);
  for (const [name, value] of Object.entries(data)) {
    if (wholeFields.has(name) && typeof value === "string" && value !== "") {
      rows.push(toRow({ text: value }, options));
    } else if (wordFields.has(name)) {
      const told = toFact(name, value);
      if (told !== undefined) rows.unshift(toRow({ text: told }, options));
    } else if (name === "retrieval") {
      if (!hasRows) facts.push(nothingFound(value));
      facts.push(...notesOf(value));
    } else if (isRowList(value)) {
      rows.push(...value.map((row) => toRow(row, options)));
    } else if (!hasRows || !echoFields.has(name)) {
      const told = toFact(name, value);
      if (told !== undefined) facts.push(told);
    }
  }
  const head = facts.join("; ");
  if (rows.length === 0) return head;
  const { marker } = options;
  return [head, recalledNotice(marker), ...rows, recalledEnd(marker)].join("\n");
}

function toRow(row: Fields, options: RecallOptions): string {
  const bodyField = bodyFields.find((name) => typeof row[name] === "string" && row[name] !== "");
  const body = bodyField === undefined ? "" : withoutMarker(String(row[bodyField]), options.marker);
  const label = labelFields.map((name) => toLabel(name, row[name], options.nowMs))
    .filter((part) => part !== undefined);
  const rest = Object.entries(row)
    .filter(([name]) => name === "title" || !bodyFields.includes(name))
    .filter(([name]) => name !== bodyField && !labelFields.includes(name))
    .map(([name, value]) => toFact(name, value))
    .filter((part) => part !== undefined)
    .map((part) => withoutMarker(part, options.marker));
  const known = row.caution === undefined ? findCaution(JSON.stringify(row)) : undefined;
  const warning = known === undefined ? [] : [`caution: ${known}`];
  const head = [...label, ...rest, ...warning].join(" | ");
  return `${options.marker} ${head}${body === "" ? "" : `\n${body}`}`;
}

/** Zero rows say what was searched, so that "nothing" can be believed. */
function nothingFound(retrieval: unknown): string {
  const coverage = isObject(retrieval) && isObject(retrieval.coverage) ? retrieval.coverage : {};
  const near = isObject(coverage.nearest_terms) ? JSON.stringify(coverage.nearest_terms) : "";
  const below = Number(coverage.below_floor ?? 0);
  return [
    `nothing found; searched ${coverage.entries ?? 0} entries`,
    ...(below > 0 ? [`${below} matched too weakly`] : []),
    ...(near === "" || near === "{}" ? [] : [`near: ${oneLine(near)}`]),
  ].join("; ");
}

/** What the search says of itself, such as that it went by words. */
function notesOf(retrieval: unknown): string[] {
  const notes = isObject(retrieval) && Array.isArray(retrieval.notes) ? retrieval.notes : [];
  return notes.map((note) => `note: ${oneLine(String(note))}`);
}

function toLabel(name: string, value: unknown, nowMs: number): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (name === "ts") {
    const time = String(value);
    return `${time.slice(0, 16).replace("T", " ")} (${ageOf(time, nowMs)})`;
  }
  if (name === "source" && isObject(value)) return oneLine(String(value.agent));
  return oneLine(String(value));
}

function toFact(name: string, value: unknown): string | undefined {
  if (silentFields.has(name) || value === undefined || value === null || value === false) {
    return undefined;
  }
  if (value === 0 && !countFields.has(name)) return undefined;
  if (value === "" || (Array.isArray(value) && value.length === 0)) return undefined;
  const told = typeof value === "string"
    ? oneLine(value)
    : Array.isArray(value) && value.every((item) => typeof item !== "object")
    ? value.map((item) => oneLine(String(item))).join(",")
    : typeof value === "object"
    ? JSON.stringify(value)
    : String(value);
  return `${name}: ${told}`;
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, " ");
}

/** A marker that was somehow guessed is broken up. */
function withoutMarker(text: string, marker: string): string {
  return text.includes(marker) ? text.replaceAll(marker, marker.split("").join(" ")) : text;
}

function isRowList(value: unknown): value is Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}
