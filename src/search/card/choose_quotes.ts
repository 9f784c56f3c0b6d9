// Which rows of an exchange stand on its card beside its best row, at most two. Loaded only where a
// card is shown.

import { walkExchange } from "../../index/segment/exchange.ts";
import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import { announcesCall } from "../rank/around_row.ts";
import { exchangeReach } from "../rank/exchange_keys.ts";
import type { RankedRow } from "../rank/rank.ts";

/** The rows of a card beside its best row. */
const mostQuotes = 2;

/** An exchange that was found. */
export interface FoundExchange {
  /** Its best row, and its other rows that were ranked, best first. */
  best: RankedRow;
  mates: readonly RankedRow[];
  /** The global number of its prompt. */
  prompt: number;
  /** Whether the question is about what somebody wanted. */
  asksForWish: boolean;
}

/**
 * The global numbers of the rows to quote, the most telling first: what was asked, where the question is
 * about a wish; then the other rows that match, best first; what the call returned, where the best row
 * is one; the answer that closes the exchange; the prompt.
 */
export function chooseQuotes(corpus: Corpus, found: FoundExchange): number[] {
  const { best, mates, prompt, asksForWish } = found;
  const chosen = new Set<number>();
  const add = (row: number | undefined): void => {
    if (row !== undefined && row !== best.global && chosen.size < mostQuotes) chosen.add(row);
  };
  if (asksForWish) add(prompt);
  for (const { global } of mates) add(global);
  if (chosen.size < mostQuotes) {
    const { result, closing } = outline(corpus, { prompt, best: best.global });
    add(result);
    add(closing);
    add(prompt);
  }
  return [...chosen];
}

/** What the best row's call returned, and the last thing that was said to the user. */
function outline(
  corpus: Corpus,
  { prompt, best }: { prompt: number; best: number },
): { result?: number; closing?: number } {
  const { segment, row } = locate(corpus, best);
  const isCall = (segment.flags(row) & rowFlags.call) !== 0;
  let result: number | undefined;
  let closing: number | undefined;
  walkExchange(corpus, prompt, {
    reach: exchangeReach,
    visit(at, flags) {
      if (isCall && at > best && (flags & rowFlags.result) !== 0) result ??= at;
      if ((flags & rowFlags.talk) !== 0 && !announcesCall(corpus, at)) closing = at;
    },
  });
  return { result, closing };
}
