// A message in one line of an outline. Pure.

import type { Entry } from "../core/entry.ts";
import { alignToCharacter, withoutHeader } from "../core/text.ts";

/** So much of each line is shown. */
export const outlineChars = 120;

/** `[User] first line (12 tokens)`: who, the first line, and what its text costs. */
export function toOutlineLine(
  { role, line, tokens }: { role: string; line: string; tokens: number },
): string {
  const who = role[0].toUpperCase() + role.slice(1);
  const size = tokens < 1000 ? `${tokens}` : `${(tokens / 1000).toFixed(1)}k`;
  return `[${who}] ${line} (${size} tokens)`;
}

/** The first line that says something; paths as they are seen from the project. */
export function lineOf(
  { title, text, project }: Pick<Entry, "title" | "text" | "project">,
  chars: number,
): string {
  const said = title ?? withoutHeader(text);
  const begin = said.search(/[^\s#>*\-`=]/);
  if (begin < 0) return said.trim().slice(0, chars);
  // Paths shrink: a little more than the limit fills a line.
  const end = said.indexOf("\n", begin);
  const window = said.slice(begin, Math.min(end < 0 ? said.length : end, begin + chars * 2 + 200));
  const seen = project === undefined || project.length < 2
    ? window
    : window.replaceAll(`${project}/`, "");
  const line = seen.replace(/\s{2,}|[^\S ]/g, " ").trimEnd();
  return line.length <= chars ? line : `${line.slice(0, alignToCharacter(line, chars - 1))}…`;
}
