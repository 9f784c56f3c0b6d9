// Takes secrets out of text before anything is written. Pure and synchronous. One walk over the text
// looks for the hints of all rules; only rules whose hint is there are tried, and only where it is.

import { assignment } from "./gitleaks_rules.ts";
import { findAlone, minRunChars } from "./redact_alone.ts";
import { findAssigned, isSecretField, type Tries } from "./redact_assigned.ts";
import { secretWords, shortWords } from "./secret_names.ts";
import type { RedactRule } from "./redact_rule.ts";
import { redactRules } from "./redact_rules.ts";

/** Text or data with `[REDACTED:rule]` in the place of secrets, and how many there were. */
export interface Redacted<T> {
  value: T;
  count: number;
}

/** A secret's place in a text, and which rule found it; the lower, the more specific. */
interface Finding {
  start: number;
  end: number;
  rule: number;
}

/** Redacts one text. */
export function redactText(text: string): Redacted<string> {
  const findings = findSecrets(text);
  if (findings.length === 0) return { value: text, count: 0 };
  findings.sort((a, b) => a.start - b.start || b.end - a.end);
  let value = "";
  let count = 0;
  let done = 0;
  for (let i = 0; i < findings.length;) {
    const { start } = findings[i];
    let { end, rule } = findings[i];
    for (i++; i < findings.length && findings[i].start < end; i++) {
      end = Math.max(end, findings[i].end);
      rule = Math.min(rule, findings[i].rule);
    }
    value += `${text.slice(done, start)}[REDACTED:${nameOf(rule)}]`;
    done = end;
    count++;
  }
  return { value: value + text.slice(done), count };
}

/** Nothing shorter is a secret with the words that tell it. */
const minSecretChars = 8;

/** The numbers of secrets that their name tells, and of random strings: after all rules. */
const assigned = redactRules.length;
const alone = assigned + 1;

function nameOf(rule: number): string {
  if (rule === alone) return "unknown-token";
  return rule === assigned ? "assigned-secret" : redactRules[rule].name;
}

/** A hint and whose it is; where it is more than a secret word, how much comes before that. */
interface Hint {
  text: string;
  rule: number;
  skip: number;
}

/**
 * Hints by their first three characters, five bits each: letters in any case, digits alike, a few
 * kinds of signs. The table of where there are any is small enough to stay in the fastest cache:
 * imports redact gigabytes, and almost all of it is clean.
 */
const begun = new Uint8Array(1 << 15);
const listBegun = new Uint16Array(1 << 15);
const hintsBegun: Hint[][] = [[]];
/** For each of those lists, the classes of the fourth characters, a bit each. */
const nexts = new Int32Array(1 << 10);
const classes = new Uint8Array(256);

/** Fills the tables in, before the first text is looked at. */
function prepare(): void {
  for (const [i, signs] of ["0123456789", "_-", "./:", "=~$", " "].entries()) {
    for (const sign of signs) classes[sign.charCodeAt(0)] = 27 + i;
  }
  for (let i = 1; i <= 26; i++) classes[64 + i] = classes[96 + i] = i;
  for (let unit = 0; unit < 128; unit++) {
    isOfRun[unit] = classes[unit] > 0 && classes[unit] < 29 ? 1 : 0;
  }
  for (let rule = 0; rule < assigned; rule++) {
    for (const hint of redactRules[rule].hints) addHint(hint, rule);
  }
  for (const word of secretWords) addHint(word, assigned);
  for (const word of shortWords) addHint(word, assigned, word.length - 2);
}

function addHint(text: string, rule: number, skip = 0): void {
  let gram = 0;
  for (let i = 0; i < 3; i++) gram = (gram << 5) | classes[text.charCodeAt(i)];
  if (begun[gram] === 0) listBegun[gram] = hintsBegun.length;
  begun[gram] = 1;
  const list = listBegun[gram];
  (hintsBegun[list] ??= []).push({ text, rule, skip });
  nexts[list] |= text.length > 3 ? 1 << classes[text.charCodeAt(3)] : -1;
}

