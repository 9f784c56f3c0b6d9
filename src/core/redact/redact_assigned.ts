// Secrets that only their name tells: `DB_PASSWORD=…`, `"apiKey": "…"`, `const KEY: &str = "…"`,
// `X-API-Key: …`, `--token …`, `ENV API_TOKEN …`, `{"name":"API_TOKEN","value":"…"}`,
// `<password>…`, `setPassword("…")`, "the password for staging is …", in JSON inside JSON too. Reads
// the name from a word in it, then how a value is given to it, then the value; each has a bound.

import { matchHead } from "./match_head.ts";
import {
  isAccompanied,
  isSecretName,
  type Promised,
  promiseOf,
  secretWords,
} from "./secret_names.ts";
import { isSecretValue, type Place } from "./secret_values.ts";

/** How often values with the same end were tried: names inside values must not multiply the work. */
export interface Tries {
  end: number;
  count: number;
}

const maxTries = 8;

/** A part of the text. */
export interface Range {
  start: number;
  end: number;
}

/** The value given to the name with a secret word at `at`, as a range of the text, if it is secret. */
export function findAssigned(
  text: string,
  at: number,
  word: string,
  tries: Tries,
): Range | undefined {
  const given = findGiven(text, at, word);
  if (given === undefined) return undefined;
  const { start, sign, how, isShell } = given;
  // `arn:aws:…:secret:name` is one word.
  if (sign === ":" && /[:/]/.test(text.charAt(start - 1)) && text[start - 2] !== "/") {
    return undefined;
  }
  const wrapped = wrapperAt(text, given.from);
  const from = given.from + wrapped.length;
  const open = quoteAt(text, from);
  // `("password", x)` may be a list or a call: only a quoted value is one.
  if (/^\s*[,(]\s*$/.test(sign) && open === undefined) return undefined;
  const value = open === undefined
    ? readBare(text, from, how)
    : readQuoted(text, from + open.length, open);
  if (value === undefined || isTiring(tries, value.end)) return undefined;
  if (sign.endsWith(">") && (!/[<>:"']/.test(text[start - 1] ?? "") || text[value.end] !== "<")) {
    return undefined;
  }
  const place: Place = {
    how: wrapped.includes("(") ? "beside" : how,
    // What is between tags is a text as it stands.
    isQuoted: open !== undefined || sign.endsWith(">"),
    isShell,
  };
  return isSecretValue(text.slice(value.start, value.end), promiseOf(word), place)
    ? value
    : undefined;
}

interface Given extends Pick<Place, "how" | "isShell"> {
  /** Where the name starts, and where its value does. */
  start: number;
  from: number;
  sign: string;
}

function findGiven(text: string, at: number, word: string): Given | undefined {
  const end = at + word.length;
  if (isSpokenOf(text, at, end)) return undefined;
  let start = startOfName(text, at);
  // The letter of an escaped newline.
  if (text[start - 1] === "\\" && "nrt".includes(text[start]) && start < at) start++;
  const before = text.slice(start, at);
  const isFlag = before.startsWith("--") || (before.startsWith("-") && text[start - 1] === " ");
  if (!isAccompanied(before, text.slice(at, end))) return undefined;
  const match = matchHead(text, start, end);
  if (match === null) return undefined;
  const [whole, tail, sign, field] = match;
  if (!isSecretName(before, text.slice(at, end), tail)) return undefined;
  // The id of a public key, for git.
  if (/user\.signing$/i.test(before)) return undefined;
  const isSpace = sign.trim() === "";
  const isSet = isSpace && !isFlag && setting.test(text.slice(Math.max(0, at - 80), at));
  const isField = field !== undefined;
  if (isField && !isFlag && !naming.test(text.slice(Math.max(0, start - 24), start))) {
    return undefined;
  }
  const isUpper = !/[a-z]/.test(text.slice(at, end) + tail);
  const isShell = isFlag || isSet || (isUpper && (sign === "=" || isField));
  const how = howOf(sign, isFlag, isSet);
  return { start, from: end + whole.length, sign, how, isShell };
}

/**
 * Whether nothing or prose follows a name, as in "tokens live for an hour": told without an expression,
 * which a short command would compile for one line. A word with a digit in it may be the value, and
 * what may be more is left to `matchHead`.
 */
function isSpokenOf(text: string, at: number, end: number): boolean {
  let after = end;
  while (after - end < 30 && isOfName(text.charCodeAt(after))) after++;
  if (after === text.length || isClosed(text, after)) return true;
  if (text[after] === ",") after++;
  if (text[after] !== " " || !isLetter(text.charCodeAt(after + 1))) return false;
  let next = after + 1;
  while (next - after < 40 && isLetter(text.charCodeAt(next))) next++;
  const following = text.charCodeAt(next);
  // Letters up to a space or a stop: a word, and only some of them give a value.
  if (following > 32 && !",.;:)?!".includes(text[next])) return false;
  if (/[a-z][A-Z]/.test(text.slice(after + 1, next))) return false;
  const follower = text.slice(after + 1, next).toLowerCase();
  if (leading.has(follower)) return saying.has(follower) && isProse(text, next);
  if (text[startOfName(text, at)] === "-") return false;
  const before = text.slice(Math.max(0, at - 80), at).toLowerCase();
  return !before.includes("set") && !before.includes("env");
}

/** Whether a name is all there is: after a `)` there may be another value, as in `env(x) || "…"`. */
function isClosed(text: string, at: number): boolean {
  if (text[at] !== ")") return text[at] === ";" || text[at] === "}";
  let after = at + 1;
  while (after - at < 4 && text.charCodeAt(after) <= 32) after++;
  return !"|?oO".includes(text.charAt(after));
}

/** Words after a name that a value may come after. */
const leading = new Set(
  ("is was are ist lautet war est es era value parametervalue for to of on in at from für von zum " +
    "pour de du del para da do voor van di per string str as text now char è é").split(" "),
);

/** Those of them that a value may follow at once: "is not here" has none. */
const saying = new Set("is was are ist lautet war est es era".split(" "));
const waiting = new Set("now still currently set changed jetzt ahora maintenant".split(" "));

/** Whether a word of small letters follows, and none that a value may come after. */
function isProse(text: string, at: number): boolean {
  let end = at + 1;
  while (
    end - at < 20 && (text.charCodeAt(end) | 32) === text.charCodeAt(end) &&
    isLetter(text.charCodeAt(end))
  ) {
    end++;
  }
  if (text[at] !== " " || end === at + 1 || waiting.has(text.slice(at + 1, end))) return false;
  if (",.;!?".includes(text.charAt(end))) end++;
  return end >= text.length || text.charCodeAt(end) <= 32;
}

function isLetter(unit: number): boolean {
  const lower = unit | 32;
  return (lower >= 97 && lower <= 122) || unit > 191;
}

function howOf(sign: string, isFlag: boolean, isSet: boolean): Place["how"] {
  if (sign.trim() === "") return isFlag ? "flag" : isSet ? "assigned" : "beside";
  if (/^[(|]$/.test(sign.trim())) return "beside";
  return /^\s+[A-Za-zÀ-ÿ(]/.test(sign) && !/=\s*$/.test(sign) ? "said" : "assigned";
}

function isTiring(tries: Tries, end: number): boolean {
  tries.count = end === tries.end ? tries.count + 1 : 0;
  tries.end = end;
  return tries.count > maxTries;
}

/** Whether a value is secret because of the name of the field it is in. */
export function isSecretField(name: string, value: string): boolean {
  return promisesOf(name).some((promised) =>
    isSecretValue(value, promised, { how: "assigned", isQuoted: true, isShell: false })
  );
}

/** Rows have the same few fields: their names are looked into once. */
const known = new Map<string, Promised[]>();
const keptNames = 1000;

function promisesOf(name: string): Promised[] {
  const kept = known.get(name);
  if (kept !== undefined) return kept;
  const lower = name.toLowerCase();
  const promised = [...secretWords, "pw"].filter((word) => {
    const at = lower.lastIndexOf(word);
    const tail = name.slice(at + word.length);
    return at >= 0 && tail.length <= 30 &&
      isSecretName(name.slice(0, at), name.slice(at, at + word.length), tail);
  }).map(promiseOf);
  if (known.size >= keptNames) known.clear();
  if (name.length <= 100) known.set(name, promised);
  return promised;
}

const maxNameChars = 40;

/** Where a name begins that goes on at a place: `api key` is one, too. */
function startOfName(text: string, at: number): number {
  let start = at;
  if (text[start - 1] === " ") start--;
  while (start > 0 && at - start < maxNameChars && isOfName(text.charCodeAt(start - 1))) start--;
  return start;
}

/** Letters, digits, `_`, `-` and `.`. */
export function isOfName(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) ||
    unit === 95 || unit === 45 || unit === 46;
}

/** Before a name: commands that take it and its value with only a space between. */
const setting =
  /(?:(?<![A-Za-z])|\\[nrt])(?:env|setenv|setx(?:\s\/m)?|(?:configure|config)(?:\sset)?(?:\s--?[a-z]{1,9}){0,3}|set(?:\s-{1,2}[a-z]{1,9}){1,3})\s{1,9}[\w.:/-]{0,80}$/i;

/** Before a name: the field that holds it, where another one holds the value. */
const naming = /(?:name|key|variable|field|header|env)\\{0,8}["']?\s{0,3}[:=]\s{0,3}\\{0,8}["']?$/i;

const wrapper =
  /(?:\*|(?:new\s)?[A-Za-z_][\w:.<>]{0,40}!?\(\s{0,5}|\[\]byte\(|[@$](?=\\{0,8}")|[bBrRuUfFLN]{1,2}(?=\\{0,8}["'])|\(\s?){1,2}(?=[bru]?\\{0,8}["'`])/y;

/** What stands between a sign and a quoted value: `String::from(`, `b`, `@`. */
function wrapperAt(text: string, at: number): string {
  wrapper.lastIndex = at;
  return wrapper.exec(text)?.[0] ?? "";
}

const quotePattern = /\\{0,8}["'`]/y;

/** The quote that begins at a place, with the backslashes before it. */
function quoteAt(text: string, at: number): string | undefined {
  quotePattern.lastIndex = at;
  return quotePattern.exec(text)?.[0];
}

/** Longer values are data, or secrets that other rules know by their prefix. */
const maxValueChars = 512;
const quotedRuns: Record<string, RegExp> = {
  '"': /[^\s"]{1,512}/y,
  "'": /[^\s']{1,512}/y,
  "`": /[^\s`]{1,512}/y,
};
const bareRun = /[^\s"'`\\,;(){}[\]<>&|]{1,512}/y;

/** What is between quotes, without spaces in it: sentences are no secrets. */
function readQuoted(text: string, start: number, open: string): Range | undefined {
  const pattern = quotedRuns[open.slice(-1)];
  pattern.lastIndex = start;
  const run = pattern.exec(text)?.[0] ?? "";
  const after = text[start + run.length] ?? "";
  // The backslashes before the closing quote belong to it; a space means that this is a sentence.
  const inside = run.replace(/\\{1,9}$/, "");
  return inside === "" || run.length === maxValueChars || /\s/.test(after)
    ? undefined
    : { start, end: start + inside.length };
}

/** A value without quotes; nothing when it is the beginning of an expression. */
function readBare(text: string, start: number, how: Place["how"]): Range | undefined {
  bareRun.lastIndex = start;
  const run = bareRun.exec(text)?.[0] ?? "";
  const isCode = /[([]/.test(text[start + run.length] ?? "");
  if (isCode || run.length === maxValueChars) return undefined;
  const clean = how === "said" || how === "beside" ? run.replace(/[.:?]{1,9}$/, "") : run;
  return clean === "" ? undefined : { start, end: start + clean.length };
}
