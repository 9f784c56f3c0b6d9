// Whether a line of JSON from elsewhere may be kept byte for byte, rather than written anew from
// what was read of it. Pure.

import { findJson } from "./json.ts";
import { redactValue } from "./redact.ts";

/**
 * Whether a JSON text holds no secret, all of it seen: also what reading it as a row drops. A name
 * given twice hides a value from every reader, so such a text is not clean. Numbers are no secrets,
 * and may have more digits than a number here can hold.
 */
export function isCleanJson(text: string): boolean {
  // Letters in disguise: searches by bytes would pass over the row.
  if (/\\u00[2-7]/i.test(text)) return false;
  const plain = text.replace(tokens, (token) => {
    if (token[0] === '"') return JSON.stringify(findJson(token));
    return token.trim() === "" ? "" : "0";
  });
  const value = findJson(plain);
  return JSON.stringify(value) === plain && redactValue(value).count === 0;
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|\s+/g;
