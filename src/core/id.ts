// Ids: time-ordered, collision-free, made from the thing they name, never positional.
// `H-` entry, `S-` session, `T-` trace, `G-` suggestion, `B-` subscription, `A-` act.

import { hash64 } from "./hash.ts";

/** The kinds of id, by their first letter. */
export type IdPrefix = "H" | "S" | "T" | "G" | "B" | "A";

const digits = "0123456789abcdefghjkmnpqrstvwxyz";
/** How many digits of an id tell its time. */
export const timeDigits = 9;
const hashDigits = 8;

/** What an id may look like when it comes from outside: legacy stores have other shapes. */
export const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}$/;

/** A seed that no other process draws, for ids; no secret. Loads no cryptography. */
export function drawSeed(): string {
  return `${Math.random()}${Math.random()}`;
}

/** Makes an id from a time and a seed: the same two always give the same id. */
export function makeId(prefix: IdPrefix, timeMs: number, seed: string): string {
  const [high, low] = hash64(seed);
  const hash = (high & 0xff) * 2 ** 32 + low;
  return `${prefix}-${toBase32(Math.max(0, timeMs), timeDigits)}${toBase32(hash, hashDigits)}`;
}

/** The time in an id made by `makeId`, or undefined for ids of other shapes. */
export function findIdTime(id: string): number | undefined {
  const match = /^[A-Z]-([0-9a-hjkmnp-tv-z]{9})[0-9a-hjkmnp-tv-z]{8}$/.exec(id);
  return match ? parseBase32(match[1]) : undefined;
}

/** The number that digits of an id stand for. */
export function parseBase32(text: string): number {
  let value = 0;
  for (const digit of text) value = value * 32 + digits.indexOf(digit);
  return value;
}

function toBase32(value: number, width: number): string {
  let rest = Math.floor(value);
  let text = "";
  for (let i = 0; i < width; i++) {
    text = digits[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/**
 * The times that ids may have which begin so: the first, and the one after the last. Undefined when
 * no id made by `makeId` begins so.
 */
export function idTimesFrom(beginning: string): [from: number, to: number] | undefined {
  const match = /^[a-z](?:-([0-9a-hjkmnp-tv-z]{0,17}))?$/i.exec(beginning);
  if (!match) return undefined;
  const told = (match[1] ?? "").toLowerCase().slice(0, timeDigits);
  const width = 32 ** (timeDigits - told.length);
  const first = parseBase32(told) * width;
  return [first, first + width];
}
