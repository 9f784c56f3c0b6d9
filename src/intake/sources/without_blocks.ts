// What harnesses put into prompts between tags of known names: taken out, or taken alone. Pure.

/** What stands in the first `<name>…</name>`; undefined where there is none. */
export function findInBlock(text: string, name: string): string | undefined {
  const from = text.indexOf(`<${name}>`);
  const to = from < 0 ? -1 : text.indexOf(`</${name}>`, from);
  return to < 0 ? undefined : text.slice(from + name.length + 2, to);
}

/** The text without `<name>…</name>` of these names. Of tags that nobody closes one is searched for its end. */
export function withoutBlocks(text: string, names: readonly string[]): string {
  return cutBlocks(text, new RegExp(`<(${names.join("|")})>`, "g"));
}

/**
 * The text without blocks that begin so, with the tag's name as the group; `trim` is for what stands
 * before. `takes` is given what stands in a block, and says whether it goes.
 */
export function cutBlocks(
  text: string,
  begins: RegExp,
  { trim, takes }: {
    trim?: (before: string) => string;
    takes?: (block: string, before: string) => boolean;
  } = {},
): string {
  const unclosed = new Set<string>();
  let kept = "";
  let at = 0;
  for (let tag = begins.exec(text); tag !== null; tag = begins.exec(text)) {
    const end = `</${tag[1]}>`;
    const to = unclosed.has(end) ? -1 : text.indexOf(end, begins.lastIndex);
    if (to < 0) {
      unclosed.add(end);
      continue;
    }
    const block = text.slice(begins.lastIndex, to);
    if (takes && !takes(block, text.slice(0, tag.index))) continue;
    const before = text.slice(at, tag.index);
    kept += trim ? trim(before) : before;
    at = begins.lastIndex = to + end.length;
  }
  return kept + text.slice(at);
}

/** What was typed: what stands in a tag of its own, else the text without what a harness put around it. */
export function typedText(text: string, tag: string, told: readonly string[]): string {
  return (findInBlock(text, tag) ?? withoutBlocks(text, told)).trim();
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
