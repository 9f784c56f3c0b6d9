// A number with its noun.

/** "1 line", "2 lines". */
export function countOf(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : nouns}`;
}
