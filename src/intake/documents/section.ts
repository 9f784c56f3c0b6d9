// A section of a document and the cutting of oversized ones. Pure. The texts of a document's
// sections, joined, are the document's body to the last character but for secrets.

import { redactText } from "../../core/redact/redact.ts";
import { alignToCharacter, withoutMark } from "../../core/text.ts";

/** One section, or one part of a section that is too long for one entry. */
export interface Section {
  /** The headings from the outermost to its own; empty before the first heading. */
  path: string[];
  /** 1 to 6; 0 before the first heading. */
  level: number;
  /** The line of the file it starts on, from 1. */
  line: number;
  /** Which part of its section this is, from 1; absent when the section is whole. */
  part?: number;
  text: string;
}

export interface ParsedDocument {
  title?: string;
  description?: string;
  tags: string[];
  sections: Section[];
  /** What was odd but survivable. */
  fault?: string;
}

/** The longest text of one entry, in characters: about a thousand tokens. */
export const maxSectionChars = 4000;

/** How headings are joined to one text. */
export const pathSeparator = " › ";

/**
 * Cuts a section whose blocks are given into parts; borders of blocks first, then lines. Secrets
 * are redacted before that: half of one would not be recognised.
 */
export function splitSection(section: Section, blocks: string[]): Section[] {
  if (section.text.length <= maxSectionChars) return [section];
  const texts: string[] = [];
  let open = "";
  for (const piece of blocks.map((block) => redactText(block).value).flatMap(splitBlock)) {
    if (open !== "" && open.length + piece.length > maxSectionChars) {
      texts.push(open);
      open = "";
    }
    open += piece;
  }
  if (open !== "") texts.push(open);
  let line = section.line;
  return texts.map((text, i) => {
    const part = { ...section, line, part: i + 1, text };
    line += countLines(text);
    return part;
  });
}

/** Parses a document without markup: one section, cut at paragraphs when it is long. */
export function parsePlainText(source: string): ParsedDocument {
  const text = withoutMark(source).replace(/\r\n?/g, "\n");
  if (text.trim() === "") return { tags: [], sections: [] };
  const paragraphs = text.split(/(?<=\n[ \t]*\n)(?=\S)/);
  const section = { path: [], level: 0, line: 1, text };
  return { tags: [], sections: splitSection(section, paragraphs) };
}

/** How many line ends a text has. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** One block in pieces that fit: at line ends, else at spaces, else anywhere. */
function splitBlock(block: string): string[] {
  const pieces: string[] = [];
  let rest = block;
  while (rest.length > maxSectionChars) {
    const window = rest.slice(0, maxSectionChars);
    const border = Math.max(window.lastIndexOf("\n"), 0) || Math.max(window.lastIndexOf(" "), 0);
    const end = border > maxSectionChars / 4 ? border + 1 : alignToCharacter(rest, maxSectionChars);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  if (rest !== "") pieces.push(rest);
  return pieces;
}
