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

/** The text without blocks that begin so, with the tag's name as the group; `trim` is for what stands before. */
export function cutBlocks(
  text: string,
  begins: RegExp,
  trim: (before: string) => string = (before) => before,
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
    kept += trim(text.slice(at, tag.index));
    at = begins.lastIndex = to + end.length;
  }
  return kept + text.slice(at);
}
