// A text that is looked for, as a pattern: letters of either case, any white space between words. Pure.

/** Longer texts are looked for by their beginning. */
const maxChars = 400;

/** Finds the text in others; undefined when there is nothing to look for. */
export function toFindPattern(text: string): RegExp | undefined {
  const words = text.slice(0, maxChars).trim().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return undefined;
  const literal = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return new RegExp(literal.join("\\s+"), "giu");
}
