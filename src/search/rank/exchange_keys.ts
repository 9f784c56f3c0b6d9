// Which rows are of one exchange (a prompt and what follows it, up to the next), so that a search shows
// each exchange once. Told from the columns of the index; no row is read.

import { hasTools, promptOf } from "../../index/segment/exchange.ts";
import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import type { CopyKeys } from "./copy_keys.ts";
import type { ExchangeOf, RankedRow, RowKeys } from "./rank.ts";

/** The most rows between a row and its prompt, and between a prompt and the first call of its exchange. */
export const exchangeReach = 512;
export const workReach = 64;

/**
 * How the rows of a corpus belong to exchanges. Work makes one: an exchange has a tool call or its
 * result. Messages that only answer each other, notes, records and documents stand for themselves, so
 * that a conversation is found by its messages.
 */
export function exchangesOf(corpus: Corpus): ExchangeOf {
  const works = new Map<number, boolean>();
  const known = new Map<number, number>();
  const find = (global: number): number => {
    const { segment, row } = locate(corpus, global);
    if ((segment.flags(row) & (rowFlags.record | rowFlags.saved)) !== 0) return -1 - global;
    const prompt = promptOf(corpus, global, exchangeReach);
    if (prompt === undefined) return -1 - global;
    let isWork = works.get(prompt);
    if (isWork === undefined) works.set(prompt, isWork = hasTools(corpus, prompt, workReach));
    return isWork ? prompt : -1 - global;
  };
  return (global) => {
    let exchange = known.get(global);
    if (exchange === undefined) known.set(global, exchange = find(global));
    return exchange;
  };
}

/** The keys of exchanges; where copies are folded, one whose ranked rows all are in another is that one. */
export function exchangeKeys(exchangeOf: ExchangeOf, copies?: CopyKeys): RowKeys {
  return {
    keysOf(ranked) {
      const exchanges = Map.groupBy(ranked, ({ global }) => exchangeOf(global));
      const heads = [...exchanges.values()].map(([best]) => best);
      const like = copies?.keysOf(heads);
      const shown = new Map<number, RankedRow[][]>();
      const keys = new Map([...exchanges].map(([exchange, rows], i) => {
        const others = shown.get(like?.[i] ?? exchange) ?? [];
        const same = others.find((other) => copies?.areCopies(rows, other));
        if (same === undefined) shown.set(like?.[i] ?? exchange, [...others, rows]);
        return [exchange, (same ?? rows)[0].global];
      }));
      return ranked.map(({ global }) => keys.get(exchangeOf(global)) ?? global);
    },
    mostTimes: 8,
  };
}
