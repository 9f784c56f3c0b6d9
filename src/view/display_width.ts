// Columns that text takes on a terminal, and what a terminal shows as one character. By code points:
// the first Intl.Segmenter has the system's tables loaded, 20 ms, as much as an empty script takes. What
// terminals do with rare sequences differs anyway.

import { eastAsianWidth } from "get-east-asian-width";

/** What is shown as one character, and its columns. */
export interface Cell {
  text: string;
  width: number;
}

export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  let width = 0;
  for (const cell of cellsOf(text)) width += cell.width;
  return width;
}

/** The characters of a text as a terminal shows them. */
export function* cellsOf(text: string): Generator<Cell> {
  let cell: Cell | undefined;
  let before = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (cell !== undefined && joins(code, before, cell)) {
      cell.text += character;
      // Shown as a picture: a sign and the mark that asks for it, or the second half of a flag.
      if (code === pictureMark || isRegional(code)) cell.width = 2;
    } else {
      if (cell !== undefined) yield cell;
      cell = { text: character, width: widthOfCode(code, character) };
    }
    before = code;
  }
  if (cell !== undefined) yield cell;
}

const narrow = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2500-\u259f]*$/;
const joiner = 0x200d;
const pictureMark = 0xfe0f;

/** Whether a code point is part of the character before it. */
function joins(code: number, before: number, cell: Cell): boolean {
  if (code < 0x300 || isOverride(code)) return false;
  if (before === joiner && isPicture(code)) return true;
  if (code >= 0x1f3fb && code <= 0x1f3ff) return isPicture(before);
  if (isRegional(code)) return isRegional(before) && cell.text.length === 2;
  return isZero(String.fromCodePoint(code));
}

function widthOfCode(code: number, character: string): number {
  // What a terminal would obey is shown as a sign, or as its number: `␛`, `<202E>`.
  if (code === 0x09 || code === 0x0a || code === 0xad) return 0;
  if ((code >= 0x80 && code < 0xa0) || isOverride(code)) return 6;
  if (code < 0x300) return 1;
  if (isRegional(code)) return 1;
  return isZero(character) ? 0 : eastAsianWidth(code);
}

/** Changes the direction of text. */
function isOverride(code: number): boolean {
  return code >= 0x200e && code <= 0x2069 &&
    (code <= 0x200f || (code >= 0x202a && code <= 0x202e) || code >= 0x2066);
}

/** Half of a flag. */
function isRegional(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

function isPicture(code: number): boolean {
  return code >= 0x2190 && (code <= 0x2bff || (code >= 0x1f000 && code <= 0x1faff));
}

/** Marks above and below letters, and what is not seen at all. */
function isZero(character: string): boolean {
  return /^[\p{Mn}\p{Me}\p{Cf}\u115f\u1160\u3164\ufe00-\ufe0f]$/u.test(character);
}
