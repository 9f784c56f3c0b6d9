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

/**
 * How many secrets of each rule redaction replaced in a row, from the row before and after: marks that
 * were there before are quoted, unless it was imported, and long texts redacted before they were cut.
 * Undefined where a row holds no mark at all, or where that is not known.
 */
export function madeMarks(
  before: { source?: unknown },
  after: object,
): Record<string, number> | undefined {
  const now = countMarks(after);
  if (now.size === 0) return undefined;
  const quoted = countMarks(before);
  if (quoted.size > 0 && before.source !== undefined) return undefined;
  const made = [...now].map(([rule, count]): [string, number] => {
    return [rule, count - (quoted.get(rule) ?? 0)];
  });
  return Object.fromEntries(made.filter(([, count]) => count > 0));
}

function countMarks(value: unknown, counts = new Map<string, number>()): Map<string, number> {
  if (typeof value === "string") {
    for (const { rule } of marksIn(value)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  } else if (Array.isArray(value)) { for (const item of value) countMarks(item, counts); }
  else if (typeof value === "object" && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      countMarks(name, counts);
      countMarks(part, counts);
    }
  }
  return counts;
}

const mark = /\[REDACTED:([a-z0-9_.-]{1,64})\]/gi;
