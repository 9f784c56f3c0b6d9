// Secrets that are arguments: `auth=("bob", "…")`, `getConnection(url, "app", "…")`,
// `createHmac("sha256", "…")`, `INSERT … VALUES ('bob', '…')`. Pure; every look has a bound.

import type { Range } from "./redact_assigned.ts";
import { isLikePassword } from "./secret_values.ts";
import { isHash, isLongHash, isMade, isPlaceholder, isWords } from "./secret_words.ts";

const maxCallChars = 400;
const maxTexts = 8;
const argument = /\\{0,8}(["'`])((?:(?!\1)[^\\\n]){0,200})\\{0,8}\1|[()]/g;

/** The quoted arguments of the call that begins at a hint or after it. */
function readTexts(text: string, at: number): (Range & { value: string })[] {
  const open = text.indexOf("(", at);
  if (open < 0 || open - at > 20) return [];
  const call = text.slice(open + 1, open + 1 + maxCallChars);
  if (!/["'`]/.test(call)) return [];
  const texts: (Range & { value: string })[] = [];
  let depth = 1;
  for (const match of call.matchAll(argument)) {
    const [whole, quote, value] = match;
    if (whole === "(") depth++;
    if (whole === ")" && --depth === 0) break;
    if (quote === undefined || texts.length >= maxTexts) continue;
    const start = open + 1 + match.index + whole.indexOf(quote) + 1;
    texts.push({ start, end: start + value.length, value });
  }
  return texts;
}

/** Secrets among the arguments of a call that takes credentials. */
export function findInCall(text: string, at: number): Range[] {
  const texts = readTexts(text, at).filter(({ value }) => value !== "");
  // `mysqli(host, user, password, database)`
  const isHostFirst = /^(?:mysqli|connect)\b/i.test(text.slice(at, at + 16));
  const isSigning = text.slice(at, at + 4).toLowerCase() === "jwt.";
  return texts.filter(({ value }, i) => {
    if (/\s/.test(value)) return false;
    if (isMade(value)) return i > 0 || value.length >= 16;
    const isLast = i > 0 && (i === texts.length - 1 || (isHostFirst && i === 2));
    if (isHash(value)) {
      return (isLast && /^[0-9a-f]{24,64}$/i.test(value)) ||
        (isSigning && /^[0-9a-f]{32,128}$/i.test(value));
    }
    return isLast && isChosen(value);
  });
}

/** Whether the last argument is a password as people choose one. */
function isChosen(value: string): boolean {
  if (isLikePassword(value)) return true;
  if (/^[\w!@#%^*+=?.-]{10,}$/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value)) {
    if ((value.match(/[!@#^+=?]/g)?.length ?? 0) >= 2 && !isPlaceholder(value)) return true;
  }
  return value.length >= 6 && !isPlaceholder(value) && /\d/.test(value) && /[A-Za-z]/.test(value) &&
    !/[/:.,@=\s]|^[a-z]+[_-]|v\d$|^[a-z]{1,6}\d{1,3}$|^(?:sha|md|aes|utf|base|hs|rs|es|ps|tls|http|oauth)\w{0,3}\d/i
      .test(value) &&
    (!isWords(value) || /\d{2,}$/.test(value));
}

/** Secrets in rows that are inserted into columns with such names. */
export function findInValues(text: string, at: number): Range[] {
  const before = text.slice(Math.max(0, at - 300), at);
  const into = before.toLowerCase().lastIndexOf("insert");
  if (into < 0 || !/pass|secret|token|api_?key|pwd/i.test(before.slice(into))) return [];
  return readTexts(text, at).filter(({ value }) =>
    !/\s/.test(value) &&
    (isMade(value) || isLongHash(value))
  );
}
