// What is kept of other agents' text: capped, hashed where it was cut, without base64 and without
// half characters. Pure but for the hash function.

import { createHash } from "node:crypto";
import { alignToCharacter } from "../core/text.ts";
import { toObject } from "./json.ts";

/** Text of a turn longer than this is cut; the row keeps its length and hash. */
export const maxTextChars = 256 * 1024;
/** Tool outputs keep this much: three quarters from the head, one from the tail. */
export const maxOutputChars = 16_000;
const maxInputChars = 2_000;
const maxInputItems = 50;
const maxInputDepth = 5;

/** A text as it is kept. */
export interface KeptText {
  text: string;
  /** Set when something was cut or taken out. */
  original_bytes?: number;
  sha256?: string;
}

/** Keeps a turn's text whole up to the cap. */
export function keepText(text: string): KeptText {
  const clean = withoutBase64(text).toWellFormed();
  if (clean.length <= maxTextChars) return { text: clean };
  const cut = clean.slice(0, alignToCharacter(clean, maxTextChars));
  return { text: `${cut}\n[+${clean.length - cut.length} chars]`, ...fingerprint(text) };
}

/** Keeps the head and tail of a tool's output. */
export function keepOutput(text: string): string {
  const clean = withoutBase64(text).toWellFormed();
  if (clean.length <= maxOutputChars) return clean;
  const head = alignToCharacter(clean, maxOutputChars * 3 / 4);
  const tail = alignToCharacter(clean, clean.length - maxOutputChars / 4);
  return `${clean.slice(0, head)}\n[+${tail - head} chars]\n${clean.slice(tail)}`;
}

/** Keeps a tool's arguments: the same shape with long strings and lists cut. */
export function keepInput(value: unknown, depth = maxInputDepth): unknown {
  if (typeof value === "string") return cutInput(value);
  if (Array.isArray(value)) {
    if (depth === 0) return `[${value.length} items]`;
    const kept = value.slice(0, maxInputItems).map((item) => keepInput(item, depth - 1));
    const more = value.length - kept.length;
    return more > 0 ? [...kept, `[+${more} items]`] : kept;
  }
  const object = toObject(value);
  if (object === undefined) return value;
  if (depth === 0) return "[object]";
  const fields = Object.entries(object).slice(0, maxInputItems);
  return Object.fromEntries(fields.map(([name, item]) => [name, keepInput(item, depth - 1)]));
}

/** The size and hash of a text before anything was cut from it. */
export function fingerprint(text: string): { original_bytes: number; sha256: string } {
  const bytes = new TextEncoder().encode(text);
  return { original_bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** A short fingerprint of a JSON value, for rows that their producer changes in place. */
export function revisionOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}

/** Puts a note in the place of embedded binary data. */
export function withoutBase64(text: string): string {
  if (text.length < minBase64) return text;
  let clean = text;
  if (clean.includes(";base64,")) {
    clean = clean.replace(dataUrl, (match) => `[base64 ${match.length} chars]`);
  }
  if (longRun.test(clean)) {
    longRuns.lastIndex = 0;
    clean = clean.replace(longRuns, (run) => isBase64(run) ? `[base64 ${run.length} chars]` : run);
  }
  return clean;
}

const minBase64 = 256;
const dataUrl = /data:[\w.+-]{0,60}\/?[\w.+-]{0,60};base64,[A-Za-z0-9+/=_-]{16,}/g;
const longRun = /[A-Za-z0-9+/]{256}/;
const longRuns = /[A-Za-z0-9+/]{256,}={0,2}/g;

/** Long runs of one kind of character are text (rulers, hex dumps, words), mixed ones are data. */
function isBase64(run: string): boolean {
  const sample = run.slice(0, 256);
  return /[a-z]/.test(sample) && /[A-Z]/.test(sample) && /\d/.test(sample);
}

function cutInput(text: string): string {
  const clean = withoutBase64(text).toWellFormed();
  if (clean.length <= maxInputChars) return clean;
  const cut = clean.slice(0, alignToCharacter(clean, maxInputChars));
  return `${cut}[+${clean.length - cut.length} chars]`;
}
