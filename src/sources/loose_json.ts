// Looks into parsed JSON of unknown shape without trusting it: the parse boundary of all sources.

/** An object of unknown fields. */
export type Json = Record<string, unknown>;

/** The value when it is an object and no list. */
export function toObject(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Json
    : undefined;
}

/** The value when it is a list, else an empty one. */
export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list. */
export function toObjects(value: unknown): Json[] {
  return toList(value).map(toObject).filter((item) => item !== undefined);
}

/** The value when it is text and not empty. */
export function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value when it is a finite number. */
export function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Parses JSON, or returns undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
