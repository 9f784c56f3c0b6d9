// Cutting text for people and budgets without ever splitting a character, and ordering it.

/** A window of a text and where the next one starts. */
export interface TextPage {
  text: string;
  truncated: boolean;
  next_offset?: number;
}

/** Cuts `size` characters (UTF-16 units) from `offset`; 0 means all. Pairs stay together. */
export function pageOf(text: string, offset: number, size: number): TextPage {
  const start = alignToCharacter(text, Math.min(offset, text.length));
  if (size === 0 || start + size >= text.length) {
    return { text: text.slice(start), truncated: false };
  }
  let end = alignToCharacter(text, start + size);
  if (end <= start) end = Math.min(text.length, start + 2);
  return { text: text.slice(start, end), truncated: true, next_offset: end };
}

/** Moves an offset off the middle of a surrogate pair, backwards. */
export function alignToCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  const inside = unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return inside ? at - 1 : at;
}

/** The text on one line, at most `maxChars` long; a cut is marked with an ellipsis. */
export function toLine(text: string, maxChars: number): string {
  const window = text.length > maxChars * 4 ? text.slice(0, maxChars * 4) : text;
  const line = window.replace(/\s+/g, " ").trim();
  if (line.length <= maxChars && window.length === text.length) return line;
  if (line.length <= maxChars) return line + "…";
  return line.slice(0, alignToCharacter(line, maxChars - 1)).trimEnd() + "…";
}

/** The first line that says something, without Markdown marks, at most `maxChars` long. */
export function firstLine(text: string, maxChars: number): string {
  for (const line of withoutHeader(text).slice(0, 4000).split("\n")) {
    const clean = line.replace(/^[\s#>*\-`=]+/, "").trim();
    if (clean !== "") return toLine(clean, maxChars);
  }
  return toLine(/^Process .*/m.exec(text)?.[0] ?? text, maxChars);
}

/** A tool's output without what Codex writes above it: ids, times, counts, the exit code. */
export function withoutHeader(text: string): string {
  return text.replace(outputHeader, "");
}

const outputHeader =
  /^(?:(?:Chunk ID|Exit code|Wall time|Original|Total|Process)\b.*\n)+Output:\n?/;

/** How many edits turn one word into another, for "did you mean". */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(change, row[j] + 1, next[j - 1] + 1);
    }
    row = next;
  }
  return row[b.length];
}

/** ` (did you mean "search"?)`, or nothing where no name is near. */
export function guessAt(word: string, names: Iterable<string>): string {
  const near = findNearest(word, names);
  return near === undefined ? "" : ` (did you mean "${near}"?)`;
}

/** The name closest to a mistyped one, if any is close enough: names that start with it first. */
export function findNearest(word: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.min(2, word.length - 2), Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    const isBeginning = name.startsWith(word) && word.length >= 2;
    const distance = isBeginning ? 1 - word.length / name.length : editDistance(word, name);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** The order of texts by their UTF-16 units: negative when `a` comes first, 0 when they are equal. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A word as a shell takes it, for commands that people copy: as it is where that is safe, else in quotes. */
export function toShellWord(word: string): string {
  return /^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The text without its byte order mark, which Windows programs add. */
export function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
