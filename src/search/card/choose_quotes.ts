// Which rows of an exchange stand on its card beside its best row: two, and a third where those leave
// room. Loaded only where a card is shown.

import type { Entry } from "../../core/entry.ts";
import { walkExchange } from "../../index/segment/exchange.ts";
import { type Corpus, isSuperseded, locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import { announcesCall } from "../rank/around_row.ts";
import { exchangeReach } from "../rank/row_exchanges.ts";
import type { RankedRow } from "../rank/rank.ts";

/** The rows of a card beside its best row, as far as they fit. */
const mostQuotes = 3;
/** How many outputs after a call are read to find its own. */
const mostOutputs = 16;

export interface FoundExchange {
  /** Its best row, and its other rows that were ranked, best first. */
  best: RankedRow;
  mates: readonly RankedRow[];
  /** The global number of its prompt. */
  prompt: number;
  /** Whether it is asked what somebody wanted, or asked at all: other queries only name a subject. */
  asksForWish: boolean;
  isQuestion: boolean;
}

/** Where the rows of an exchange are. */
export interface ExchangeRows {
  corpus: Corpus;
  readEntry: (global: number) => Entry;
  /** Whether a row passes the filters of the search: what it leaves out is not quoted either. */
  passes: (global: number) => boolean;
}

/**
 * The global numbers of the rows to quote, the most telling first. What was asked, where the question is
 * about a wish. A question wants the last word: what the call returned, where the best row is one, and
 * the answer that closes the exchange. A subject wants the other rows that match, best first. The rest
 * follows, the prompt last. Nothing that was corrected later.
 */
export function chooseQuotes(rows: ExchangeRows, found: FoundExchange): number[] {
  const { best, mates, prompt, asksForWish, isQuestion } = found;
  const chosen = new Set<number>();
  const add = (row: number | undefined): void => {
    if (row === undefined || row === best.global || chosen.size >= mostQuotes) return;
    if (isQuotable(rows, row)) chosen.add(row);
  };
  const addPrompt = (): void => {
    if (chosen.size < mostQuotes && isAskedBy(rows, { prompt, best: best.global })) add(prompt);
  };
  const addMates = (): void => mates.forEach(({ global }) => add(global));
  if (asksForWish) addPrompt();
  const wantsLastWord = isQuestion && !isTalk(rows, best.global);
  if (!wantsLastWord) addMates();
  if (chosen.size < mostQuotes) {
    const { result, closing } = outline(rows, { prompt, best: best.global });
    add(result);
    add(closing);
    addMates();
    addPrompt();
  }
  return [...chosen];
}

/** Whether a row was said, so is a last word itself. */
function isTalk({ corpus }: ExchangeRows, global: number): boolean {
  const { segment, row } = locate(corpus, global);
  return (segment.flags(row) & rowFlags.talk) !== 0;
}

/**
 * Whether the user asked it: neither what a sub-agent was asked, in another thread than the row, nor what a
 * client put there.
 */
function isAskedBy(
  { readEntry }: ExchangeRows,
  { prompt, best }: { prompt: number; best: number },
): boolean {
  const { sidechain, text } = readEntry(prompt);
  const isClients = /^\s*(?:<[a-z-]+>|\[Request interrupted)/.test(text);
  return !isClients && (sidechain === true) === (readEntry(best).sidechain === true);
}

function isQuotable({ corpus, passes }: ExchangeRows, row: number): boolean {
  return !isSuperseded(corpus, row) && passes(row);
}

/** What the best row's call returned, and the last thing that was said to the user. */
function outline(
  rows: ExchangeRows,
  { prompt, best }: { prompt: number; best: number },
): { result?: number; closing?: number } {
  const { corpus } = rows;
  const { segment, row } = locate(corpus, best);
  const isResult = (segment.flags(row) & rowFlags.call) === 0 ? undefined : resultTest(rows, best);
  const said: number[] = [];
  let result: number | undefined;
  walkExchange(corpus, prompt, {
    reach: exchangeReach,
    visit(at, flags) {
      if (at > best && result === undefined && isResult?.(at, flags)) result = at;
      if ((flags & rowFlags.talk) !== 0) said.push(at);
    },
  });
  const closing = said.findLast((at) => !announcesCall(corpus, at) && isQuotable(rows, at));
  return { result, closing };
}

/** Tells the output of a call, row by row: by its id; without one, the first, if no other call was made. */
function resultTest(
  { readEntry }: ExchangeRows,
  call: number,
): (row: number, flags: number) => boolean {
  const id = readEntry(call).tool?.call_id;
  let left = mostOutputs;
  let isFirst = true;
  return (row, flags) => {
    if ((flags & rowFlags.call) !== 0) isFirst = false;
    if ((flags & rowFlags.result) === 0 || left-- <= 0) return false;
    const own = readEntry(row).tool?.call_id;
    const isOwn = id === undefined || own === undefined ? isFirst : own === id;
    isFirst = false;
    return isOwn;
  };
}
