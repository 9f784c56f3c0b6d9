// What becomes of a rule, and the words that all its forms share. Pure.

import type { GuardCheck, GuardMode } from "../guard_kinds.ts";

export interface CompiledRule {
  check: GuardCheck;
  instead?: string;
  /** The mode that its words ask for: "never … without asking" is a question. */
  mode?: GuardMode;
  except?: string[];
}

/** How a rule forbids. */
export const no = String.raw`(?:never(?: ever)?|do not|don't|dont|no longer|must not|avoid|stop)`;
export const quoted = "[`'\"]([^`'\"]{1,120})[`'\"]";
/** A rule that forbids. */
export const negative = new RegExp(`^${no}\\b`, "i");

/** A word without quotes and punctuation around it. */
export function unquote(word: string): string {
  return word.trim().replace(/^[`'"]+|[`'".,;:\s–—-]+$/g, "");
}

/** Without what is said about it: "npm for installing packages" is about npm. */
export function firstWords(said: string): string {
  return said.replace(
    / (?:for|when|in|to|as|because|since|whenever|anywhere|everywhere|instead)\b.*$/i,
    "",
  )
    .trim();
}

/** A rule without its "unless I ask". */
export function withoutAsking(text: string): string {
  return text.replace(/,? (?:without|unless|before asking)\b.*$/i, "");
}

/** A rule that lets the user decide. */
export const asksFirst =
  /\b(?:without|unless|before)\b.*\b(?:ask|approv|permission|told|request|explicit)/i;
