// Textbook BM25 over one bag of words, as a public baseline has it: what `quality`
// holds our ranking against, in the same run.

import { stem } from "../../src/index/text/stem.ts";
import { stopWords } from "../../src/index/text/tokenize.ts";

/** A document to rank. */
export interface PlainDocument {
  id: string;
  text: string;
}

/** Cuts a text into terms. */
export type PlainTokenizer = (text: string) => string[];

/** How it ranks: by default as in the books, k1 1.2 and b .75. */
export interface PlainOptions {
  tokenize: PlainTokenizer;
  k1?: number;
  b?: number;
}

/** Words in lower case, nothing else. */
export function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Words in lower case without stop words, stemmed by Porter's rules. */
export function stemmedWords(text: string): string[] {
  return plainWords(text).filter((word) => !stopWords.has(word)).map(stem);
}

/** Returns a search for the ten best ids; ties go to the first document. */
export function openPlainBm25(
  documents: readonly PlainDocument[],
  { tokenize, k1 = 1.2, b = 0.75 }: PlainOptions,
): (query: string) => string[] {
  const postings = new Map<string, Map<number, number>>();
  const lengths = documents.map(({ text }, number) => {
    const words = tokenize(text);
    for (const word of words) {
      const list = postings.get(word) ?? new Map<number, number>();
      postings.set(word, list.set(number, (list.get(number) ?? 0) + 1));
    }
    return words.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return (query) => {
    const scores = new Map<number, number>();
    for (const word of tokenize(query)) {
      const list = postings.get(word) ?? [];
      const count = postings.get(word)?.size ?? 0;
      const idf = Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
      for (const [number, often] of list) {
        const norm = k1 * (1 - b + b * lengths[number] / average);
        const score = idf * often * (k1 + 1) / (often + norm);
        scores.set(number, (scores.get(number) ?? 0) + score);
      }
    }
    const ranked = [...scores].sort(([i, x], [j, y]) => y - x || i - j);
    return ranked.slice(0, 10).map(([number]) => documents[number].id);
  };
}
