// Finds the secrets of a text: one walk over it looks for the hints of all rules, and for places
// where a random string may begin. Only rules whose hint is there are tried, and only where it is.

import { assignment } from "./gitleaks_rules.ts";
import { aloneHints, findAlone, maxLead, maxNameLead, minRunChars } from "./redact_alone.ts";
import { findAssigned, type Tries } from "./redact_assigned.ts";
import type { RedactRule } from "./redact_rule.ts";
import { redactRules } from "./redact_rules.ts";
import { secretWords, shortWords } from "./secret_names.ts";

/** A secret's place in a text, and which rule found it; the lower, the more specific. */
export interface Finding {
  start: number;
  end: number;
  rule: number;
}

/** Nothing shorter is a secret with the words that tell it. */
const minSecretChars = 8;

/** The numbers of secrets that their name tells, and of random strings: after all rules. */
const assigned = redactRules.length;
const alone = assigned + 1;

export function nameOf(rule: number): string {
  if (rule === alone) return "unknown-token";
  return rule === assigned ? "assigned-secret" : redactRules[rule].name;
}

/** Whether a mark with this name can be one that redaction made. */
export function isRuleName(name: string): boolean {
  return name === nameOf(assigned) || name === nameOf(alone) ||
    redactRules.some((rule) => rule.name === name);
}

/** A hint and whose it is; where it is more than a secret word, how much comes before that. */
interface Hint {
  text: string;
  rule: number;
  skip: number;
  /** The class of its fourth character, if it has one. */
  fourth: number;
  /** Its last character, small and capital letters alike, and how far that is from the third. */
  last: number;
  tail: number;
  /** A first look of its rule, if that has one. */
  probe: RedactRule["probe"];
}

/**
 * Hints by their first three characters, five bits each: letters in any case, digits alike, a few
 * kinds of signs. The table of where there are any is small enough to stay in the fastest cache:
 * imports redact gigabytes, and almost all of it is clean.
 */
const hinted = 1;
const parted = 2;
const begun = new Uint8Array(1 << 15);
const listBegun = new Uint16Array(1 << 15);
const hintsBegun: Hint[][] = [[]];
/** For each of those lists, the classes of the fourth characters, a bit each. */
const nexts = new Int32Array(1 << 10);
/** Other characters count as one of these 128: where a hint may be, it is compared in full. */
const classes = new Uint8Array(128);

/** Fills the tables in, before the first text is looked at. */
function prepare(): void {
  for (const [i, signs] of ["0123456789", "_-", "./:", "=~$", " "].entries()) {
    for (const sign of signs) classes[sign.charCodeAt(0)] = 27 + i;
  }
  for (let i = 1; i <= 26; i++) classes[64 + i] = classes[96 + i] = i;
  for (let rule = 0; rule < assigned; rule++) {
    for (const hint of redactRules[rule].hints) addHint(hint, rule);
  }
  // A `_` or `-` after a letter or a digit.
  for (let before = 1; before < 28; before++) {
    for (let first = 0; first < 32; first++) begun[first << 10 | before << 5 | 28] |= parted;
  }
  for (const hint of aloneHints) addHint(hint, alone);
  for (const word of secretWords) addHint(word, assigned);
  for (const word of shortWords) addHint(word, assigned, word.length - 2);
}

function addHint(text: string, rule: number, skip = 0): void {
  let gram = 0;
  for (let i = 0; i < 3; i++) gram = (gram << 5) | classes[text.charCodeAt(i) & 127];
  const tail = text.length - 3;
  const fourth = tail > 0 ? classes[text.charCodeAt(3) & 127] : -1;
  const last = text.charCodeAt(tail + 2) | 32;
  const probe = rule < assigned ? redactRules[rule].probe : undefined;
  const hint = { text, rule, skip, fourth, last, tail, probe };
  if (listBegun[gram] === 0) listBegun[gram] = hintsBegun.push([hint]) - 1;
  else hintsBegun[listBegun[gram]].push(hint);
  begun[gram] |= hinted;
  nexts[listBegun[gram]] |= fourth < 0 ? -1 : 1 << fourth;
}

/** The secrets of a text, in no order; some may overlap. */
export function findSecrets(text: string): Finding[] {
  if (text.length < minSecretChars) return none;
  if (hintsBegun.length === 1) prepare();
  let search: Search | undefined;
  let gram = 0;
  let looked = 0;
  for (let i = 0; i < text.length; i++) {
    gram = ((gram << 5) | classes[text.charCodeAt(i) & 127]) & 0x7fff;
    const here = begun[gram];
    if (here === 0) continue;
    if ((here & hinted) !== 0) {
      const list = listBegun[gram];
      const next = classes[text.charCodeAt(i + 1) & 127];
      if ((nexts[list] >>> next & 1) !== 0) {
        const hints = hintsBegun[list];
        for (let k = 0; k < hints.length; k++) {
          const hint = hints[k];
          if (hint.fourth !== next && hint.fourth >= 0) continue;
          if ((text.charCodeAt(i + hint.tail) | 32) !== hint.last) continue;
          if (!isAt(hint.text, text, i - 2)) continue;
          if (hint.probe?.(text, i - 2) === false) continue;
          follow(search ??= searchOf(text), hint, i - 2);
        }
      }
    }
    if (here >= parted && i >= looked && isBefore(text, i)) {
      look(search ??= searchOf(text), i, i + 1);
      looked = search.looked;
    }
  }
  return search?.findings ?? none;
}

