// Whether a line that was given was taken up afterwards: something that only the line brought into the
// conversation comes back in what the agent says or does. What the user had said does not count, nor
// what every text has. Pure; the rules are measured on made sessions (test/recall/hook).

import type { Entry } from "../../core/entry.ts";

/** What is distinctive about a line. */
export interface LineMarks {
  id: string;
  /** Paths that the entry names. */
  files: string[];
  /** Names that somebody made up: camelCase, snake_case, with digits or dots. */
  names: string[];
  /** Longer words. */
  words: string[];
}

/** So many names, or words of one later entry, show that the line was used. */
const leastNames = 2;
const leastWords = 4;
const wordShare = 0.4;
const minWordChars = 5;
const maxEntryChars = 100_000;

export function marksOf({ id, title, text, files }: Entry): LineMarks {
  const said = title === undefined ? text : `${title} ${text}`;
  const tokens = new Set(
    said.slice(0, maxEntryChars).match(/[\p{L}\p{N}_][\p{L}\p{N}_./-]*/gu) ?? [],
  );
  const names = new Set<string>();
  const words = new Set<string>();
  for (const raw of tokens) {
    const token = raw.replace(/[./-]+$/, "");
    if (isName(token)) names.add(token.toLowerCase());
    else if (token.length >= minWordChars) words.add(token.toLowerCase());
  }
  const paths = (files ?? []).map((path) => path.toLowerCase());
  return { id, files: paths, names: [...names], words: [...words] };
}

function isName(token: string): boolean {
  return token.length >= 4 &&
    (/[a-z][A-Z]|_|\p{L}\d|\d\p{L}|\p{L}[./-]\p{L}.*[./_\d]|^\d+(?:\.\d+)+$|\w\/\w/u.test(token) ||
      /^[\w-]+\.[a-z]{1,4}$/.test(token));
}

/** Whether later entries of the conversation take a line up, given what the user said in it. */
export function isTakenUp(
  marks: LineMarks,
  { later, prompts }: { later: readonly Entry[]; prompts: string },
): boolean {
  const asked = prompts.toLowerCase();
  const isNew = (mark: string): boolean => !asked.includes(mark);
  const [files, names, words] = [marks.files, marks.names, marks.words]
    .map((some) => some.filter(isNew));
  return later.some((entry) => {
    if (entry.text.includes(marks.id)) return true;
    // A look-up in ctx repeats nothing but ids.
    if (entry.type === "recall") return false;
    const text = entry.text.slice(0, maxEntryChars).toLowerCase();
    const touched = (entry.files ?? []).map((path) => path.toLowerCase());
    if (files.some((path) => touched.some((other) => endsWithPath(other, path)))) return true;
    if (countIn(text, names) >= Math.min(leastNames, names.length) && names.length > 0) return true;
    const found = countIn(text, words);
    return found >= leastWords && found >= wordShare * marks.words.length;
  });
}

function endsWithPath(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`) || end.endsWith(`/${path}`);
}

function countIn(text: string, marks: string[]): number {
  return marks.filter((mark) => text.includes(mark)).length;
}
