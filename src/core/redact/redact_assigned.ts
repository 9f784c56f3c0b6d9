// Secrets that only their name tells: `DB_PASSWORD=…`, `"apiKey": "…"`, `X-API-Key: …`, `--token …`,
// `ENV API_TOKEN …`, `{"name":"API_TOKEN","value":"…"}`, `<password>…`, "the password is …", in JSON
// inside JSON too. Reads the name from a word in it, then how a value is given to it, then the value;
// each has a bound. Code is told from values.

import { entropyOf, isPlaceholder, isWords } from "./secret_words.ts";

/** The words in names that something is secret by; `key` and `pass` need company. */
export const secretWords = [
  "secret",
  "password",
  "passwd",
  "passwort",
  "passphrase",
  "passcode",
  "pwd",
  "pass",
  "token",
  "key",
  "credential",
] as const;

/** How a value stands in the text. */
interface Place {
  /** `=` and `:` and the like; a flag's space; the `is` of prose. */
  how: "assigned" | "flag" | "said";
  isQuoted: boolean;
  /** `NAME=value`, as in a shell or an environment file. */
  isShell: boolean;
}

/** How often values with the same end were tried: names inside values must not multiply the work. */
export interface Tries {
  end: number;
  count: number;
}

const maxTries = 8;

/** The value given to the name with a secret word at `at`, as a range of the text, if it is secret. */
export function findAssigned(
  text: string,
  at: number,
  word: string,
  tries: Tries,
): Range | undefined {
  const given = findGiven(text, at, word);
  if (given === undefined) return undefined;
  const { from, start, sign, how, isShell } = given;
  // `arn:aws:…:secret:name` is one word.
  if (sign === ":" && /[:/]/.test(text.charAt(start - 1))) return undefined;
  const open = quoteAt(text, from);
  // `("password", x)` may be a list or a call: only a quoted value is one.
  if (sign.trim() === "," && open === undefined) return undefined;
  const value = open === undefined
    ? readBare(text, from, how)
    : readQuoted(text, from + open.length, open);
  if (value === undefined || isTiring(tries, value.end)) return undefined;
  if (sign === ">" && (text[start - 1] !== "<" || text[value.end] !== "<")) return undefined;
  const place: Place = { how, isQuoted: open !== undefined, isShell };
  const isSecret = isSecretValue(text.slice(value.start, value.end), isPassword(word), place);
  return isSecret ? value : undefined;
}

/** A name that is given a value. */
interface Given extends Pick<Place, "how" | "isShell"> {
  /** Where the name starts, and where its value does. */
  start: number;
  from: number;
  sign: string;
}

function findGiven(text: string, at: number, word: string): Given | undefined {
  const end = at + word.length;
  if (isSpokenOf(text, at, end)) return undefined;
  head.lastIndex = end;
  const match = head.exec(text);
  if (match === null) return undefined;
  const [whole, tail, sign, field] = match;
  const start = startOfName(text, at);
  const before = text.slice(start, at);
  if (!isSecretName(before, word, tail)) return undefined;
  const isFlag = before.startsWith("--");
  const isSpace = sign.trim() === "";
  const isSet = isSpace && !isFlag && setting.test(text.slice(Math.max(0, at - 80), at));
  if (isSpace && !isFlag && !isSet) return undefined;
  const isField = field !== undefined;
  if (isField && !isFlag && !naming.test(text.slice(Math.max(0, start - 24), start))) {
    return undefined;
  }
  const isUpper = !/[a-z]/.test(text.slice(at, end) + tail);
  const isShell = isFlag || isSet || (isUpper && (sign === "=" || isField));
  return { start, from: end + whole.length, sign, how: howOf(sign, isFlag), isShell };
}

/**
 * Whether prose goes on after a name, as in "tokens live for an hour": told without an expression,
 * which a short command would compile for one line. What may be more is left to `head`.
 */
