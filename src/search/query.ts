// The query language, kept small and without traps: words, "a phrase" (ranks first), +"a phrase" (must
// occur), NOT word, NOT "a phrase", field:value. Everything else is words: flags (`claude -p`), code,
// URLs, fields that nobody knows, quotes that do not close. Pure.

import type { Entry } from "../core/entry.ts";
import { contentOf } from "../core/rows/tool_content.ts";
import { filterFields } from "../index/segment/keyword.ts";
import { fold, normalize } from "../index/text/fold.ts";
import type { QueryTerm } from "./rank/plan_terms.ts";
import type { AskedTimes } from "./rank/rank.ts";
import { termsOf } from "./rank/terms_of.ts";
import { scopes } from "./request.ts";

export interface Query {
  /** Rows that hold one of these rank first. */
  phrases: string[];
  /** Rows must hold all of these. */
  required: string[];
  excluded: Excluded[];
  filters: { field: QueryField; value: string; not?: true }[];
  /** The words to search for. */
  text: string;
  /** What was read in another way than somebody might expect. */
  notes: string[];
  /** The times that its words speak of, if they do. */
  times?: AskedTimes;
}

/** What rows must not have: all terms of a word, or a phrase, whose terms tell where to look for it. */
export interface Excluded {
  terms: string[];
  phrase?: string;
}

/** The fields that `field:value` may name. */
export const queryFields = [...filterFields, "since", "until", "scope"] as const;
/** One of `queryFields`. */
export type QueryField = typeof queryFields[number];

/** Longer queries are cut: the rest cannot change a ranking by a handful of rare terms. */
export const maxQueryChars = 10_000;
const maxTerms = 256;
/** Fewer than a ranking keeps: a corrected spelling may have more terms. */
const maxRanked = 24;

