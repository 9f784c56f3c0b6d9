// The part of a text that shows why it was found: about 300 characters around the best matches.

import { alignToCharacter, toLine } from "../core/text.ts";
import { termsOf } from "./query.ts";

const snippetChars = 300;
const lookedAtChars = 100_000;
const asciiWord = /\w+(?:[-.\/\\:@'+#]\w+)*/g;

const plainWord = /^[a-z]+$/;

/** Cuts the window whose matched terms weigh most; the start of the text when nothing matches. */
export function snippetOf(text: string, termWeights: ReadonlyMap<string, number>): string {
  if (text.length <= snippetChars) return toLine(text, snippetChars + 1);
  const matches = findMatches(text.slice(0, lookedAtChars), termWeights);
  const start = bestStart(matches);
  const from = alignToCharacter(text, Math.max(0, Math.min(start, text.length - snippetChars)));
  const to = alignToCharacter(text, Math.min(text.length, from + snippetChars));
  const line = text.slice(from, to).replace(/\s+/g, " ").trim();
  return (from > 0 ? "…" : "") + line + (to < text.length ? "…" : "");
}

/** Made when a text needs it: the classes of Unicode take more than a millisecond. */
function unicodeWord(): RegExp {
  return /[\p{L}\p{N}\p{M}_]+(?:[-.\/\\:@'’+#][\p{L}\p{N}\p{M}_]+)*/gu;
}

interface Match {
  at: number;
  terms: string[];
  weight: number;
}

function findMatches(text: string, termWeights: ReadonlyMap<string, number>): Match[] {
  const matches: Match[] = [];
  const beginnings = new Set([...termWeights.keys()].map((term) => term.slice(0, 2)));
  const word = /[\u0080-\uffff]/.test(text) ? unicodeWord() : asciiWord;
  for (const found of text.matchAll(word)) {
    // A plain word begins as its stem does; taking every word apart would cost more than the search.
    if (plainWord.test(found[0]) && !beginnings.has(found[0].slice(0, 2))) continue;
    const terms = termsOf(found[0]).map(({ term }) => term).filter((term) => termWeights.has(term));
    if (terms.length === 0) continue;
    const weight = terms.reduce((sum, term) => sum + (termWeights.get(term) ?? 0), 0);
    matches.push({ at: found.index, terms, weight });
  }
  return matches;
}

/** Where the best window starts, with a little room before its first match. */
function bestStart(matches: Match[]): number {
  const room = 40;
  let best = 0;
  let bestWeight = -1;
  for (let i = 0; i < matches.length; i++) {
    const seen = new Set<string>();
    let weight = 0;
    for (
      let j = i;
      j < matches.length && matches[j].at - matches[i].at < snippetChars - room;
      j++
    ) {
      const fresh = matches[j].terms.some((term) => !seen.has(term));
      weight += fresh ? matches[j].weight : matches[j].weight / 10;
      for (const term of matches[j].terms) seen.add(term);
    }
    if (weight > bestWeight) {
      bestWeight = weight;
      best = matches[i].at;
    }
  }
  return Math.max(0, best - room);
}
