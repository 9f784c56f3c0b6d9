// Words at the start of a sentence.

/** The text with a capital at its beginning. */
export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
