// Values of VS Code's key-value tables: text or bytes, JSON or nothing.

import { findJson, type Json, toObject } from "../loose_json.ts";

/** Reads a value as a JSON object, or returns undefined. */
export function parseKeyValue(value: unknown): Json | undefined {
  if (typeof value === "string") return toObject(findJson(value));
  return value instanceof Uint8Array
    ? toObject(findJson(new TextDecoder().decode(value)))
    : undefined;
}