function findSecrets(text: string): Finding[] {
  if (text.length < minSecretChars) return none;
  if (hintsBegun.length === 1) prepare();
  const units = unitsOf(text);
  let search: Search | undefined;
  let gram = 0;
  for (let i = 0; i < text.length; i++) {
    gram = ((gram << 5) | classes[units[i]]) & 0x7fff;
    if (begun[gram] === 0) continue;
    const list = listBegun[gram];
    if ((nexts[list] >>> classes[units[i + 1]] & 1) === 0) continue;
    const hints = hintsBegun[list];
    for (let k = 0; k < hints.length; k++) {
      if (isAt(hints[k].text, units, i - 2)) follow(search ??= searchOf(text), hints[k], i - 2);
    }
  }
  return findRuns(text, units, search)?.findings ?? none;
}

/** Looks for long runs of letters, digits, `_` and `-`: one in so many characters is inside of each. */
function findRuns(text: string, units: Uint8Array, known?: Search): Search | undefined {
  let search = known;
  let done = 0;
  for (let i = minRunChars - 1; i < text.length; i += minRunChars) {
    if (i < done || !isOfRun[units[i]]) continue;
    let from = i;
    while (from > 0 && isOfRun[units[from - 1]]) from--;
    done = i + 1;
    while (done < text.length && isOfRun[units[done]]) done++;
    if (done - from >= minRunChars) noteAlone(search ??= searchOf(text), from, done);
  }
  return search;
}

const isOfRun = new Uint8Array(256);

/** The first part of each character of a text, with 128 for all that are not of ASCII; then a 0. */
function unitsOf(text: string): Uint8Array {
  if (shared.length <= text.length) shared = new Uint8Array(text.length + 1);
  const { read, written } = encoder.encodeInto(text, shared);
  if (read !== written) {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      shared[i] = unit < 128 ? unit : 128;
    }
  }
  shared[text.length] = 0;
  const units = shared;
  // What one long text needed is not kept.
  if (units.length > keptUnits) shared = new Uint8Array(keptUnits);
  return units;
}

const keptUnits = 1 << 16;
let shared = new Uint8Array(keptUnits);
const encoder = new TextEncoder();

function searchOf(text: string): Search {
  const tries = { end: -1, count: 0 };
  return { text, findings: [], done: new Map(), tries, words: [], passed: 0, dataEnd: 0 };
}

function noteAlone(search: Search, from: number, to: number): void {
  if (from < search.dataEnd) return;
  const { text, words } = search;
  while (words[search.passed] < from) search.passed++;
  const found = findAlone({ text, from, to, lastWord: words[search.passed - 1] ?? -Infinity });
  if (found === undefined) return;
  const { start, end, isData } = found;
  if (isData) search.dataEnd = end;
  else search.findings.push({ start, end, rule: alone });
}

const none: Finding[] = [];

/** What was found in a text so far, and up to where each rule has looked. */
interface Search {
  text: string;
  findings: Finding[];
  done: Map<number, number>;
  tries: Tries;
  /** Where secret words stand, and how many of them were passed by. */
  words: number[];
  passed: number;
  /** Where data ends that is too long for a secret. */
  dataEnd: number;
}

/** Whether a hint is at a place, in any case. */
function isAt(hint: string, units: Uint8Array, at: number): boolean {
  // From its end: beginnings are more alike.
  for (let i = hint.length - 1; i >= 0; i--) {
    const unit = units[at + i];
    const lower = unit >= 65 && unit <= 90 ? unit + 32 : unit;
    if (lower !== hint.charCodeAt(i)) return false;
  }
  return true;
}

