// What the user answered in `ctx review` about a line that ctx would remember. An accepted line is
// saved like any other entry. A rejected line, or one for later, is a row that only keeps the line from
// being offered. Pure.

import { type Entry, verdictType } from "../entry.ts";
import { isObject } from "../json.ts";

export type VerdictWord = "accept" | "reject" | "later";

/** An entry's field `verdict`. */
export interface Verdict {
  said: VerdictWord;
  /** For `later`: when the line is offered again. */
  until?: string;
  /** The line as it was offered, if the user changed its wording. */
  line?: string;
}

/** What the line of every such row contains. */
export const verdictNeedle = '"verdict"';

/** The answer that an entry holds; undefined if it does not come from a review. */
export function verdictOf({ verdict, type }: Entry): Verdict | undefined {
  if (!isObject(verdict)) return undefined;
  const { said, until, line } = verdict;
  if (said === "accept" && type !== verdictType) {
    return { said, ...(typeof line === "string" ? { line } : {}) };
  }
  if (type !== verdictType) return undefined;
  if (said === "later" && typeof until === "string") return { said, until };
  return said === "reject" ? { said } : undefined;
}
