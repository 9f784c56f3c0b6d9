// The query language, kept small: words, "a phrase", -word at the end, field:value. Pure. What is no known
// field is words: `error: foo` and `https://…` must not fail.

import type { Entry } from "../core/entry.ts";
import { contentOf } from "../core/rows/tool_content.ts";
import { filterFields } from "../index/segment/keyword.ts";
import { fold, normalize } from "../index/text/fold.ts";
import { type TermKind, tokenize } from "../index/text/tokenize.ts";
import type { QueryTerm } from "./rank/plan_terms.ts";
import type { AskedTimes } from "./rank/rank.ts";

/** A query in parts. */
export interface Query {
  phrases: string[];
  excluded: string[][];
  filters: { field: QueryField; value: string }[];
  /** The words to search for. */
  text: string;
  /** The times that its words speak of, if they do. */
  times?: AskedTimes;
}

/** The fields that `field:value` may name. */
export const queryFields = [...filterFields, "since", "until", "scope"] as const;
/** One of `queryFields`. */
export type QueryField = typeof queryFields[number];

/** Longer queries are cut: the rest cannot change a ranking by a handful of rare terms. */
export const maxQueryChars = 10_000;
const maxTerms = 256;

/** What may be more than a word. */
const special = /[":-]/;
const item = /(-?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g;

/** Parses what a user or an agent typed. */
export function parseQuery(input: string): Query {
  const query: Query = { phrases: [], excluded: [], filters: [], text: "" };
  const words: string[] = [];
  if (!special.test(input)) {
    // Most questions: nothing to take apart, and the pattern below takes long to compile.
    query.text = input.slice(0, maxQueryChars).split(/\s+/).filter(Boolean).join(" ");
    return query;
  }
  const items = [...input.slice(0, maxQueryChars).matchAll(item)];
  const lastWord = items.findLastIndex(([, minus, name, , bare]) =>
    minus === "" && name === undefined && bare !== undefined
  );
  for (const [i, match] of items.entries()) {
    const [whole, minus, name, quoted, bare] = match;
    const value = quoted ?? bare;
    const field = queryFields.find((known) => known === name);
    if (field !== undefined && value !== "" && minus === "") {
      query.filters.push({ field, value });
    } else if (
      minus !== "" && name === undefined && value !== "" &&
      (quoted !== undefined || (i > lastWord && i > 0 && isExcluded(value)))
    ) {
      query.excluded.push(termsOf(value).map(({ term }) => term));
    } else if (quoted !== undefined && name === undefined) {
      if (quoted.trim() !== "") query.phrases.push(quoted);
      words.push(quoted);
    } else {
      words.push(whole);
    }
  }
  query.excluded = query.excluded.filter((terms) => terms.length > 0);
  query.text = words.join(" ");
  return query;
}

/** The distinct terms of a text, in order of first appearance. */
export function termsOf(text: string): QueryTerm[] {
  const found = new Map<string, TermKind>();
  tokenize(text, (term, kind) => {
    if (kind !== "character" && found.get(term) !== "word") found.set(term, kind);
  });
  return [...found].map(([term, kind]) => ({ term, kind }));
}

/** The terms of a query as texts, for Orama: a name kept whole is marked with `=`. */
export function toTokens(text: string): string[] {
  const terms = termsOf(text).slice(0, maxTerms);
  return terms.map(({ term, kind }) => kind === "whole" ? `=${term}` : term);
}

/** The term that a token stands for. */
export function toTerm(token: string): QueryTerm {
  return token.startsWith("=")
    ? { term: token.slice(1), kind: "whole" }
    : { term: token, kind: "word" };
}

/** Text as phrases are compared: folded, with one space for everything between words. */
export function toPhraseText(text: string): string {
  return ` ${fold(normalize(text)).replace(/[^\p{L}\p{N}\p{M}]+/gu, " ").trim()} `;
}

/** Whether an entry holds every phrase in one of its fields; undefined when there are no phrases. */
export function makePhraseTest(phrases: string[]): ((entry: Entry) => boolean) | undefined {
  if (phrases.length === 0) return undefined;
  return (entry) => {
    const { text, title = "", summary = "", files = [], tags = [] } = entry;
    const texts = [text, title, summary, ...files, ...tags, contentOf(entry)].map(toPhraseText);
    return phrases.every((phrase) => texts.some((field) => holdsPhrase(field, phrase)));
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

/**
 * Whether a word after a dash is meant to be absent. In the midst of words it is a flag (`claude -p
 * allow`, `find -name x`), and so are one or two letters anywhere (`tar -xf`) and what has a value.
 */
function isExcluded(value: string): boolean {
  return /^[\p{L}\p{N}_][^=]*$/u.test(value) && !/^[A-Za-z0-9]{1,2}$/.test(value);
}
