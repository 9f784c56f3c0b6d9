// One line of a pack: what is stored, on one line, without anything that could end the line, hide it
// or steer a terminal. Pure.

import { alignToCharacter, toLine } from "../../core/text.ts";

/** Control characters, line and paragraph separators. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * What nobody sees: what turns the direction of text, joins or parts letters, and the tags and
 * selectors in which a whole sentence can be hidden from people and read by a model.
 */
const invisible = /[\p{Cf}\u{e0100}-\u{e01ef}]+/gu;

/** Marks of Markdown that say nothing on one line. */
const marks = /\*\*|`{3}\w*|(?<=^|\s)#{1,6}(?=\s)|(?<=\s)\* (?=\S)/g;
const maxTitleChars = 90;

/** A title and a text as one; the parts of a title that only repeat how the text begins are left out. */
export function withTitle(title: string | undefined, text: string): string {
  let rest = text.trimStart().replace(/^…/, "").toLowerCase();
  const parts = (title ?? "").split(" · ").filter((part) => {
    const said = part.replace(/…$/, "").toLowerCase();
    if (!rest.startsWith(said)) return true;
    rest = rest.slice(said.length).trimStart();
    return false;
  });
  return parts.length === 0 ? text : `${toLine(parts.join(" · "), maxTitleChars)}: ${text}`;
}

/** The line of a text, and how many of its characters are not in it. */
export function packLine(
  text: string,
  maxChars: number,
): { text: string; truncated_chars: number } {
  const window = text.slice(0, maxChars * 4);
  const line = window.replace(invisible, "").replace(unprintable, " ").replace(marks, " ").replace(
    /\s+/g,
    " ",
  ).trim()
    .replace(/^[-*] /, "");
  if (line.length <= maxChars && window.length === text.length) {
    return { text: line, truncated_chars: 0 };
  }
  const kept = line.slice(0, alignToCharacter(line, Math.min(line.length, maxChars - 1))).trimEnd();
  return { text: `${kept}…`, truncated_chars: Math.max(1, text.length - kept.length) };
}
