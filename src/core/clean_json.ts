// Whether a line of JSON from elsewhere may be kept byte for byte, rather than written anew from
// what was read of it. Pure.

import { findJson, isObject } from "./json.ts";
import { redactValue } from "./redact/redact.ts";

/** Longer texts are written anew; the pattern below has its limits. */
const maxChars = 1 << 20;

/**
 * Whether a JSON text holds no secret and no text beyond what was read of it, which no search would
 * find. A name given twice hides a value from every reader, so such a text is not clean. Numbers are
 * no secrets, and may have more digits than a number here can hold.
 */
export function isCleanJson(text: string, read: object): boolean {
  // Escaped ASCII letters: searches by bytes would miss the row.
  if (text.length > maxChars || /\\u00[2-7]/i.test(text)) return false;
  const plain = text.replace(tokens, (token) => {
    if (token[0] === '"') return JSON.stringify(findJson(token));
    return token.trim() === "" ? "" : "0";
  });
  const value = findJson(plain);
  // Shorter with a name given twice; names that are numbers may change places.
  if (!isObject(value) || JSON.stringify(value).length !== plain.length) return false;
  const known = new Set(textsIn(read));
  // In a list no field is taken for a row's own.
  return redactValue([value]).count === 0 && textsIn(value).every((said) => known.has(said));
}

function textsIn(fields: object): string[] {
  const texts: string[] = [];
  const walk = (item: unknown): void => {
    if (typeof item === "string") texts.push(item);
    else if (Array.isArray(item)) item.forEach(walk);
    else if (isObject(item)) Object.entries(item).forEach(walk);
  };
  Object.values(fields).forEach(walk);
  return texts;
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|\s+/g;