function isSpokenOf(text: string, at: number, end: number): boolean {
  let after = end;
  while (after - end < 30 && isOfName(text.charCodeAt(after))) after++;
  if (after === text.length) return true;
  if (text[after] === ",") after++;
  if (text[after] !== " " || !isPlainLetter(text.charCodeAt(after + 1))) return false;
  if (text.startsWith("--", startOfName(text, at))) return false;
  const before = text.slice(Math.max(0, at - 80), at).toLowerCase();
  return !before.includes("set") && !before.includes("env");
}

/** A letter that begins neither `is`, `was`, `value` nor `parametervalue`. */
function isPlainLetter(unit: number): boolean {
  const lower = unit | 32;
  return lower >= 97 && lower <= 122 && !"iwvp".includes(String.fromCharCode(lower));
}

function howOf(sign: string, isFlag: boolean): Place["how"] {
  if (/^\s+(?:is|was)\b/i.test(sign)) return "said";
  return isFlag && sign.trim() === "" ? "flag" : "assigned";
}

function isTiring(tries: Tries, end: number): boolean {
  tries.count = end === tries.end ? tries.count + 1 : 0;
  tries.end = end;
  return tries.count > maxTries;
}

/** Whether a value is secret because of the name of the field it is in. */
export function isSecretField(name: string, value: string): boolean {
  const { isPassword, isOther } = promiseOf(name);
  const isSecret = (isForPassword: boolean): boolean =>
    isSecretValue(value, isForPassword, { how: "assigned", isQuoted: true, isShell: false });
  return (isPassword && isSecret(true)) || (isOther && isSecret(false));
}

/** What the name of a field says its value is. */
interface Promised {
  isPassword: boolean;
  isOther: boolean;
}

/** Rows have the same few fields: their names are looked into once. */
const promises = new Map<string, Promised>();
const keptPromises = 1000;

function promiseOf(name: string): Promised {
  const known = promises.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  const words = secretWords.filter((word) => {
    const at = lower.lastIndexOf(word);
    const tail = name.slice(at + word.length);
    return at >= 0 && tail.length <= 30 && isSecretName(name.slice(0, at), word, tail);
  });
  const promised = {
    isPassword: words.some(isPassword),
    isOther: words.some((word) => !isPassword(word)),
  };
  if (promises.size >= keptPromises) promises.clear();
  if (name.length <= 100) promises.set(name, promised);
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
function isOfName(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) ||
    unit === 95 || unit === 45 || unit === 46;
}

/**
 * After the word: the rest of the name, what closes its quotes, and what gives it a value, which may
 * be a field of its own. The rest may be `s`, a number, or more words of the name.
 */
