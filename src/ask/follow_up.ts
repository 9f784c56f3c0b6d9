// A question that goes on from the one before ("and why?") is searched with its subject. Pure.

import { termSet } from "./term_share.ts";

/** What to search for: the question, behind the one that it goes on from. */
export function followUp(question: string, earlier: string | undefined): string {
  if (earlier === undefined) return question;
  const terms = termSet(question).size;
  const isPart = terms === 1 && /\bthe\b/i.test(question);
  // "What about billing?" names another subject: with the one before, its answer would come again.
  const isOther = /^\W*what about\b/i.test(question);
  const goesOn = terms === 0 || terms <= 4 &&
      (points.test(question) || (!isOther && (isPart || begins.test(question))));
  return goesOn ? `${earlier} ${question}` : question;
}

const begins = /^\W*(?:and|but|so|why|how come|what else|since when|else)\b/i;
const points = /\b(?:it|its|that|this|these|those|they|them|their|there|he|she)\b/i;
