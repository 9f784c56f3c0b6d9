// The sentences of a text that say most about a question. Pure; nothing is rephrased.

import { toLine } from "../core/text.ts";
import { termsOf } from "./query.ts";

/** A passage with the share of the question's terms that it holds. */
export interface Passage {
  text: string;
  coverage: number;
}

/** The best passage of a text for a question, at most `maxChars` long; it stands in the text as it is. */
export function bestPassage(text: string, question: string, maxChars = 300): Passage {
  const wanted = termSet(question);
  const pieces = splitSentences(text);
  let best: Passage = { text: "", coverage: -1 };
  for (let i = 0; i < pieces.length; i++) {
    let joined = "";
    for (let j = i; j < Math.min(pieces.length, i + 3); j++) {
      joined += pieces[j];
      const candidate = joined.trim();
      if (candidate === "" || (candidate.length > maxChars && j > i)) break;
      const coverage = shareOf(wanted, termSet(candidate));
      const gain = coverage - best.coverage;
      if (gain > 0.001) best = { text: candidate, coverage };
    }
  }
  if (best.text.length <= maxChars) return { ...best, coverage: Math.max(0, best.coverage) };
  const cut = toLine(best.text, maxChars).replace(/…$/, "").trimEnd();
  return { text: cut, coverage: Math.max(0, best.coverage) };
}

/** The share of some terms that others hold; 0 when there are none. */
export function shareOf(wanted: ReadonlySet<string>, held: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0;
  let hits = 0;
  for (const term of wanted) if (held.has(term)) hits++;
  return hits / wanted.size;
}

/** The terms of a text as the search sees them. */
export function termSet(text: string): Set<string> {
  return new Set(termsOf(text).map(({ term }) => term));
}

function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?。！？][)"'”]?\s)|(?<=\n)/).filter((piece) => piece.trim() !== "");
}
