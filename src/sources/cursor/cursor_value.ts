// Values of VS Code's key-value tables: text or bytes, JSON or nothing.

import { type Json, parseJson, toObject } from "../loose_json.ts";

/** Reads a value as a JSON object, or returns undefined. */
export function parseKeyValue(value: unknown): Json | undefined {
  if (typeof value === "string") return toObject(parseJson(value));
  return value instanceof Uint8Array
    ? toObject(parseJson(new TextDecoder().decode(value)))
    : undefined;
}
