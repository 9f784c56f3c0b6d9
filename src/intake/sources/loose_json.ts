// Looks into parsed JSON of unknown shape without trusting it: the parse boundary of all sources.

import { findJson, isObject, toList } from "../../core/json.ts";

export { findJson, toList } from "../../core/json.ts";

/** An object of unknown fields. */
export type Json = Record<string, unknown>;

/** The value when it is an object and no list. */
export function toObject(value: unknown): Json | undefined {
  return isObject(value) ? value : undefined;
}

/** What an object has under some names, one below the other. */
export function dig(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((found, name) => toObject(found)?.[name], value);
}

export function toObjects(value: unknown): Json[] {
  return toList(value).map(toObject).filter((item) => item !== undefined);
}

/** The blocks of a message: a string is one block of text. Undefined when it has no content. */
export function toBlocks(content: unknown): Json[] | undefined {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? toObjects(content) : undefined;
}

/** The text of a string, a part or a list of parts, a line each; what else they hold is never kept. */
export function partsText(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => toText(part) ?? toText(toObject(part)?.text))
    .filter((text) => text !== undefined).join("\n");
}

/** The value when it is text and not empty. */
export function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value when it is a finite number. */
export function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Arguments are JSON in a string; what is none stays text. */
export function parseArguments(value: unknown): unknown {
  return typeof value === "string" ? findJson(value) ?? value : value;
}

/** A time in milliseconds or ISO form as ISO 8601 UTC, or undefined when it is no time. */
export function toTime(value: unknown): string | undefined {
  if (typeof value === "string" && isoUtc.test(value)) return value;
  if (typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value)) {
    const time = Date.parse(value);
    return Number.isNaN(time) ? undefined : new Date(time).toISOString();
  }
  const number = typeof value === "string" && /^\d{10,13}$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number) || number <= 0) return undefined;
  const date = new Date(number < 1e11 ? number * 1000 : number);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const isoUtc = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/;