/** What may be more than a word. */
const special = /[":-]|NOT/;
const item = /(NOT\s+)?([+-]?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g;

/** Parses what a user or an agent typed. */
export function parseQuery(input: string): Query {
  const text = input.slice(0, maxQueryChars);
  // Most questions: nothing to take apart, and the pattern takes long to compile.
  if (!special.test(text)) return plainQuery(text);
  const query: Query = { ...plainQuery(""), notes: [] };
  const words: string[] = [];
  const items = [...text.matchAll(item)];
  for (const [i, [whole, negation, sign, name, quoted, bare]] of items.entries()) {
    const field = name === undefined ? undefined : findField(name, quoted ?? bare);
    const isQuoted = quoted !== undefined && (name === undefined || field !== undefined);
    const value = isQuoted || field !== undefined ? quoted ?? bare : whole.slice(negation?.length);
    const before = items[i - 1]?.[0] ?? "";
    const isNegated = negation !== undefined && sign === "" &&
      (isQuoted || field !== undefined || isNegation(before, value));
    const hasWords = isQuoted ? toPhraseText(value).trim() !== "" : wordsOf(value).length > 0;
    if (field !== undefined && sign === "" && (negation === undefined || isNegated)) {
      query.filters.push({ field, value, ...(isNegated ? { not: true } : {}) });
    } else if (hasWords && field === undefined && (isNegated || (isQuoted && sign === "-"))) {
      const terms = wordsOf(value);
      query.excluded.push(isQuoted && terms.length !== 1 ? { terms, phrase: value } : { terms });
    } else if (isQuoted && field === undefined) {
      if (hasWords) query[sign === "+" ? "required" : "phrases"].push(value);
      words.push(negation ?? "", value);
    } else {
      if (negation !== undefined && isCapitals(value) && !isCapitals(before)) {
        query.notes.push(`"NOT ${value}" is searched as words; to exclude it: NOT "${value}"`);
      }
      words.push(whole);
    }
  }
  query.text = plainText(words.join(" "));
  if (query.excluded.length > 0 && wordsOf(query.text).length === 0) {
    // "NOT implemented" alone is no wish to see everything else.
    return { ...plainQuery(text), notes: ["NOT needs something to search for: searched as words"] };
  }
  const last = words.at(-1) ?? "";
  if (words.length > 1 && /^-\w{3,}$/.test(last)) {
    query.notes.push(`"${last}" is searched as a word; to exclude it: NOT ${last.slice(1)}`);
  }
  return query;
}

/**
 * Whether a ranking looks up every word of a query. It does not look up words that are excluded or are
 * the value of a filter, and of many terms it keeps only those that entries have.
 */
export function ranksAllWords(input: string): boolean {
  if (input.length > maxQueryChars || input.includes(':"')) return false;
  const { excluded, text } = parseQuery(input);
  return excluded.length === 0 && termsOf(text).length <= maxRanked;
}

function plainQuery(text: string): Query {
  const none = { phrases: [], required: [], excluded: [], filters: [], notes: [] };
  return { ...none, text: plainText(text) };
}

function plainText(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(" ");
}

/** A field that is meant as one: `file:///etc/hosts`, `scope:global` and `tag:"` are words. */
function findField(name: string, value: string): QueryField | undefined {
  if (value === "" || value.startsWith("//") || value.startsWith('"')) return undefined;
  if (name === "scope" && !scopes.some((scope) => scope === value)) return undefined;
  return queryFields.find((known) => known === name);
}

/**
 * Whether NOT is meant to exclude. In "did NOT work" it stresses, and in text all in capitals (`IS NOT
 * NULL`, `404 NOT FOUND`) it is a word like the others; before quotes it always excludes.
 */
function isNegation(before: string, value: string): boolean {
  return /^[\p{L}\p{N}_]/u.test(value) && !isCapitals(value) && !stressed.test(before);
}

function isCapitals(word: string): boolean {
  return /^[A-Z\d_]{2,}\W*$/.test(word);
}

const stressed =
  /^(?:am|are|be|been|can|could|did|do|does|had|has|have|i|if|is|it|may|might|must|please|shall|should|that|they|this|to|was|we|were|why|will|would|you)$/;

/** The terms by which rows are found that may have a text: identifiers by their parts. */
export function wordsOf(text: string): string[] {
  return termsOf(text).filter(({ kind }) => kind === "word").map(({ term }) => term);
}

/** The terms of a query as texts, for Orama: a name kept whole is marked with `=`. */
export function toTokens(text: string): string[] {
  const terms = termsOf(text).slice(0, maxTerms);
  return terms.map(({ term, kind }) => kind === "whole" ? `=${term}` : term);
}

export function toTerm(token: string): QueryTerm {
  return token.startsWith("=")
    ? { term: token.slice(1), kind: "whole" }
    : { term: token, kind: "word" };
}

/** Text as phrases are compared: folded, with one space for everything between words. */
export function toPhraseText(text: string): string {
  return ` ${fold(normalize(text)).replace(/[^\p{L}\p{N}\p{M}]+/gu, " ").trim()} `;
}

/** Counts how many of some phrases an entry holds, each in one of its fields. */
export function makePhraseCount(phrases: readonly string[]): (entry: Entry) => number {
  return (entry) => {
    const { text, title = "", summary = "", files = [], tags = [] } = entry;
    const texts = [text, title, summary, ...files, ...tags, contentOf(entry)].map(toPhraseText);
    return phrases.filter((phrase) => texts.some((field) => holdsPhrase(field, phrase))).length;
  };
}

/** Whether a text, already made comparable, holds a phrase. Unspaced scripts have no word borders. */
export function holdsPhrase(text: string, phrase: string): boolean {
  const wanted = toPhraseText(phrase);
  if (wanted.trim() === "") return true;
  return text.includes(isUnspaced(wanted) ? wanted.trim() : wanted);
}

/** In functions, because the classes of Unicode take a millisecond where they are made. */
function isUnspaced(text: string): boolean {
  return /^[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+$/u
    .test(text);
}
