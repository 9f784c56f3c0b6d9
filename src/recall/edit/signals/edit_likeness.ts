// How alike in words files and sections of documents are to an edit: the cosine of the terms they
// share, rare ones counting more. What the edit says often counts more; of the others it only counts
// whether they have a term.

import type { CodeGraph } from "../graph/code_graph.ts";

/** Terms of the edit that are looked up at all, the most frequent first, and that are compared. */
const maxTerms = 240;
const maxTelling = 60;
/** A term in a larger share of the files tells nothing, and its list is long. */
const maxShare = 0.3;
const fewFiles = 20;
const manyFiles = 400;
/** Average rarity per term; a file's total weight is estimated as term count × this. */
const usualRarity = 4;

/** An edit that files and texts are compared to. */
export class EditLikeness {
  readonly #graph: CodeGraph;
  readonly #weights = new Map<string, number>();
  readonly #norm: number;
  #dots?: Map<number, number>;

  constructor(graph: CodeGraph, terms: ReadonlyMap<string, number>) {
    this.#graph = graph;
    const some = [...terms].sort((a, b) => b[1] - a[1]).slice(0, maxTerms);
    const weighed = some.map(([term, count]) => {
      const holders = graph.countTerm(term);
      return { term, holders, weight: (1 + Math.log(count)) * this.#rarityOf(holders) };
    });
    this.#norm = Math.hypot(...weighed.map(({ weight }) => weight));
    const most = Math.min(manyFiles, Math.max(fewFiles, graph.count * maxShare));
    const telling = weighed.filter(({ holders }) => holders > 0 && holders <= most)
      .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
    for (const { term, weight } of telling.slice(0, maxTelling)) this.#weights.set(term, weight);
  }

  /** How alike a file is: 0 to about 1. */
  toFile(path: string): number {
    const [id] = this.#graph.findIds(`f:${path}`);
    const dot = (this.#dots ??= this.#findDots()).get(id);
    if (dot === undefined) return 0;
    return dot / (this.#norm * usualRarity * Math.sqrt(this.#graph.termsOf(id).length));
  }

  /** How alike a text is by its terms. */
  toText(terms: readonly string[]): number {
    let [dot, square] = [0, 0];
    for (const term of terms) {
      const rarity = this.#rarityOf(this.#graph.countTerm(term));
      square += rarity ** 2;
      dot += rarity * (this.#weights.get(term) ?? 0);
    }
    return dot === 0 ? 0 : dot / (Math.sqrt(square) * this.#norm);
  }

  #findDots(): Map<number, number> {
    const dots = new Map<number, number>();
    for (const [term, weight] of this.#weights) {
      const holders = this.#graph.findHolders(term);
      const rarity = this.#rarityOf(holders.length);
      for (const id of holders) dots.set(id, (dots.get(id) ?? 0) + weight * rarity);
    }
    return dots;
  }

  #rarityOf(holders: number): number {
    const { count } = this.#graph;
    return Math.log((count + 1) / (Math.min(holders, count) + 0.5));
  }
}
