// What is kept of other agents' text: capped, hashed where it was cut, without base64 and without
// half characters. Secrets go before the cut: nobody knows half of one again. Pure.

import { redactText } from "../../core/redact/redact.ts";
import { cutRecalled } from "../../core/rows/fence.ts";
import { sha256 } from "../../core/sha256.ts";
import { alignToCharacter } from "../../core/text.ts";
import { toObject } from "./loose_json.ts";

/** Text of a turn longer than this is cut; the row keeps its length and hash. */
export const maxTextChars = 256 * 1024;
/** Tool outputs keep this much: three quarters from the head, one from the tail. */
export const maxOutputChars = 16_000;
/** Strings in the arguments of a tool that edits nothing. */
export const maxInputChars = 2_000;
/** What an edit was given and what it changed: lines are told back to it (`src/core/rows/edits.ts`). */
const maxEditChars = 16_000;
const maxInputItems = 50;
const maxInputDepth = 5;

export interface KeptText {
  text: string;
  /** Set when something was cut or taken out. */
  original_bytes?: number;
  sha256?: string;
}

/** Keeps a turn's text whole up to the cap. */
export function keepText(text: string): KeptText {
  const whole = withoutBase64(text).toWellFormed();
  if (whole.length <= maxTextChars) return { text: whole };
  const clean = redactText(whole).value;
  if (clean.length <= maxTextChars) return { text: clean };
  const cut = clean.slice(0, alignToCharacter(clean, maxTextChars));
  return { text: `${cut}\n[+${clean.length - cut.length} chars]`, ...fingerprint(text) };
}

/** Keeps the head and tail of a tool's output. */
export function keepOutput(output: string): string {
  return fit(output, maxOutputChars, (text) => {
    const head = alignToCharacter(text, maxOutputChars * 3 / 4);
    const tail = alignToCharacter(text, text.length - maxOutputChars / 4);
    const parts = [text.slice(0, head), `[+${tail - head} chars]`, text.slice(tail)];
    return parts.map(withoutBase64).join("\n");
  });
}

/** Keeps a tool's arguments: the same shape with long strings and lists cut, of an edit later. */
export function keepInput(value: unknown, options: { isEdit: boolean }): unknown {
  const maxChars = options.isEdit ? maxEditChars : maxInputChars;
  return keepShape(value, { maxChars, depth: maxInputDepth });
}

function keepShape(value: unknown, options: { maxChars: number; depth: number }): unknown {
  const { maxChars, depth } = options;
  const inner = { maxChars, depth: depth - 1 };
  if (typeof value === "string") return cutInput(value, maxChars);
  if (Array.isArray(value)) {
    if (depth === 0) return `[${value.length} items]`;
    const kept = value.slice(0, maxInputItems).map((item) => keepShape(item, inner));
    const more = value.length - kept.length;
    return more > 0 ? [...kept, `[+${more} items]`] : kept;
  }
  const object = toObject(value);
  if (object === undefined) return value;
  if (depth === 0) return "[object]";
  const fields = Object.entries(object).slice(0, maxInputItems);
  return Object.fromEntries(fields.map(([name, item]) => [name, keepShape(item, inner)]));
}

/** Keeps the beginning of a patch, whole lines of it. */
export function keepPatch(patch: string): string {
  return fit(cutRecalled(patch).text, maxEditChars, (text) => {
    const cut = text.slice(0, text.lastIndexOf("\n", maxEditChars) + 1);
    return `${withoutBase64(cut)}[+${text.length - cut.length} chars]`;
  });
}

/** The size and hash of a text before anything was cut from it. */
export function fingerprint(text: string): { original_bytes: number; sha256: string } {
  const bytes = encodeBriefly(text);
  return { original_bytes: bytes.length, sha256: sha256(bytes) };
}

const encoder = new TextEncoder();
const shared = new Uint8Array(1 << 16);

/** The bytes of a text, until the next call: most texts are short, and there are many. */
function encodeBriefly(text: string): Uint8Array {
  if (text.length * 3 > shared.length) return encoder.encode(text);
  return shared.subarray(0, encoder.encodeInto(text, shared).written);
}

/** A short fingerprint of a JSON value, for rows that their producer changes in place. */
export function revisionOf(value: unknown): string {
  return sha256(encoder.encode(JSON.stringify(value))).slice(0, 16);
}

/** Puts a note in the place of embedded binary data. */
function withoutBase64(text: string): string {
  if (text.length < minRun) return text;
  let clean = text;
  if (clean.includes(";base64,")) {
    clean = clean.replace(dataUrl, (match) => `[base64 ${match.length} chars]`);
  }
  let kept = "";
  let from = 0;
  for (const [start, end] of longRuns(clean)) {
    kept += `${clean.slice(from, start)}[base64 ${end - start} chars]`;
    from = end;
  }
  return from === 0 ? clean : kept + clean.slice(from);
}

const minRun = 256;
const dataUrl = /data:[\w.+-]{0,60}\/?[\w.+-]{0,60};base64,[A-Za-z0-9+/=_-]{16,}/g;

/**
 * Runs of base64 at least `minRun` long. Looks at every `minRun`-th character and widens from there,
 * which costs a hundredth of a regular expression over all of it.
 */
function* longRuns(text: string): Generator<[number, number]> {
  let done = 0;
  for (let at = minRun - 1; at < text.length; at += minRun) {
    if (at < done || !isBase64Unit(text.charCodeAt(at))) continue;
    let start = at;
    while (start > done && isBase64Unit(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < text.length && isBase64Unit(text.charCodeAt(end))) end++;
    done = end;
    if (end - start >= minRun && isMixed(text.slice(start, start + minRun))) yield [start, end];
  }
}

function isBase64Unit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 47 && unit <= 57) ||
    unit === 43;
}

/** Long runs of one kind of character are text (rulers, hex dumps, words), mixed ones are data. */
function isMixed(sample: string): boolean {
  return /[a-z]/.test(sample) && /[A-Z]/.test(sample) && /\d/.test(sample);
}

function cutInput(input: string, maxChars: number): string {
  return fit(cutRecalled(input).text, maxChars, (text) => {
    const cut = text.slice(0, alignToCharacter(text, maxChars));
    return `${withoutBase64(cut)}[+${text.length - cut.length} chars]`;
  });
}

/** A text that is short enough, perhaps once its secrets are out, as it is; else what `cut` leaves. */
function fit(input: string, maxChars: number, cut: (text: string) => string): string {
  const text = input.length <= maxChars ? input : redactText(input).value;
  return (text.length <= maxChars ? withoutBase64(text) : cut(text)).toWellFormed();
}
