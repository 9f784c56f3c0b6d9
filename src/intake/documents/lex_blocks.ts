// The top-level blocks of a Markdown text by marked's block lexer, in bounded time. Only where a block
// starts and ends counts here, so lists in lists and quotes in quotes are read a few levels deep.
// Load it lazily: it loads marked.

import { Lexer, type Token } from "marked";
import { BoundedTokenizer } from "./bounded_tokenizer.ts";

const limitMs = 10_000;

/** Splits a text into blocks; throws when that takes too long. */
export function lexBlocks(text: string): Token[] {
  return new Lexer({ tokenizer: new BoundedTokenizer(limitMs) }).blockTokens(text, []);
}
