// What harnesses put into prompts between tags of known names: taken out, or taken alone. Pure.

import { findMarked, type typedMarks } from "../../core/voice/find_marked.ts";

/** The text without `<name>…</name>` of these names. Of tags that nobody closes one is searched for its end. */
export function withoutBlocks(text: string, names: readonly string[]): string {
  return cutBlocks(text, new RegExp(`<(${names.join("|")})>`, "g"));
}

/**
 * The text without blocks that begin so, with the tag's name as the group; `trim` is for what stands
 * before. What stands in a block may close it: `isLast` goes up to the last end.
 */
export function cutBlocks(
  text: string,
  begins: RegExp,
  { trim, isLast = false }: { trim?: (before: string) => string; isLast?: boolean } = {},
): string {
  const unclosed = new Set<string>();
  let kept = "";
  let at = 0;
  for (let tag = begins.exec(text); tag !== null; tag = begins.exec(text)) {
    const end = `</${tag[1]}>`;
    const to = unclosed.has(end)
      ? -1
      : isLast
      ? text.lastIndexOf(end)
      : text.indexOf(end, begins.lastIndex);
    if (to < begins.lastIndex) {
      unclosed.add(end);
      continue;
    }
    const before = text.slice(at, tag.index);
    kept += trim ? trim(before) : before;
    at = begins.lastIndex = to + end.length;
  }
  return kept + text.slice(at);
}

/**
 * What was typed: what stands in a mark of its own, else the text without what a harness put around it. All of
 * it where marks contradict each other.
 */
export function typedText(
  text: string,
  mark: typeof typedMarks[number],
  told: readonly string[],
): string {
  const marked = findMarked(text, mark);
  if (marked === "unsure") return text;
  return (marked ? text.slice(marked.from, marked.to) : withoutBlocks(text, told)).trim();
}

/**
 * Where the blocks end that a text begins with: `opening` is sticky and has the tag's name as its group;
 * what `note` finds behind a block goes with it.
 */
export function skipBlocks(text: string, opening: RegExp, note?: RegExp): number {
  for (let at = 0;;) {
    opening.lastIndex = at;
    const name = opening.exec(text)?.[1];
    const end = name === undefined ? -1 : text.indexOf(`</${name}>`, opening.lastIndex);
    if (name === undefined || end < 0) return at;
    at = end + name.length + 3;
    if (note === undefined) continue;
    note.lastIndex = at;
    if (note.test(text)) at = note.lastIndex;
  }
}
