// marked's tokenizer in bounded time and depth, for texts that nobody vouches for, and the blocks of such
// a text. Load it lazily: it loads marked.

import { Lexer, type Token, Tokenizer } from "marked";

const maxDepth = 12;
const maxEmphasisChars = 2000;

/** Throws when reading takes longer than some milliseconds. */
export class BoundedTokenizer extends Tokenizer {
  readonly #deadline: number;
  #depth = 0;

  constructor(limitMs: number) {
    super();
    this.#deadline = performance.now() + limitMs;
  }

  /** The lexer asks for blank lines first, before every block. */
  override space(text: string): ReturnType<Tokenizer["space"]> {
    this.#check();
    return super.space(text);
  }

  /** And for escaped characters first, before every piece of a line. */
  override escape(text: string): ReturnType<Tokenizer["escape"]> {
    this.#check();
    return super.escape(text);
  }

  /** Looked for nearby only: else every mark of a long line would look at the whole of it. */
  override emStrong(
    text: string,
    masked: string,
    before?: string,
  ): ReturnType<Tokenizer["emStrong"]> {
    this.#check();
    const near = masked.slice(-text.length).slice(0, maxEmphasisChars);
    return super.emStrong(text.slice(0, maxEmphasisChars), near, before);
  }

  override list(text: string): ReturnType<Tokenizer["list"]> {
    return this.#within(() => super.list(text));
  }

  override blockquote(text: string): ReturnType<Tokenizer["blockquote"]> {
    return this.#within(() => super.blockquote(text));
  }

  #check(): void {
    if (performance.now() > this.#deadline) throw new Error("it takes too long to parse");
  }

  /** Deeper than people nest, a list or quote is plain text. */
  #within<T>(read: () => T): T | undefined {
    if (this.#depth === maxDepth) return undefined;
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}

const limitMs = 10_000;

/**
 * The top-level blocks of a text; throws when that takes too long. Only where a block starts and ends
 * counts, so lists in lists and quotes in quotes are read a few levels deep.
 */
export function lexBlocks(text: string): Token[] {
  return new Lexer({ tokenizer: new BoundedTokenizer(limitMs) }).blockTokens(text, []);
}
