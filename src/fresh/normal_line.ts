// A line as it is compared: what a formatter changes makes no difference, neither blanks nor the kind
// of quotes nor what ends it. Lines that say nothing of their own, such as a closing bracket, are none.
// Pure.

/** Shorter lines are found everywhere. */
const leastChars = 8;
const leastLetters = 4;
/** Longer ones are data, and are told apart by their beginning. */
const maxChars = 2000;

/** The normal form of a line; undefined when it says nothing. */
export function normalLine(line: string): string | undefined {
  const text = normalText(line.length > maxChars ? line.slice(0, maxChars) : line);
  if (text.length < leastChars) return undefined;
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < leastLetters ? undefined : text;
}

/** The normal forms of the lines of a text, in order. */
export function normalLines(text: string): string[] {
  return text.split("\n").flatMap((line) => normalLine(line) ?? []);
}

/** A text of any length without what formatters change: lines that they broke or joined are in it. */
export function normalText(text: string): string {
  return text.replace(/[\s;]+/g, "").replace(/['`]/g, '"').replace(/,+(?=[)\]}>]|$)/g, "");
}
