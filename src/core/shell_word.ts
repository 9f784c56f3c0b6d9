// A word as a shell takes it, for commands that people copy.

/** The word as it is where that is safe, else in quotes. */
export function toShellWord(word: string): string {
  return /^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
