// What a card quotes: how often a row that answers a question of recall-dev is on the first card or on
// the first five, how often it is anywhere in their exchanges, and the same by folds of sessions.

import { openIndex } from "../../src/index/search_index.ts";
import { CorpusView } from "../../src/search/corpus_view.ts";
import { Exchanges } from "../../src/search/rank/row_exchanges.ts";
import { round } from "../support/table.ts";
import type { BenchTable } from "../support/table.ts";
import type { JudgedSet } from "./judged_sets.ts";
import { meanOf } from "./measures.ts";
import { openCards, openStore } from "./open_store.ts";

const folds = 5;

/** What the first card and the first five have of an answer, each 0 or 1. */
interface CardScores {
  fold: number;
  quotedFirst: number;
  quotedFive: number;
  insideFirst: number;
  insideFive: number;
}

/** The table of one set, whole and by folds. */
export async function measureCards({ name, groups }: JudgedSet): Promise<BenchTable> {
  const scores: CardScores[] = [];
  const numbers = new Map<string, number>();
  for (const { workspace, questions } of groups) {
    const find = openCards(workspace);
    const exchanges = readExchanges(workspace);
    for (const { text, isAnswerable, fold, score } of questions) {
      if (!isAnswerable) continue;
      if (!numbers.has(fold)) numbers.set(fold, numbers.size % folds);
      const cards = await find(text);
      // A row at a time: of several, the measures take a quote once.
      const answers = (ids: readonly string[]): boolean =>
        ids.some((id) => score([id]).first === 1);
      const quoted = cards.map((ids) => answers(ids));
      const inside = cards.map((ids) => answers(ids.flatMap((id) => exchanges.get(id) ?? [id])));
      scores.push({
        fold: numbers.get(fold) ?? 0,
        quotedFirst: Number(quoted[0] ?? false),
        quotedFive: Number(quoted.includes(true)),
        insideFirst: Number(inside[0] ?? false),
        insideFive: Number(inside.includes(true)),
      });
    }
  }
  const parts = Array.from({ length: folds }, (_, i) => scores.filter(({ fold }) => fold === i));
  const columns = ["quotedFirst", "quotedFive", "insideFirst", "insideFive"] as const;
  const toRow = (label: string, some: readonly CardScores[]): (string | number)[] => [
    label,
    some.length,
    ...columns.map((column) => round(meanOf(some.map((one) => one[column])), 3)),
  ];
  return {
    title:
      `Cards on ${name}: an answer quoted on the first and on five, and inside their exchanges`,
    head: ["questions", "count", "quoted, first", "quoted, five", "inside first", "inside five"],
    rows: [
      toRow("all", scores),
      ...parts.map((some, i) => toRow(`fold ${i + 1} by session`, some)),
    ],
  };
}

/** By id, the ids of the rows of its exchange. */
function readExchanges(workspace: string): Map<string, string[]> {
  using index = openIndex(openStore(workspace), { warn: () => {} });
  const view = new CorpusView(index, {});
  const exchanges = new Exchanges(view.corpus);
  const all = Array.from({ length: view.corpus.size }, (_, global) => global);
  const found = new Map<string, string[]>();
  for (const globals of Map.groupBy(all, (global) => exchanges.of(global)).values()) {
    const ids = globals.map((global) => view.readEntry(global).id);
    for (const id of ids) found.set(id, ids);
  }
  return found;
}
