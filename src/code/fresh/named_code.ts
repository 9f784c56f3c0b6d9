// What a saved text says of code by itself: the files that it is about, and the lines that it quotes in
// fenced blocks, with the names that stand nearest above them. Of a long text the beginning is read, of
// many names and blocks the first. Pure.

import type { Entry } from "../../core/entry.ts";

/** The files that a text names, and the lines that it quotes, as they are written there. */
export interface NamedCode {
  /** The entry's files. */
  files: string[];
  /** These, and paths in backticks. */
  paths: string[];
  quotes: Quote[];
}

/** A fenced block, and the files that it may be of, the likeliest first. */
export interface Quote {
  names: string[];
  text: string;
}

const maxChars = 1 << 16;
const maxPaths = 12;
const maxQuotes = 8;
const maxQuoteLines = 400;
/** So many names above a block are looked at. */
const maxNames = 6;
const maxNameChars = 240;

/** Reads it; nothing where there is neither. */
export function readNamedCode({ text, files = [] }: Pick<Entry, "text" | "files">): NamedCode {
  const given = files.slice(0, maxPaths).flatMap((file) => toName(file) ?? []);
  const paths = new Set(given);
  const quotes: Quote[] = [];
  const spoken: string[] = [];
  let block: { mark: string; lines: string[] } | undefined;
  for (const line of text.slice(0, maxChars).split("\n")) {
    if (block !== undefined) {
      if (!isEnd(line, block.mark)) block.lines.push(line);
      else {
        if (quotes.length < maxQuotes) quotes.push(toQuote(block.lines, { spoken, given }));
        block = undefined;
      }
      continue;
    }
    const mark = markOf(line);
    if (mark !== undefined) block = { mark, lines: [] };
    for (const name of namesIn(line)) spoken.push(name);
    for (const path of quotedPaths(line)) if (paths.size < maxPaths) paths.add(path);
  }
  return { files: given, paths: [...paths], quotes };
}

/** A block with its names: what its first line is headed by, then what was named last. */
function toQuote(
  lines: readonly string[],
  { spoken, given }: { spoken: readonly string[]; given: readonly string[] },
): Quote {
  const head = headOf(lines[0] ?? "");
  const above = spoken.slice(-maxNames).reverse();
  const names = new Set([...(head === undefined ? [] : [head]), ...above, ...given]);
  const quoted = lines.slice(head === undefined ? 0 : 1, maxQuoteLines);
  return { names: [...names].slice(0, maxNames), text: quoted.join("\n") };
}

/** The mark that opens a block; three of them within a line are none. */
function markOf(line: string): string | undefined {
  const start = line.trimStart();
  const mark = /^(?:`{3,}|~{3,})/.exec(start)?.[0];
  return mark === undefined || start.includes("`", mark.length) ? undefined : mark;
}

function isEnd(line: string, mark: string): boolean {
  const end = line.trim();
  return end.length >= mark.length && end === mark[0].repeat(end.length);
}

/** The file that a comment in the first line of a block names, if it says nothing else. */
function headOf(line: string): string | undefined {
  const comment = line.length > maxNameChars ? "" : line.trim();
  const name = /^(?:\/\/|#|--|\/\*|<!--) *(\S+)(?: *(?:\*\/|-->))?$/.exec(comment)?.[1];
  return name === undefined ? undefined : namesIn(name)[0];
}

/** Words that may be files: with a slash or with an ending. */
function namesIn(line: string): string[] {
  const words = line.match(/[^\s`'"()<>[\]{},;|*]{3,}/g) ?? [];
  return words.flatMap((word) => {
    const name = toName(word);
    return name !== undefined && (name.includes("/") || ending.test(name)) ? name : [];
  });
}

/** Paths in backticks, with a slash and an ending. */
function quotedPaths(line: string): string[] {
  const words = line.match(/`[^`\s]{3,240}`/g) ?? [];
  return words.flatMap((word) => {
    const name = toName(word.slice(1, -1));
    return name?.includes("/") && ending.test(name) ? name : [];
  });
}

const ending = /\.\w{1,12}$/;

/** A name without the line that it points at; undefined for what is no file's. */
function toName(word: string): string | undefined {
  if (word.length > maxNameChars || word.includes("://")) return undefined;
  const name = word.replace(/[.:!?]+$/, "").replace(place, "");
  return name === "" || /[\0*?$<>{}|]/.test(name) ? undefined : name;
}

const place = /(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)$/;
