// How alike in words a text is to the files of the workspace, and to short texts at hand: the cosine
// of their terms by weight. Only the most telling terms of the text are looked up.

import { rarityOfTerm, termWeight } from "./term_weight.ts";
import type { WordTable } from "./word_table.ts";

/** Terms of the text that are looked up at all, the most frequent first. */
const maxTerms = 240;
/** Terms of the text by which it is compared. */
const maxTelling = 60;
/** A term in a larger share of the files tells nothing, and its list is long. */
const maxShare = 0.3;
const fewFiles = 20;
const manyFiles = 400;

/** A text to which others are compared. */
export class WordLikeness {
  readonly #words: WordTable;
  readonly #weights = new Map<string, number>();
  readonly #norm: number;
  #dots?: Map<number, number>;

  /** A text by its terms; a norm that is given counts terms that are not. */
  constructor(words: WordTable, terms: Iterable<[string, number]>, norm?: number) {
    this.#words = words;
    const some = [...terms].sort((a, b) => b[1] - a[1]).slice(0, maxTerms);
    const weighed = some.map(([term, count]) => {
      const holders = words.countTerm(term);
      return { term, holders, weight: weigh(words, { count, holders }) };
    });
    const own = Math.sqrt(weighed.reduce((sum, { weight }) => sum + weight ** 2, 0));
    this.#norm = norm ?? own;
    const most = Math.min(manyFiles, Math.max(fewFiles, words.count * maxShare));
    const telling = weighed.filter(({ holders }) => holders <= most)
      .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
    const found = telling.filter(({ holders }) => holders > 0).slice(0, maxTelling);
    for (const { term, weight } of found) this.#weights.set(term, weight);
  }

  /** How alike it is to a file: 0 to about 1. Who asks for several texts gives what it knows. */
  toFile(path: string, known: { id?: number; norm?: number } = {}): number {
    const id = known.id ??= this.#words.findId(path);
    const dot = id === undefined ? undefined : (this.#dots ??= this.#findDots()).get(id);
    const norm = dot === undefined ? 0 : known.norm ??= this.#words.profileOf(id!)?.norm ?? 0;
    return norm === 0 || this.#norm === 0 ? 0 : dot! / (norm * this.#norm);
  }

  /** How alike it is to a short text. */
  toText(terms: Iterable<[string, number]>): number {
    let [dot, square] = [0, 0];
    for (const [term, count] of terms) {
      const weight = weigh(this.#words, { count, holders: this.#words.countTerm(term) });
      square += weight ** 2;
      dot += weight * (this.#weights.get(term) ?? 0);
    }
    return dot === 0 ? 0 : dot / (Math.sqrt(square) * this.#norm);
  }

  #findDots(): Map<number, number> {
    const dots = new Map<number, number>();
    for (const [term, weight] of this.#weights) {
      const postings = this.#words.findTerm(term);
      for (const { id, count } of postings) {
        const other = weigh(this.#words, { count, holders: postings.length });
        dots.set(id, (dots.get(id) ?? 0) + weight * other);
      }
    }
    return dots;
  }
}

function weigh(
  words: WordTable,
  { count, holders }: { count: number; holders: number },
): number {
  return termWeight(Math.max(1, count), rarityOfTerm(holders, words.count));
}
