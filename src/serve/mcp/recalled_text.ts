// The text form of a result, made only from the data that is sent. Every recalled row follows a marker
// that stored text cannot know, so it cannot pretend to be another row or an instruction. Pure, except
// for the marker passed in.

import { findCaution } from "../../core/instruction_like.ts";
import { isObject } from "../../core/json.ts";
import { recalledEnd, recalledNotice } from "../../core/rows/fence.ts";
import { ageOf } from "../../core/time/age_of.ts";

/** What the text form needs in addition to the data. */
export interface RecallOptions {
  /** Fresh for every call. */
  marker: string;
  nowMs: number;
}

type Fields = Record<string, unknown>;

/** The fields with the stored text of a row, the best first. */
const bodyFields = ["text", "content", "snippet", "summary", "title", "first_user_line"];
/** Shown without their names, which are obvious. */
const labelFields = ["id", "kind", "role", "type", "agent", "source", "author", "ts", "session_id"];

/** A result that is a single text, such as a pack or an answer, is sent as it is. */
const wholeFields = new Set(["text", "answer"]);
/**
 * Stored text outside the rows: the title of the scanned session, the place in a document, counted
 * values, similar words.
 */
const wordFields = new Set([
  ...bodyFields,
  ...["collection", "document", "section", "also"],
  ...["facets", "corrected", "near", "project", "projects", "session_title"],
]);

export function isRecalled(data: object): boolean {
  return Object.entries(data).some(([name, value]) =>
    isRowList(value) || ((wholeFields.has(name) || wordFields.has(name)) && value !== "")
  );
}

/** The result as text: rows behind the marker, everything else as `key: value`. */
export function toRecalledText(data: object, options: RecallOptions): string {
  const facts: string[] = [];
  const rows: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    if (wholeFields.has(name) && typeof value === "string" && value !== "") {
      rows.push(toRow({ text: value }, options));
    } else if (isRowList(value)) {
      rows.push(...value.flatMap((row) => toRows(row, options)));
    } else {
      const told = toFact(name, value);
      if (told === undefined) continue;
      if (wordFields.has(name)) rows.unshift(toRow({ text: told }, options));
      else facts.push(told);
    }
  }
  const head = facts.join("; ");
  if (rows.length === 0) return head;
  const { marker } = options;
  return [...(head === "" ? [] : [head]), recalledNotice(marker), ...rows, recalledEnd(marker)]
    .join("\n");
}

/** A row, followed by its own rows, such as the messages of a session. */
function toRows(row: Fields, options: RecallOptions): string[] {
  const lists = Object.entries(row).filter(([, value]) => isRowList(value));
  const own = Object.fromEntries(Object.entries(row).filter(([, value]) => !isRowList(value)));
  const inner = lists.flatMap(([, list]) => isRowList(list) ? list : []);
  return [toRow(own, options), ...inner.map((one) => toRow(one, options))];
}

function toRow(row: Fields, options: RecallOptions): string {
  const bodyField = bodyFields.find((name) => typeof row[name] === "string" && row[name] !== "");
  const body = bodyField === undefined ? "" : withoutMarker(String(row[bodyField]), options.marker);
  const label = labelFields.map((name) => toLabel(name, row[name], options.nowMs))
    .filter((part) => part !== undefined)
    .map((part) => withoutMarker(part, options.marker));
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

function toLabel(name: string, value: unknown, nowMs: number): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (name === "ts") {
    const time = String(value);
    // A day or a minute is shown as it is, a full timestamp with its age.
    if (!time.endsWith("Z")) return time;
    return `${time.slice(0, 16).replace("T", " ")} (${ageOf(time, nowMs)})`;
  }
  if (name === "source" && isObject(value)) return oneLine(String(value.agent));
  // The reader must not take it for the words of the user.
  if (name === "author") return `by ${oneLine(String(value))}, a member of the team`;
  return oneLine(String(value));
}

function toFact(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === false || value === "") return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
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
