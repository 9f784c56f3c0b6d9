// Which rows are of one exchange: a prompt and what follows it, up to the next. Told from the columns of the
// index; no row is read.

import { hasTools, promptOf } from "../../index/segment/exchange.ts";
import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";

/** The most rows between a row and its prompt, and between a prompt and the first call of its exchange. */
export const exchangeReach = 512;
const workReach = 64;

/**
 * How the rows of a corpus belong to exchanges. Work makes one: an exchange has a tool call or its
 * result. Messages that only answer each other, notes, records and documents stand for themselves, so
 * that a conversation is found by its messages. Every row and prompt is looked at once: looking for a
 * prompt may pass hundreds of rows.
 */
export class Exchanges {
  readonly #corpus: Corpus;
  /** By row, its prompt and how far it was looked for, and its exchange; by prompt, whether it is work. */
  readonly #prompts = new Map<number, { prompt?: number; reach: number }>();
  readonly #known = new Map<number, number>();
  readonly #works = new Map<number, boolean>();

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
  }

  /** The prompt of a row; undefined where none is so near before it. */
  promptOf(global: number, reach: number): number | undefined {
    let found = this.#prompts.get(global);
    if (found === undefined || found.prompt === undefined && found.reach < reach) {
      found = { prompt: promptOf(this.#corpus, global, reach), reach };
      this.#prompts.set(global, found);
    }
    const { prompt } = found;
    return prompt !== undefined && global - prompt <= reach ? prompt : undefined;
  }

  /** Whether a tool was used soon after a prompt. */
  isWork(prompt: number): boolean {
    let isWork = this.#works.get(prompt);
    if (isWork === undefined) {
      this.#works.set(prompt, isWork = hasTools(this.#corpus, prompt, workReach));
    }
    return isWork;
  }

  /** The number of a row's exchange: that of its prompt; below 0 where a row stands for itself. */
  of(global: number): number {
    let exchange = this.#known.get(global);
    if (exchange === undefined) this.#known.set(global, exchange = this.#find(global));
    return exchange;
  }

  #find(global: number): number {
    const { segment, row } = locate(this.#corpus, global);
    if ((segment.flags(row) & (rowFlags.record | rowFlags.saved)) !== 0) return -1 - global;
    const prompt = this.promptOf(global, exchangeReach);
    return prompt !== undefined && this.isWork(prompt) ? prompt : -1 - global;
  }
}
