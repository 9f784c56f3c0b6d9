// Rules that cannot both be kept: one asks for what the other forbids, or they choose differently where
// only one choice is possible. Also against what was decided and is in the store. Narrow on purpose: a
// wrong report costs more trust than a missed one.

import { plain, type Rule } from "../intake/agent_files/cut_rules.ts";
import { keyWords, shareOf } from "../recall/distil/key_words.ts";
import {
  areReadTogether,
  type AuditScope,
  type CutFile,
  type Finding,
  findingOf,
  isSpoken,
} from "./finding.ts";

export interface Decided {
  id: string;
  ts: string;
  text: string;
}

interface Said {
  file: CutFile;
  rule: Rule;
  text: string;
  words: ReadonlySet<string>;
  choices: Map<number, Choice>;
  /** The languages and parts of a project that it is about, by its words or else its headings. */
  scopes: ReadonlySet<string>;
}

/** What a rule says of things of which a project has one. */
interface Choice {
  wanted: Set<string>;
  refused: Set<string>;
}

/** Longer texts are about more than one thing. */
const maxChars = 240;

/** Finds rules that a rule before them, or something decided, contradicts. */
export function findContradictions(
  { files }: AuditScope,
  decided: readonly Decided[] = [],
): Finding[] {
  const said = files.flatMap((file) =>
    file.rules.filter(isSpoken).flatMap((rule) => {
      const text = plain(rule.text);
      const words = keyWords(text);
      if (text.length > maxChars || words.size === 0 || isExample(rule)) return [];
      return [{ file, rule, text, words, choices: choicesIn(text), scopes: scopesOf(rule, text) }];
    })
  );
  const findings: Finding[] = [];
  for (const [at, one] of said.entries()) {
    const other = said.slice(0, at).find((earlier) =>
      areReadTogether(earlier.file, one.file) && areOpposed(earlier, one)
    );
    if (other !== undefined) {
      const where = `${other.file.name}:${other.rule.line}`;
      findings.push(findingOf(one.file, one.rule, {
        kind: "contradiction",
        evidence: `${where} says the opposite: ${other.text}`,
        proposal: `keep one of the two: this line or ${where}`,
      }));
      continue;
    }
    const record = decided.find(({ text }) => areOpposed(toSaid(text), one));
    if (record === undefined) continue;
    findings.push(findingOf(one.file, one.rule, {
      kind: "contradiction",
      evidence: `${record.id} of ${record.ts.slice(0, 10)} says the opposite: ${record.text}`,
      proposal: `change the line, or correct the record: ctx save TEXT --supersedes ${record.id}`,
    }));
  }
  return findings;
}

type Rulings = Omit<Said, "file" | "rule">;

function toSaid(text: string): Rulings {
  const own = plain(text);
  return { text: own, words: keyWords(own), choices: choicesIn(own), scopes: scopesOf({}, own) };
}

function areOpposed(one: Rulings, other: Rulings): boolean {
  if (areApart(one.scopes, other.scopes)) return false;
  return chooseDifferently(one, other) || forbids(one.text, other.text) ||
    forbids(other.text, one.text);
}

/** Double quotes in HTML and single quotes in JavaScript can both be kept. */
function areApart(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size > 0 && other.size > 0 && one.isDisjointFrom(other);
}

function scopesOf({ headings = [] }: Partial<Rule>, text: string): ReadonlySet<string> {
  const own = keyWords(text).intersection(scopeWords);
  const near = headings.map((one) => keyWords(one).intersection(parts));
  return own.size > 0 ? own : near.findLast(({ size }) => size > 0) ?? own;
}

/** Languages and parts of a project. */
const parts = keyWords(
  `html jsx css scss js javascript typescript json yaml sql markdown python golang rust java kotlin swift
  ruby php dart shell bash frontend backend client server mobile desktop ios android web api`,
);
/** What a rule can be about within one. */
const scopeWords = parts.union(keyWords(
  `tests scripts files folders directories components variables functions methods classes constants
  columns tables routes urls attributes branches docs database production development`,
));

/** Whether one begins with a refusal of the very thing that the other begins with. */
export function forbids(one: string, other: string): boolean {
  const refused = refusing.exec(one)?.[1];
  if (refused === undefined || refusing.test(other)) return false;
  const asked = other.replace(insisting, "");
  const isThing = /^(?:avoid|no)\b/i.test(one);
  const [a, b] = [bare(refused), bare(asked)];
  // "Avoid X" is against "prefer X"; else both begin with what is to be done.
  if (isThing ? !choosing.test(asked) : firstWord(a) !== firstWord(b)) return false;
  const [x, y] = [keyWords(a.replace(choosing, "")), keyWords(b.replace(choosing, ""))];
  if (x.size < 2 || y.size < 2) return false;
  // What is refused only in a case may well be asked for in others.
  return shareOf(x, y) >= 0.8 && shareOf(y, x) >= 0.6;
}

