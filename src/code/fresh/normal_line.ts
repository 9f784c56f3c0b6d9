// A line as it is compared: what a formatter changes makes no difference, neither blanks nor the kind
// of quotes nor what ends it; of blanks those between two words are left, which tell them apart. Lines
// that say nothing of their own, such as a closing bracket, are none. Pure.
//
// `core/rows/line_hash.ts` has a form of its own, for a table of numbers that is kept: it makes no
// strings, since it goes over all edits of a store. Here the text itself is wanted: parts of a line are
// looked for in a whole file, and the words of one line in others.

import { markBeginning } from "../../core/redact/marks.ts";

/** Shorter lines are found everywhere. */
const leastChars = 8;
const leastLetters = 4;
/** Longer ones are data, and are told apart by their beginning. */
const maxChars = 2000;

/** The normal form of a line; undefined when it says nothing, or not what was there. */
export function normalLine(line: string): string | undefined {
  // Where a secret was, the line is in no file.
  if (line.includes(markBeginning)) return undefined;
  const text = normalText(line.length > maxChars ? line.slice(0, maxChars) : line);
  if (withoutBlanks(text).length < leastChars) return undefined;
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < leastLetters ? undefined : text;
}

/** A text of any length without what formatters change: lines that they broke or joined are in it. */
export function normalText(text: string): string {
  return text.replace(/[\s;]+/g, " ").replace(/ (?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_]) /gu, "")
    .replace(/['`]/g, '"').replace(/,+(?=[)\]}>]|$)/g, "");
}

/** The form of a line that is hashed and kept. */
export function withoutBlanks(line: string): string {
  return line.replaceAll(" ", "");
}

/** The words of a line in its normal form, each once: numbers and hashes are values, which change. */
export function wordsOf(line: string): Set<string> {
  return new Set(line.match(word)?.filter((one) => !/^(?:\d|[\da-f]{12,}$)/.test(one)));
}

const word = /[\p{L}\p{N}_]+/gu;
