// How often rows were right by what is said of them, on all judged sets: what the words of
// `src/search/rank/row_confidence.ts` are worth.
// Run: deno task bench confidence

import { openIndex } from "../../src/index/search_index.ts";
import { planSearch } from "../../src/search/plan_search.ts";
import {
  type Confidence,
  confidences,
  confidencesOf,
} from "../../src/search/rank/row_confidence.ts";
import { searchIndex } from "../../src/search/run_search.ts";
import type { BenchTable } from "../support/table.ts";
import { type JudgedSet, loadJudgedSets } from "./judged_sets.ts";
import { openStore } from "./open_store.ts";

/** A row that was shown, and whether it was right. */
interface Judged {
  said: Confidence;
  isRight: boolean;
}

/** The table for `deno task bench confidence`. */
export async function run(): Promise<BenchTable[]> {
  const sets = await loadJudgedSets();
  const judged: Judged[][] = [];
  for (const set of sets) judged.push(await judge(set));
  return [{
    title: "Share of rows that were right, by what is said of them (rows)",
    head: ["said", ...sets.map(({ name }) => name)],
    rows: confidences.map((word) => [
      word,
      ...judged.map((rows) => toCell(rows.filter(({ said }) => said === word))),
    ]),
  }];
}

function toCell(rows: Judged[]): string {
  if (rows.length === 0) return "–";
  const right = rows.filter(({ isRight }) => isRight).length;
  return `${(right / rows.length).toFixed(2)} (${rows.length})`;
}

async function judge({ groups }: JudgedSet): Promise<Judged[]> {
  const every = Number(Deno.env.get("CTX_BENCH_EVERY") ?? 1);
  const judged: Judged[] = [];
  for (const { workspace, questions } of groups) {
    using index = openIndex(openStore(workspace), { warn: () => {} });
    for (const question of questions.filter((_, i) => i % every === 0)) {
      const answer = await searchIndex(
        index,
        await planSearch({
          query: question.text,
          k: 5,
          offset: 0,
          scope: "all",
          mode: "auto",
          unasked: true,
        }),
      );
      const sure = confidencesOf(answer.rows.map(({ score_final }) => score_final));
      answer.rows.forEach(({ id }, i) => {
        const isRight = question.isAnswerable && question.score([id]).first > 0;
        judged.push({ said: sure[i], isRight });
      });
    }
  }
  return judged;
}
