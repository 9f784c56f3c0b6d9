// The top-level blocks of a Markdown text by marked's block lexer, in bounded time. Only where a block
// starts and ends counts here, so lists in lists and quotes in quotes are read a few levels deep.
// Load it lazily: it loads marked.

import { Lexer, type Token, Tokenizer } from "marked";

const maxDepth = 12;
const limitMs = 10_000;

/** Splits a text into blocks; throws when that takes too long. */
export function lexBlocks(text: string): Token[] {
  return new Lexer({ tokenizer: new BoundedTokenizer() }).blockTokens(text, []);
}

class BoundedTokenizer extends Tokenizer {
  readonly #deadline = performance.now() + limitMs;
  #depth = 0;

  /** The lexer asks for blank lines first, before every block. */
  override space(text: string): ReturnType<Tokenizer["space"]> {
    if (performance.now() > this.#deadline) throw new Error("it takes too long to read");
    return super.space(text);
  }

  override list(text: string): ReturnType<Tokenizer["list"]> {
    return this.#within(() => super.list(text));
  }

  override blockquote(text: string): ReturnType<Tokenizer["blockquote"]> {
    return this.#within(() => super.blockquote(text));
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
