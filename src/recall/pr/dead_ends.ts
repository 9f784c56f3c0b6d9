// Sentences that tell of something that was tried and did not do, or was taken back. Narrow: requests that
// are rejected and transactions that are rolled back are no dead ends. Pure.

import { toSentences } from "../../core/rows/blocks.ts";

/** A text without its dead ends, and these. */
export interface Parted {
  rest: string;
  deadEnds: string[];
}

/** Parts what did not do from the rest. */
export function partDeadEnds(text: string): Parted {
  const parts = Map.groupBy(toSentences(text), (sentence) => isDeadEnd(sentence));
  return { rest: (parts.get(false) ?? []).join("\n"), deadEnds: parts.get(true) ?? [] };
}

/** Whether a sentence tells of a dead end. */
export function isDeadEnd(sentence: string): boolean {
  return patterns.some((pattern) => pattern.test(sentence));
}

const undone =
  "(?:tried|attempted|reverted|rolled back|backed out|undid|ruled out|rejected|abandoned|discarded)";
const patterns: readonly RegExp[] = [
  new RegExp(`^\\W*${undone}\\b`, "i"),
  new RegExp(`\\b(?:I|we)(?: (?:have|had|first|also|then|briefly|already))? ${undone}\\b`, "i"),
  /\b(?:decided|decide|deciding|advised?) against\b|\bdead[- ]ends?\b|\b(?:gave|given|give) up on\b/i,
  /\b(?:approach|attempt|idea|option|alternative|version|experiment|workaround|way)\b.{0,80}\b(?:failed|fails|did(?:n['’]t| not) (?:work|help|hold)|does(?:n['’]t| not) (?:work|help|hold)|was (?:rejected|reverted|abandoned|dropped|ruled out)|turned out)\b/i,
  /\btried\b.{1,120}\b(?:but|failed|did(?:n['’]t| not)|without success|no luck)\b/i,
  /\b(?:is|was|were|has been|been) (?:ruled out|reverted|abandoned)\b/i,
];
