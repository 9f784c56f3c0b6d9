// The words of forgotten texts. Copies that do not name their source (a query that somebody typed, a
// line that an older version wrote) are found by comparing words. Pure.

/** Texts that are compared as a whole, and how much of each. */
const maxPhrases = 2000;
const phraseWords = 12;
const minPhraseChars = 8;

export class LostWords {
  readonly #words = new Set<string>();
  readonly #phrases = new Set<string>();

  add(text: string): void {
    const words = wordsOf(text);
    for (const word of words) this.#words.add(word);
    const phrase = words.slice(0, phraseWords).join(" ");
    if (phrase.length >= minPhraseChars && this.#phrases.size < maxPhrases) {
      this.#phrases.add(phrase);
    }
  }

  areQuotedIn(text: string): boolean {
    if (this.#phrases.size === 0) return false;
    const said = ` ${wordsOf(text).join(" ")} `;
    return [...this.#phrases].some((phrase) => said.includes(` ${phrase} `));
  }

  /** Whether a text says nothing else, or has a number of theirs. */
  areAllOf(text: string): boolean {
    const words = wordsOf(text);
    return words.length > 0 &&
      (words.every((word) => this.#words.has(word)) || this.#share(words, number));
  }

  /** Whether a text says nothing else, or has one of their longer words. */
  areIn(text: string): boolean {
    return this.areAllOf(text) || this.#share(wordsOf(text), longer);
  }

  #share(words: string[], telling: RegExp): boolean {
    return words.some((word) => telling.test(word) && this.#words.has(word));
  }
}

const number = /^(?=.*\p{N}).{3,}$/u;
const longer = /^.{5,}$/u;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