/** Tries the rule of a hint where the hint is, or once on the whole text. */
function follow(search: Search, { text: word, rule, skip }: Hint, at: number): void {
  const { text, findings, done } = search;
  if (rule === assigned) search.words.push(at);
  if (at < (done.get(rule) ?? 0)) return;
  if (rule === assigned) {
    const found = findAssigned(text, at + skip, word.slice(skip), search.tries);
    if (found === undefined) return;
    findings.push({ ...found, rule });
    done.set(rule, found.end);
  } else if (redactRules[rule].find !== undefined) {
    for (const found of redactRules[rule].find(text, at)) {
      findings.push({ ...found, rule });
      done.set(rule, found.end);
    }
  } else if (redactRules[rule].floats > 0) {
    // Around the hint: hints that are near have the same look around them.
    const from = Math.max(0, at - maxBefore);
    const part = text.slice(from, at + 2 * redactRules[rule].floats);
    done.set(rule, at + redactRules[rule].floats);
    for (const match of part.matchAll(patternOf(rule))) note(match, rule, findings, from);
  } else {
    const pattern = patternOf(rule);
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return;
    done.set(rule, at + match[0].length);
    note(match, rule, findings, 0);
  }
}

/** How much of a match may come before its hint. */
const maxBefore = 200;

const patterns: RegExp[] = [];

/** A rule's pattern, compiled when it is first needed. */
function patternOf(rule: number): RegExp {
  const known = patterns[rule];
  if (known !== undefined) return known;
  const { source, flags, floats } = redactRules[rule];
  return patterns[rule] = new RegExp(
    source.replaceAll("§", assignment),
    flags + (floats > 0 ? "g" : "y"),
  );
}

function note(match: RegExpExecArray, rule: number, findings: Finding[], from: number): void {
  const secret = secretOf(match, redactRules[rule]);
  if (!redactRules[rule].accept(secret, match[0])) return;
  const start = from + match.index + match[0].lastIndexOf(secret);
  findings.push({ start, end: start + secret.length, rule });
}

/** The longest group; groups that are less than half of a token are only parts of it. */
function secretOf(match: RegExpExecArray, { source }: RedactRule): string {
  let secret = "";
  for (let i = 1; i < match.length; i++) {
    if ((match[i] ?? "").length > secret.length) secret = match[i];
  }
  const isPart = secret.length < match[0].length / 2 && /\)\{3\}/.test(source);
  return secret === "" || isPart ? match[0] : secret;
}

/** Redacts every string inside a JSON value; a row's own id, times and kinds are left alone. */
export function redactValue<T>(value: T): Redacted<T> {
  let count = 0;
  const clean = (text: string): string => {
    const result = redactText(text);
    count += result.count;
    return result.value;
  };
  const walk = (item: unknown, key?: string): unknown => {
    if (typeof item === "string") {
      if (key === undefined || !isSecretField(key, item)) return clean(item);
      const result = clean(item);
      if (result !== item) return result;
      count++;
      return "[REDACTED:assigned-secret]";
    }
    if (typeof item !== "object" || item === null) return item;
    return Array.isArray(item) ? item.map((part) => walk(part, key)) : walkFields(item, nothing);
  };
  // Clean rows are handed back as they are: copying every one costs more than looking at it.
  const walkFields = (item: object, skipped: ReadonlySet<string>): object => {
    // `{ name: "DB_PASSWORD", value: "…" }`, as in lists of an environment's variables.
    const { name: title } = item as { name?: unknown };
    let fields: [string, unknown][] | undefined;
    Object.keys(item).forEach((name, i) => {
      if (skipped.has(name)) return;
      const part: unknown = Reflect.get(item, name);
      const cleanName = clean(name);
      const known = name === "value" && typeof title === "string" ? title : name;
      const cleanPart = walk(part, known);
      if (cleanName === name && cleanPart === part) return;
      fields ??= Object.entries(item);
      fields[i] = [cleanName, cleanPart];
    });
    return fields === undefined ? item : fromFields(fields);
  };
  const isRow = typeof value === "object" && value !== null && !Array.isArray(value);
  const result = (isRow ? walkFields(value, untouched) : walk(value)) as T;
  return { value: result, count };
}

/** An object of fields, of which several may have the same name now. */
function fromFields(fields: [string, unknown][]): object {
  const names = new Set<string>();
  return Object.fromEntries(fields.map(([name, part]) => {
    let free = name;
    for (let i = 2; names.has(free); i++) free = `${name} (${i})`;
    names.add(free);
    return [free, part];
  }));
}

const nothing: ReadonlySet<string> = new Set();
const untouched: ReadonlySet<string> = new Set(["id", "ts", "role", "type", "session_id", "refs"]);
