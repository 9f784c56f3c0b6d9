// What a rule of redaction is, and the few ways to write one. Every repetition in a pattern has an
// end: the time a text takes grows with its length only.

import type { Range } from "./redact_assigned.ts";
import { entropyOf, isPlaceholder, isWords } from "./secret_words.ts";

/** One kind of secret. Its longest group is the secret; without a group it is the whole match. */
export interface RedactRule {
  name: string;
  /** In lower case, three characters or more; found in any case. */
  hints: readonly string[];
  /** A pattern's source and flags; for `§` see gitleaks_rules.ts. */
  source: string;
  flags: string;
  /** For matches that begin somewhere before a hint, rather than with it: how long one may be. */
  floats: number;
  /** A last look at a candidate: false keeps it (placeholders, words, low entropy). */
  accept: (secret: string, match: string) => boolean;
  /** A first look where a hint stands, for hints that are parts of many words. */
  probe?: (text: string, at: number) => boolean;
  /** In the place of a pattern: all secrets that belong to a hint. */
  find?: (text: string, at: number) => Range[];
}

/** Where a token may begin: after no letter, digit or `_`, or after an escape. */
const start = `(?:(?<![A-Za-z0-9_])|(?<=\\\\[nrt]|%[0-9A-F]{2}))`;

export function token(name: string, hints: string, source: string): RedactRule {
  return {
    name,
    hints: hints.toLowerCase().split(" "),
    source: `${start}(?:${source})`,
    flags: "",
    floats: 0,
    accept: (secret) => entropyOf(secret) >= 2,
    probe: isBegun,
  };
}

/** The same as `start`, told without a pattern: hints are parts of many words. */
function isBegun(text: string, at: number): boolean {
  const unit = text.charCodeAt(at - 1);
  const isOfWord = (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) || unit === 95;
  return !isOfWord || text[at - 2] === "\\" || text[at - 3] === "%";
}

/** A list of hints, written as one text with `|` between them. */
export function hintsOf(text: string): string[] {
  return text.split("|");
}

/** A line of text with a secret in it. */
export function line(
  name: string,
  hints: string[],
  source: string,
  accept: RedactRule["accept"] = isNoPlaceholder,
): RedactRule {
  return { name, hints, source, flags: "i", floats: 0, accept };
}

/** The same where capitals and small letters differ. */
export function exactLine(...parts: Parameters<typeof line>): RedactRule {
  return { ...line(...parts), flags: "" };
}

/** A secret with its hint in the middle. */
export function floating(name: string, hints: string, source: string): RedactRule {
  return { ...token(name, hints, source), floats: 1500, probe: undefined };
}

/** Quotes around a value, escaped ones too. */
export const quotes = `[\\\\"'\\x60]{0,9}`;

/** Secrets that more than a pattern is needed for. */
export function finder(
  name: string,
  hints: string[],
  find: (text: string, at: number) => Range[],
): RedactRule {
  return { name, hints, source: "", flags: "", floats: 0, accept: () => true, find };
}

/** Whether a value is none of those that documentation uses. */
export function isNoPlaceholder(secret: string): boolean {
  return !isPlaceholder(secret);
}

/** Whether a value is neither a placeholder nor words. */
export function isRandom(secret: string): boolean {
  return !isPlaceholder(secret) && !isWords(secret) && entropyOf(secret) >= 2.8;
}