const head =
  /([\w.-]{0,30})(?:\\{0,8}["'`\]]){0,2}(\s{0,20}(?::=|=>|={1,2}|\?=|\?:|:)(?!:)\s{0,20}|(?<=["'])\s{1,3}value\s{0,2}=\s{0,2}|((?:[\s+-]|\\{1,8}[nrt]){0,40}(?:,(?:[\s+-]|\\{1,8}[nrt]){0,40})?\\{0,8}["']?(?:parameter)?value\\{0,8}["']?\s{0,5}[:=]\s{0,20})|(?<=["'])\s{0,3},\s{0,3}|\s{1,3}(?:is|was)(?:\s{0,2}:)?\s{1,3}|>|\s(?=\S))/iy;

/** Before a name: commands that take it and its value with only a space between. */
const setting =
  /(?:(?<![A-Za-z])|\\[nrt])(?:env|setenv|setx(?:\s\/m)?|set(?:\s-{1,2}[a-z]{1,9}){1,3})\s{1,9}[\w.-]{0,40}$/i;

/** Before a name: the field that holds it, where another one holds the value. */
const naming = /(?:name|key|variable)\\{0,8}["']?\s{0,3}[:=]\s{0,3}\\{0,8}["']?$/i;

/** Words that make a key one of those that are secret. */
const keyKinds =
  /(?:api|app(?:lication)?|access|account|private|secret|encrypt(?:ion)?|decrypt(?:ion)?|sign(?:ing|ature)?|master|auth|service|role|admin|license|storage|shared|shared_?access|hmac|crypto|ssh|deploy|jwt|webhook|session|write|client|aes|kms|wg|cipher)[\s_.-]?$/i;

/** Last words of names that are about a secret and are none. */
const aboutOne =
  /(?:^|[_.\s-])(?:arn|name|id|ids|url|uri|path|file|filename|dir|type|kind|count|limit|length|len|size|ttl|life|lifetime|age|expir\w*|expires\w*|address|addr|hash|hasher|hashers|hashed|version|format|policy|field|label|hint|regex|pattern|prefix|suffix|header|usage|used|budget|endpoint|providers?|scopes?|class|store|manager|counter|ref|refs|selector|placeholder|input|reset|timeout|env|var|algorithm|issuer|audience|index|position|pos|offset|start|end|ring|alias|title|description|message|error|service|factory|generator|strength|validator|schema|model|at|in|for|of|and|or|is|was|required|enabled|rotation|manager|estimate|estimated|max|min|total|stdin|settings?|status|state)$/i;

function isPassword(word: string): boolean {
  return word.startsWith("pass") || word === "pwd";
}

function isSecretName(before: string, word: string, tail: string): boolean {
  if (word === "key" && !keyKinds.test(before)) return false;
  if (word === "pass" && (/[A-Za-z]$/.test(before) || /^[A-Za-z0-9]/.test(tail))) return false;
  if (word === "pwd" && /old$/i.test(before)) return false;
  // `tokenizer`, `secretary`, `passwordless`: another word.
  if (/^(?:i[sz]|less|ary|ize|ish|ing|ed\b|ly\b)/.test(tail)) return false;
  const rest = tail.replace(/^s(?![a-z])/, "");
  return rest === "" || !aboutOne.test(rest.replace(/([a-z])([A-Z])/g, "$1_$2"));
}

/** A part of the text. */
interface Range {
  start: number;
  end: number;
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
  const clean = how === "said" ? run.replace(/[.:!?]{1,9}$/, "") : run;
  return clean === "" ? undefined : { start, end: start + clean.length };
}

function isSecretValue(value: string, isForPassword: boolean, place: Place): boolean {
  if (value.length < 6 || isPlaceholder(value)) return false;
  if (/^[+-]?\d+(?:[.,]\d+)*[a-z%]{0,2}$/i.test(value)) {
    return isForPassword && /^\d{6,}$/.test(value) && place.how !== "said";
  }
  if (/^[v^~<>=]{0,2}\d+(?:\.\d+)+(?:[-+][\w.]+)?$/.test(value)) return false;
  if (isWords(value)) return isForPassword && isChosen(value, place);
  if (isMember(value) && !place.isQuoted) return false;
  if (value.length < 8 && !isForPassword) return false;
  return (place.how === "assigned" || looksMade(value)) && isMixed(value);
}

/** Whether characters of several kinds are in no order that a word has. */
function isMixed(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 && entropyOf(value) >= 2.3;
}

/** Whether words are a password as people choose one; in code they would be a name. */
function isChosen(value: string, place: Place): boolean {
  if (!/\d/.test(value) || /^[~./]|[/:]/.test(value)) return false;
  if (/[!@#%^*+=]/.test(value)) return true;
  if (place.how === "said") return false;
  return place.isShell || (place.isQuoted && /[A-Za-z]\d+\W*$/.test(value));
}

/** Whether a machine made it: it has digits, or small and capital letters take turns. */
function looksMade(value: string): boolean {
  return /\d/.test(value) || (value.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g)?.length ?? 0) >= 3;
}

/** `env.AUTH0_CLIENT_SECRET`, `this.token2.value`: names with dots between them. */
function isMember(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:\??(?:\.|::|->)[A-Za-z_$][\w$]*)+[!?]?$/.test(value) &&
    value.split(/\W+/).every((name) =>
      name.split(/_|(?<=[a-z])(?=[A-Z])/).every((part) => /^[A-Za-z]*\d{0,4}$/.test(part))
    );
}
