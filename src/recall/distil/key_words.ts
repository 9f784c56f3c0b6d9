// The words of a text that carry meaning, as the index knows them: folded, stemmed, without stop
// words; and the identifiers in it. Pure.

import { stopWords, tokenize } from "../../index/text/tokenize.ts";

/** The stems of a text, each once. */
export function keyWords(text: string): ReadonlySet<string> {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const words = new Set<string>();
  tokenize(text.slice(0, 4000), (term, kind) => {
    if (kind !== "whole" && term.length > 1 && !stopWords.has(term) && !everyday.has(term)) {
      words.add(term);
    }
  });
  if (cache.size >= maxCached) cache.clear();
  cache.set(text, words);
  return words;
}

/** The same few texts are compared with each other again and again. */
const cache = new Map<string, ReadonlySet<string>>();
const maxCached = 4000;

/** Words of talk with an agent that say nothing about the subject. */
const everyday: ReadonlySet<string> = new Set(
  `pleas want need like make sure just now let us use also go get can could would should thing
  thank ok okay ye yes no one new good great perfect done look see`.split(/\s+/),
);

/** How many of some words another text has too, as a share of them. */
export function shareOf(words: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (words.size === 0) return 0;
  let shared = 0;
  for (const word of words) if (other.has(word)) shared++;
  return shared / words.size;
}

const maxSymbols = 12;

/** Identifiers in a text: in backticks, or written as only code is. */
export function findSymbols(text: string): string[] {
  const found = new Set<string>();
  for (const [, quoted] of text.matchAll(/`([^`\n]{2,60})`/g)) {
    if (/^[\w$.#:/@()-]+$/.test(quoted)) found.add(quoted.replace(/\(\)$/, ""));
  }
  for (const [name] of text.matchAll(codeName)) found.add(name);
  return [...found].slice(0, maxSymbols);
}

const codeName =
  /\b(?:[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9_]+)\b/g;
