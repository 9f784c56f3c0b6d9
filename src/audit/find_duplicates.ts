// Rules that are said twice: in the same words, or nearly. Only what one agent reads in one session
// counts: the same rule in CLAUDE.md and AGENTS.md is for two agents.

import { plain } from "../intake/agent_files/cut_rules.ts";
import { keyWords, shareOf } from "../recall/distil/key_words.ts";
import { forbids } from "./find_contradictions.ts";
import {
  areReadTogether,
  type AuditScope,
  type CutFile,
  type Finding,
  findingOf,
  isSpoken,
} from "./finding.ts";
import { areParallel, type Place, placesOf } from "./rule_places.ts";
import type { Rule } from "../intake/agent_files/cut_rules.ts";

interface Said {
  file: CutFile;
  rule: Rule;
  place: Place;
  /** Its words without what only introduces it. */
  text: string;
  words: ReadonlySet<string>;
}

/** Fewer words say too little to be a rule said twice. */
const minWords = 4;

/** Finds rules that an earlier one says already. */
export function findDuplicates({ files }: AuditScope): Finding[] {
  const findings: Finding[] = [];
  const byWord = new Map<string, Said[]>();
  for (const file of files) {
    const places = placesOf(file);
    for (const [at, rule] of file.rules.entries()) {
      if (!isSpoken(rule)) continue;
      const text = plain(rule.text).replace(introduction, "");
      const words = keyWords(text);
      if (words.size < minWords || /:$/.test(text)) continue;
      const said = { file, rule, place: places[at], text, words };
      const rare = [...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, 3);
      const near = new Set(rare.flatMap((word) => byWord.get(word) ?? []));
      const first = [...near].find((one) => areReadTogether(one.file, file) && isSame(one, said));
      if (first === undefined) {
        for (const word of words) byWord.set(word, [...byWord.get(word) ?? [], said]);
        continue;
      }
      const where = `${first.file.name}:${first.rule.line}`;
      const isExact = bare(first.text) === bare(text);
      findings.push(findingOf(file, rule, {
        kind: "duplicate",
        evidence: isExact
          ? `the same words as ${where}`
          : `says the same as ${where}: ${first.text}`,
        proposal: `remove it; ${where} says it`,
        isUnsure: !isProven(first, said),
        // What is only nearly the same may be about another case: that is for the user to decide.
        ...(isExact && !rule.hasChildren ? { edit: { lines: [] } } : {}),
      }));
    }
  }
  return findings;
}

/**
 * Whether two rules are for the same: items of their own in one file, with the same options. A summary
 * and its details, the parts of two items and the points of two checklists repeat each other on purpose.
 */
function isProven(one: Said, other: Said): boolean {
  const flags = ({ text }: Said): string => (text.match(/--?[a-z][\w-]*/g) ?? []).join(" ");
  if (one.file !== other.file || flags(one) !== flags(other)) return false;
  return (one.place.isStep && other.place.isStep) || (isOwnItem(one) && isOwnItem(other));
}

function isOwnItem({ file, rule }: Said): boolean {
  return /^[-*+] (?!\[[ xX]\])/.test(file.text.split("\n", rule.line)[rule.line - 1] ?? "");
}

const introduction = /^(?:(?:please note|please|note|important|remember|always)\b[:,]?\s*)+/i;

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/**
 * Whether two rules share nine of ten words that carry meaning, in the same order, or one has all of the
 * other's and hardly any more; with the same numbers and names. Lists that are built alike, and the
 * steps of two procedures, repeat lines on purpose.
 */
function isSame(one: Said, other: Said): boolean {
  if (areParallel(one.place, other.place)) return false;
  // "**Access**: admins only" is about what its section is about.
  if (one.place.section !== other.place.section && labelled.test(one.rule.text)) return false;
  if (ended(one.text) === ended(other.text)) return true;
  if (one.place.isStep !== other.place.isStep) return false;
  if (namesOf(one.text) !== namesOf(other.text)) return false;
  if (actionOf(one.text) !== actionOf(other.text) || !areOrdered(one, other)) return false;
  const shares = [shareOf(one.words, other.words), shareOf(other.words, one.words)];
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  if (least < 0.9 && (least < 0.8 || most < 1 || !isInOrder(one.text, other.text))) return false;
  return !forbids(one.text, other.text) && !forbids(other.text, one.text);
}

const labelled = /^(?:\*\*|__)[^*_]{1,40}(?::(?:\*\*|__)|(?:\*\*|__):)/;

/** A text without the sign at its end. */
function ended(text: string): string {
  return text.replace(/[.;!]+$/, "");
}

/** What a rule tells to do with its object: to create a thing is not to say where such things are. */
function actionOf(text: string): string | undefined {
  return /^(?:creat|add|updat|remov|delet|check|verif|run|mov|renam|regist|defin|implement|install)/i
    .exec(text)?.[0].toLowerCase();
}

/** Whether the words that both have, apart from names, are enough and come in the same order. */
function areOrdered(one: Said, other: Said): boolean {
  const bothHave = (a: Said, b: Said): string[] => [...a.words].filter((word) => b.words.has(word));
  const [a, b] = [bothHave(one, other), bothHave(other, one)];
  const names = keyWords(namesOf(one.text));
  if (a.filter((word) => !names.has(word)).length < minShared) return false;
  const moved = a.filter((word, at) => b[at] !== word).length;
  return moved <= maxMoved * a.length;
}

/** Fewer words beside names say too little of what is meant. */
const minShared = 2;
/** A word that stands elsewhere moves those between, too. */
const maxMoved = 0.34;

/** Whether nearly all words of the shorter text are in the other in the same order. */
function isInOrder(one: string, other: string): boolean {
  const split = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const [short, long] = [split(one), split(other)].sort((a, b) => a.length - b.length);
  let from = 0;
  let found = 0;
  for (const word of short) {
    const at = long.indexOf(word, from);
    if (at < 0) continue;
    found++;
    from = at + 1;
  }
  return short.length >= minOrdered && found >= 0.85 * short.length;
}

/** In fewer words, one more changes too much. */
const minOrdered = 7;

/** Numbers, and names as code has them: lines that differ in one are about different things. */
function namesOf(text: string): string {
  const names = text.match(/\d+(?:\.\d+)*|[\w-]*(?:[._/][\w-]+)+|\b\w+[A-Z]\w*/g) ?? [];
  return names.sort().join(" ");
}
