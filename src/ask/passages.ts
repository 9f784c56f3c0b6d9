// The sentences of a text that say most about a question. Pure; nothing is rephrased.

import { toLine } from "../core/text.ts";
import { termsOf } from "../search/rank/terms_of.ts";

const maxChars = 300;

/**
 * The best passage of a text for a question, word for word. Headings and the marks of a code block
 * say nothing by themselves and are no part of one.
 */
export function bestPassage(text: string, question: string): string {
  const wanted = termSet(question);
  const pieces = splitPieces(text);
  let best = "";
  let bestCoverage = -1;
  for (let i = 0; i < pieces.length; i++) {
    let joined = "";
    for (let j = i; j < Math.min(pieces.length, i + 3) && pieces[j] !== mark; j++) {
      joined += pieces[j];
      const candidate = joined.trim();
      if (candidate === "" || (candidate.length > maxChars && j > i)) break;
      const coverage = shareOf(wanted, termSet(candidate));
      if (coverage - bestCoverage > 0.001) [best, bestCoverage] = [candidate, coverage];
    }
  }
  return best.length <= maxChars ? best : toLine(best, maxChars).replace(/…$/, "").trimEnd();
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

/** Stands for a line that is no prose: passages end there. */
const mark = "";

function splitPieces(text: string): string[] {
  const lines = text.split(/(?<=\n)/);
  return lines.flatMap((line, i) => {
    if (line.trim() === "") return [];
    const isUnderlined = underline.test(lines[i + 1] ?? "") && !underline.test(line);
    return isUnderlined || markLine.test(line) ? mark : line.split(sentenceEnd);
  });
}

const sentenceEnd = /(?<=[.!?。！？][)"'”]?\s)(?=\S)/;
const underline = /^ {0,3}(?:=+|-{2,})\s*$/;
/** A heading, its underline, or the fence of a code block. */
const markLine = /^ {0,3}(?:#{1,6}(?:\s|$)|=+\s*$|-{2,}\s*$|`{3,}|~{3,})/;
