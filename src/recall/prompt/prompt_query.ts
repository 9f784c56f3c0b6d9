// What of a prompt is looked for: its words, and the names of files and code in it. Pure.

import { cutRecalled } from "../../core/rows/fence.ts";
import { changeText, isChangePrompt } from "./change_prompt.ts";

const maxPromptChars = 2000;

/** Shares and weights of lines are rounded. */
export const slack = 0.01;

/** One name alone is mentioned for many reasons. */
export const minNames = 2;
/** What is decided about things by their names. */
export const namedTypes = ["decision", "preference", "fix"];

/** Names of files and code in a text, as they are spelled there. */
export function spelledNamesIn(text: string): Set<string> {
  return new Set([...text.matchAll(nameForm)].map(([name]) => name));
}

/** The same in small letters. */
export function namesIn(text: string): Set<string> {
  return new Set([...spelledNamesIn(text)].map((name) => name.toLowerCase()));
}

const nameForm =
  /\b(?:[\w-]+\.(?:[a-z]{1,4}|toml|gitignore)|[a-z][a-z\d]*(?:[A-Z][a-z\d]*)+|[A-Z][a-z\d]+(?:[A-Z][a-z\d]+)+|[A-Za-z]\w*_\w+)\b/g;

/** Whether a title names several things, all of which are among some names. */
export function namesOnly(title: string | undefined, names: ReadonlySet<string>): boolean {
  const own = namesIn(title ?? "");
  return own.size >= minNames && own.isSubsetOf(names);
}

/** A prompt as words to search for: quotes, dashes and colons mean nothing else in it. */
export function toQuery(prompt: string): string {
  const text = isChangePrompt(prompt) ? changeText(prompt) : prompt;
  return cutRecalled(text.slice(0, maxPromptChars)).text
    .replace(/["“”:]|(?<=^|\s)-+/g, " ");
}
