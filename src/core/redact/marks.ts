// The marks that redaction leaves in the place of secrets, found again in stored text. Pure.

/** What every mark begins with: a line of the log without it holds none. */
export const markBeginning = "[REDACTED:";

/** A mark in a text, and the rule it names. */
export interface Mark {
  rule: string;
  start: number;
  end: number;
}

/** The marks of a text, in order. */
export function marksIn(text: string): Mark[] {
  if (!text.includes(markBeginning)) return [];
  return [...text.matchAll(mark)].map(({ 0: { length }, 1: rule, index }) => ({
    rule,
    start: index,
    end: index + length,
  }));
}

const mark = /\[REDACTED:([a-z0-9_.-]{1,64})\]/gi;
