// Secrets that only their name tells: `DB_PASSWORD=…`, `"apiKey": "…"`, `const KEY: &str = "…"`,
// `X-API-Key: …`, `--token …`, `ENV API_TOKEN …`, `{"name":"API_TOKEN","value":"…"}`,
// `<password>…`, `setPassword("…")`, "the password for staging is …", in JSON inside JSON too. Reads
// the name from a word in it, then how a value is given to it, then the value; each has a bound.

import { isSecretName, type Promised, promiseOf, secretWords } from "./secret_names.ts";
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
  let start = startOfName(text, at);
  // The letter of an escaped newline.
  if (text[start - 1] === "\\" && "nrt".includes(text[start]) && start < at) start++;
  const before = text.slice(start, at);
  const isFlag = before.startsWith("--") || (before.startsWith("-") && text[start - 1] === " ");
  const pattern = isTag(text, start) ? tagHead : head;
  pattern.lastIndex = end;
  const match = pattern.exec(text);
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
 * Whether prose goes on after a name, as in "tokens live for an hour": told without an expression,
 * which a short command would compile for one line. A word with a digit in it may be the value, and
 * what may be more is left to `head`.
 */
function isSpokenOf(text: string, at: number, end: number): boolean {
  let after = end;
  while (after - end < 30 && isOfName(text.charCodeAt(after))) after++;
  if (after === text.length) return true;
  if (text[after] === ",") after++;
  if (text[after] !== " " || !isLetter(text.charCodeAt(after + 1))) return false;
  let next = after + 1;
  while (next - after < 40 && isLetter(text.charCodeAt(next))) next++;
  const following = text.charCodeAt(next);
  // Letters up to a space or a stop: a word, and only some of them give a value.
  if (/[a-z][A-Z]/.test(text.slice(after + 1, next))) return false;
  if (following > 32 && !",.;:)?!".includes(text[next])) return false;
  if (leading.has(text.slice(after + 1, next).toLowerCase())) return false;
  if (text[startOfName(text, at)] === "-") return false;
  const before = text.slice(Math.max(0, at - 80), at).toLowerCase();
  return !before.includes("set") && !before.includes("env");
}

/** Words after a name that a value may come after. */
const leading = new Set(
  ("is was are ist lautet war est es era value parametervalue for to of on in at from für von zum " +
    "pour de du del para da do voor van di per string str as text now char è é").split(" "),
);

function isLetter(unit: number): boolean {
  const lower = unit | 32;
  return (lower >= 97 && lower <= 122) || unit > 191;
}

function howOf(sign: string, isFlag: boolean, isSet: boolean): Place["how"] {
  if (sign.trim() === "") return isFlag ? "flag" : isSet ? "assigned" : "beside";
  if (/^[(|]$/.test(sign.trim())) return "beside";
  return /^\s+[\p{L}(]/u.test(sign) && !/=\s*$/.test(sign) ? "said" : "assigned";
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

/** A space, a newline, or one of those escaped. */
const gap = "(?:[\\s+-]|\\\\{1,8}[nrt]){0,40}";

/**
 * After the word: the rest of the name, what closes its quotes, and what gives it a value: signs,
 * after a type or before a block of YAML; a field of its own; a comma; what prose says; a tag's end;
 * a call; a space.
 */
const head = new RegExp(
  [
    "([\\wñ.-]{0,30})(?:\\\\{0,8}[\"'`\\]]|\\[\\d{0,4}\\]){0,2}(",
    [
      // `: &str = `, ` string = `, ` As String = `, where a text follows.
      "[ \\t]{0,3}(?::[ \\t]{0,3}|[ \\t])(?:as\\s|constant\\s|final\\s)?[&*]{0,2}(?:'\\w{1,9}\\s)?[a-z_[][\\w.:;<>[\\]&*?|' ]{0,40}?\\s{0,3}:?=\\s{0,3}(?=[*@bBrRuU]{0,2}\\\\{0,8}[\"'`])",
      // `process.env.DB_PASS || "…"`, `get("DB_PASS") or "…"`, `.unwrap_or("…")`, `default="…"`.
      "\\)?\\s{0,3}(?:\\|\\||\\?\\?|\\?:|or\\s)\\s{0,3}(?=\\\\{0,8}[\"'`])",
      "(?<=[\"'])(?:\\s?,\\s?default(?:_value)?\\s?[=:]\\s?|\\)\\s?\\.unwrap_or(?:_else)?\\((?:\\|_?\\|\\s?)?)(?=\\\\{0,8}[\"'`])",
      // `"db_password": {"sensitive": true, "value": `
      '(?<=["\'])\\s{0,3}:\\s{0,3}\\{[^{}]{0,160}?"value\\\\{0,8}"\\s{0,3}:\\s{0,3}',
      "\\s{0,20}(?::=|=>|->|→|<-|[!=]={0,2}|\\?{1,2}=|\\|\\|=|\\?:|:)(?!:)\\s{0,20}(?:[|>][+-]?\\d?[ \\t]{0,5}(?:\\n|\\\\{1,8}n)[\\s+]{0,40}|- |&\\w{1,30} )?",
      "(?<=[\"'])\\s{1,3}value\\s{0,2}=\\s{0,2}",
      // `variable "db_password" { default = `
      "(?<=[\"'])\\s{0,3}\\{[^{}]{0,200}?default\\s{0,9}=\\s{0,9}",
      `(${gap}(?:,${gap})?\\\\{0,8}["']?(?:parameter)?value\\\\{0,8}["']?\\s{0,5}[:=]\\s{0,20})`,
      "(?<=[\"'])\\s{0,3},\\s{0,3}",
      // "password for the staging database is now: "
      "[ \\t]{1,3}(?:\\([^()\\n]{1,40}\\)\\s?)?(?:(?:for|to|of|on|in|at|from|für|von|zum|pour|de|du|del|para|da|do|voor|van|di|per)\\s(?:[^\\s:=]{1,40}\\s){1,5}?)?(?:is|was|are|ist|lautet|war|est|es|era|è|é|to|now|→|->|=|:)(?:\\s(?:now|still|currently|set to|changed to|jetzt|ahora|maintenant))?(?:\\s{0,2}:)?[ \\t]{1,3}",
      "[ \\t](?:for|of|on|für|pour|de|du|del|para|da|do|voor|van|di|per)(?:[ \\t][^\\s:=]{1,40}){1,5}?[ \\t]?[:=][ \\t]{1,3}",
      "<\\/key>(?:[\\s+]|\\\\{1,8}[nrt]){0,20}<string>",
      '(?:\\s?\\{ ?get; ?(?:set|init); ?\\}\\s?=\\s?|\\{\\s?)(?=\\\\{0,8}")',
      "><value>",
      ">",
      "\\(\\s{0,5}",
      "\\s{0,5}\\|\\s{0,40}",
      "[ \\t]{1,3}(?=\\S)",
    ].join("|"),
    ")",
  ].join(""),
  "iy",
);

/** The same of a tag: `<ns:Password Type="x">`. */
const tagHead = /([\w.-]{0,30})((?:\s[^<>\n]{1,100})?>(?:\s{0,9}<value>)?)/iy;

function isTag(text: string, start: number): boolean {
  return text[start - 1] === "<" ||
    (text[start - 1] === ":" && /<\w{1,12}:$/.test(text.slice(Math.max(0, start - 14), start)));
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