const refusing =
  /^(?:please )?(?:never|do not|don['’]?t|avoid|no|stop|you must not|must not|should not)\s+(.+)/i;
const insisting = /^(?:(?:please|always|you (?:must|should)|must|should)\s+)+/i;
const choosing = /^(?:prefer|use|using|favou?r|allow|allows)\s+/i;

function bare(text: string): string {
  return text.replace(/\b(?:ever|any)\b/gi, " ").trim();
}

function firstWord(text: string): string {
  return (/[\w-]+/.exec(text)?.[0] ?? "").toLowerCase();
}

/** Things of which a project has one: another choice is a contradiction, if both are about the same. */
const families: string[][] = [
  ["npm", "pnpm", "yarn", "bun"],
  ["jest", "vitest", "mocha", "jasmine"],
  ["pip", "uv", "poetry", "pipenv", "conda"],
  ["pytest", "unittest", "nose"],
  ["eslint", "biome", "oxlint"],
  ["black", "ruff", "yapf"],
  ["single quotes", "double quotes"],
  ["tabs", "spaces"],
  ["default exports", "named exports"],
  ["camelcase", "snake_case", "kebab-case", "pascalcase"],
  ["rebase", "merge commits", "squash"],
  ["postgres", "mysql", "sqlite", "mongodb"],
];

const refusal =
  /\b(?:never|not|don['’]?t|avoid|instead of|rather than|no|without|over|stop using)\s+(?:use |using |run |running |the |with |any )*$/i;

function choicesIn(text: string): Map<number, Choice> {
  const low = text.toLowerCase().replaceAll("`", "");
  const found = new Map<number, Choice>();
  for (const [at, names] of families.entries()) {
    const choice: Choice = { wanted: new Set(), refused: new Set() };
    for (const name of names) {
      const place = low.search(new RegExp(`(?<![\\w./-])${name}(?![\\w/-])`));
      if (place < 0) continue;
      (refusal.test(low.slice(0, place)) ? choice.refused : choice.wanted).add(name);
    }
    if (choice.wanted.size + choice.refused.size > 0) found.set(at, choice);
  }
  return found;
}

function chooseDifferently(one: Rulings, other: Rulings): boolean {
  for (const [family, a] of one.choices) {
    const b = other.choices.get(family);
    if (b === undefined) continue;
    const names = new Set(families[family].flatMap((name) => [...keyWords(name)]));
    const rest = (words: ReadonlySet<string>): ReadonlySet<string> =>
      new Set([...words].filter((word) => !names.has(word)));
    const [x, y] = [rest(one.words), rest(other.words)];
    const isSameMatter = Math.min(shareOf(x, y), shareOf(y, x)) >= 0.5 ||
      (x.size <= 1 && y.size <= 1);
    // One refuses what the other wants: a word in common is enough.
    const isRefused = [...a.refused].some((name) => b.wanted.has(name)) ||
      [...b.refused].some((name) => a.wanted.has(name));
    if (isRefused && isRuleLike(one.text) && isRuleLike(other.text)) {
      if (isSameMatter || Math.max(shareOf(x, y), shareOf(y, x)) >= 0.5) return true;
    }
    const isOther = a.wanted.size === 1 && b.wanted.size === 1 &&
      [...a.wanted][0] !== [...b.wanted][0] && a.refused.size + b.refused.size === 0;
    if (isOther && isSameMatter && isRuleLike(one.text) && isRuleLike(other.text)) return true;
  }
  return false;
}

/** Whether a line tells to do something, not what there is. */
function isRuleLike(text: string): boolean {
  return /^(?:always|never|please|only|do not|don['’]?t|use|run|write|prefer|avoid|install|indent|format|name|keep|put|add|commit|must)\b/i
    .test(text);
}

/** What shows how it is not done contradicts nothing. */
function isExample({ headings, text }: Rule): boolean {
  return /^(?:❌|✅|👎|👍|bad|good|wrong|right|incorrect|correct)\b|^(?:❌|✅|👎|👍)/iu.test(
    text,
  ) ||
    headings.some((one) =>
      /\b(?:examples?|anti-?patterns?|don['’]?ts?|do not|never|avoid|bad|wrong|forbidden|prohibited|out of scope|non-goals|mistakes|pitfalls)\b/i
        .test(one)
    );
}