/** Whether a long run of letters and digits may go on after the `_` or `-` at a place. */
function isBefore(text: string, at: number): boolean {
  return isPlain(text.charCodeAt(at + minRunChars)) && isPlain(text.charCodeAt(at + 5)) &&
    isPlain(text.charCodeAt(at + 9)) && isPlain(text.charCodeAt(at + 12));
}

/** Letters and digits. */
function isPlain(unit: number): boolean {
  return unit < 128 && classes[unit] - 1 >>> 0 < 27;
}

/** Judges the long runs that begin in a part of the text: one in so many characters is in each. */
function look(search: Search, begin: number, end: number): void {
  const { text } = search;
  for (let i = Math.max(begin, search.looked); i < end + minRunChars; i += minRunChars) {
    if (i < search.looked || !isOfRun(text.charCodeAt(i))) continue;
    let from = i;
    while (from > 0 && isOfRun(text.charCodeAt(from - 1))) from--;
    search.looked = i + 1;
    while (isOfRun(text.charCodeAt(search.looked))) search.looked++;
    if (search.looked - from >= minRunChars) noteAlone(search, from, search.looked);
  }
  search.looked = Math.max(search.looked, end);
}

/** A space, a newline or one of `)*,:;|`. */
function isGap(unit: number): boolean {
  return unit <= 32 || unit === 41 || unit === 42 || unit === 44 || unit === 58 || unit === 59 ||
    unit === 124 || unit === 92;
}

/** Letters, digits, `_` and `-`: the first classes. */
function isOfRun(unit: number): boolean {
  return unit < 128 && classes[unit] - 1 >>> 0 < 28;
}

function searchOf(text: string): Search {
  const tries = { end: -1, count: 0 };
  return { text, findings: [], done: new Map(), tries, lastWord: -Infinity, looked: 0 };
}

function noteAlone(search: Search, from: number, to: number): void {
  const { text, lastWord } = search;
  const found = findAlone({ text, from, to, lastWord });
  if (found === undefined) return;
  const { start, end, isData } = found;
  if (isData) search.looked = end;
  else search.findings.push({ start, end, rule: alone });
}

const none: Finding[] = [];

/** What was found in a text so far, and up to where each rule has looked. */
interface Search {
  text: string;
  findings: Finding[];
  done: Map<number, number>;
  tries: Tries;
  /** Where the last secret word stood, and up to where random strings were looked for. */
  lastWord: number;
  looked: number;
}

/** Whether a hint is at a place, in any case. */
function isAt(hint: string, text: string, at: number): boolean {
  // From its end: beginnings are more alike.
  for (let i = hint.length - 1; i >= 0; i--) {
    const unit = text.charCodeAt(at + i);
    const lower = unit >= 65 && unit <= 90 ? unit + 32 : unit;
    if (lower !== hint.charCodeAt(i)) return false;
  }
  return true;
}

/** Tries the rule of a hint where the hint is, or around it. */
function follow(search: Search, { text: word, rule, skip }: Hint, at: number): void {
  const { text, findings, done } = search;
  if (rule === alone) return look(search, at, at + maxNameLead);
  if (rule === assigned) {
    search.lastWord = at;
    // A name that is given a value is read below; here is what prose may say.
    const end = at + word.length;
    if (isGap(text.charCodeAt(end))) look(search, end, at + maxLead);
    else if (word === "key") look(search, end, at + maxNameLead);
  }
  if (done.size > 0 && at < (done.get(rule) ?? 0)) return;
  if (rule === assigned) {
    const found = findAssigned(text, at + skip, word.slice(skip), search.tries);
    if (found === undefined) return;
    findings.push({ ...found, rule });
    done.set(rule, found.end);
    return;
  }
  const { find, floats } = redactRules[rule];
  if (find !== undefined) {
    for (const found of find(text, at)) {
      findings.push({ ...found, rule });
      done.set(rule, found.end);
    }
  } else if (floats > 0) {
    // Around the hint: hints that are near have the same look around them.
    const from = Math.max(0, at - maxBefore);
    const part = text.slice(from, at + 2 * floats);
    done.set(rule, at + floats);
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
