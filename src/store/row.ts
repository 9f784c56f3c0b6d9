// Turns one line of history into entries. A damaged line gives what can be saved of it and says
// what is wrong; nothing is dropped silently (invariant 7). Readers that show one line of a row have
// its long strings cut first: a text of many megabytes is never decoded, parsed or kept. Pure.

import { findJson, findObjectEnd } from "../core/json.ts";
import { isConflictMark } from "../core/lines/conflict_marks.ts";
import { type Entry, toEntry } from "../core/entry.ts";
import { concat, decodeLossy, findUtf8 } from "../core/utf8.ts";

export type DamageKind =
  | "bad_json"
  | "bad_utf8"
  | "conflict_mark"
  | "joined_rows"
  | "not_an_entry"
  | "nul_bytes"
  | "torn_tail";

/** The reading of one line: the entries in it, and what is wrong with it. */
export interface ParsedLine {
  entries: Entry[];
  damage?: DamageKind;
  /** Whether every part of the line was understood, so that rewriting it loses nothing. */
  complete: boolean;
}

/** Reads a line; a sound one has exactly one entry and no damage. */
export function parseLine(bytes: Uint8Array): ParsedLine {
  const text = findUtf8(bytes);
  if (text === undefined) {
    const { entries } = parseText(decodeLossy(bytes));
    return { entries, damage: "bad_utf8", complete: false };
  }
  return parseText(text);
}

function parseText(text: string): ParsedLine {
  const value = findJson(text);
  if (value !== undefined) {
    const entry = toEntry(value);
    if (entry) return { entries: [entry], complete: true };
    return { entries: [], damage: "not_an_entry", complete: false };
  }
  if (text.trim() === "") return { entries: [], complete: true };
  if (isConflictMark(text)) return { entries: [], damage: "conflict_mark", complete: false };
  if (text.includes("\0")) {
    const rest = parseText(text.replaceAll("\0", ""));
    return { ...rest, damage: "nul_bytes", complete: rest.complete };
  }
  return parseJoined(text);
}

/** Two writers without a lock, or a lost newline: several objects on one line. */
function parseJoined(text: string): ParsedLine {
  const entries: Entry[] = [];
  let complete = true;
  let rest = text;
  while (rest.trim() !== "") {
    const end = findObjectEnd(rest);
    const entry = end > 0 ? toEntry(findJson(rest.slice(0, end))) : undefined;
    if (entry) {
      entries.push(entry);
      rest = rest.slice(end);
      continue;
    }
    complete = false;
    const next = rest.indexOf('{"', 1);
    if (next < 0) break;
    rest = rest.slice(next);
  }
  const damage = complete && entries.length > 1 ? "joined_rows" : "bad_json";
  return { entries, damage, complete };
}

const [quote, backslash, unicode] = [34, 92, 117];

/** The line with each string in it cut to about so many bytes; what is no sound JSON stays unsound. */
export function cutStrings(line: Uint8Array, maxBytes: number): Uint8Array {
  const kept: Uint8Array[] = [];
  let done = 0;
  for (let start = line.indexOf(quote); start >= 0;) {
    const end = findEnd(line, start + 1);
    if (end < 0) break;
    if (end - start > maxBytes) {
      kept.push(line.subarray(done, findCut(line, start + 1, start + maxBytes)));
      done = end;
    }
    start = line.indexOf(quote, end + 1);
  }
  if (done === 0) return line;
  kept.push(line.subarray(done));
  return concat(kept);
}

/** Where the quote is that ends a string. */
function findEnd(line: Uint8Array, from: number): number {
  for (let end = line.indexOf(quote, from); end >= 0; end = line.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (line[end - 1 - slashes] === backslash && end - 1 - slashes >= from) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** The last place before a limit that parts no character and no escape. */
function findCut(line: Uint8Array, from: number, limit: number): number {
  let at = from;
  for (let next = at; next <= limit;) {
    at = next;
    if (line[at] === backslash) next = at + (line[at + 1] === unicode ? 6 : 2);
    else {
      next = at + 1;
      // The bytes that follow the first one of a character.
      while ((line[next] & 0xc0) === 0x80) next++;
    }
  }
  return at;
}
