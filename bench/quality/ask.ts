// What `ctx ask` answers without a model, on recall-dev: how often it quotes a row that answers, how
// often it says something flatly where nothing answers, and what its three words are worth. The words
// are also fitted anew on four fifths of the sessions and counted on the rest.
// Run: deno task bench ask

import { openAgent } from "../../mod.ts";
import { type Certainty, type ExtractFacts, judgeExtract } from "../../src/ask/confidence.ts";
import type { BenchTable } from "../support/table.ts";
import { bootstrap, toCell } from "./bootstrap.ts";
import { fitOdds } from "./fit_odds.ts";
import { type JudgedQuestion, loadJudgedSets } from "./judged_sets.ts";
import { meanOf } from "./measures.ts";

/** A question, and what was answered. */
interface Asked {
  question: JudgedQuestion;
  /** Whether the first quoted row, and any of them, answers. */
  first: number;
  cited: number;
  rows: number;
  level?: Certainty["level"];
  facts?: ExtractFacts;
}

const levels = ["high", "medium", "low"] as const;
const folds = 5;

/** The tables for `deno task bench ask`. */
export async function run(): Promise<BenchTable[]> {
  const set = (await loadJudgedSets()).find(({ name }) => name === "recall-dev");
  if (set === undefined) return [{ title: "ask: skipped, no recall-dev", head: ["set"], rows: [] }];
  const asked: Asked[] = [];
  for (const { workspace, questions } of set.groups) {
    const agent = await openAgent(workspace, { env: () => undefined });
    for (const question of questions) {
      const { sources, confidence, evidence } = await agent.ask(question.text);
      const ids = sources.map(({ entry_id }) => entry_id);
      const scores = question.score(ids);
      asked.push({
        question,
        first: question.isAnswerable ? scores.first : 0,
        cited: question.isAnswerable && scores.reciprocal > 0 ? 1 : 0,
        rows: ids.length,
        level: confidence,
        ...(evidence.best === undefined
          ? {}
          : { facts: { score: evidence.best, near: evidence.near } }),
      });
    }
  }
  return [tabulate(asked), tabulateLevels(asked)];
}

function tabulate(asked: readonly Asked[]): BenchTable {
  const answerable = asked.filter(({ question }) => question.isAnswerable);
  const others = asked.filter(({ question }) => !question.isAnswerable);
  const isFlat = ({ level }: Asked): number => level === "high" || level === "medium" ? 1 : 0;
  return {
    title: "ask without a model, on recall-dev",
    head: ["measure", "all", ...Array.from({ length: folds }, (_, i) => `fold ${i + 1}`)],
    rows: [
      toRow("answer row quoted", answerable, ({ cited }) => cited),
      toRow("answer row quoted first", answerable, ({ first }) => first),
      toRow(
        "said without reserve, and no answer row quoted",
        answerable,
        (one) => one.cited === 1 ? 0 : isFlat(one),
      ),
      toRow("not found", answerable, ({ rows }) => rows === 0 ? 1 : 0),
      toRow("unanswerable: said without reserve", others, isFlat),
      toRow("unanswerable: not found", others, ({ rows }) => rows === 0 ? 1 : 0),
      ["rows quoted", meanOf(answerable.map(({ rows }) => rows)).toFixed(2)],
    ],
  };
}

function toRow(name: string, asked: readonly Asked[], pick: (one: Asked) => number): string[] {
  const inFold = (fold: number): string => {
    const some = asked.filter(({ question }) => foldOf(question) === fold);
    return `${meanOf(some.map(pick)).toFixed(2)} (${some.length})`;
  };
  return [
    name,
    toCell(bootstrap(asked.map(pick))),
    ...Array.from({ length: folds }, (_, i) => inFold(i)),
  ];
}

/** Questions about one session are in one fold. */
function foldOf({ fold }: JudgedQuestion): number {
  let sum = 7;
  for (const unit of fold) sum = (sum * 31 + unit.charCodeAt(0)) >>> 0;
  return sum % folds;
}

function tabulateLevels(asked: readonly Asked[]): BenchTable {
  const known = asked.flatMap((one) =>
    one.facts === undefined ? [] : [{ ...one, facts: one.facts }]
  );
  const left = Array.from({ length: folds }, (_, fold) => {
    const rest = known.filter(({ question }) => foldOf(question) !== fold);
    const weights = fitOdds(
      rest.map(({ facts: { score, near = 0 } }) => [score, near]),
      rest.map(({ cited }) => cited),
    );
    const [base, score, near] = weights;
    return known.filter(({ question }) => foldOf(question) === fold).map((one) => ({
      level: judgeExtract(one.facts, { base, score, near }).level,
      cited: one.cited,
    }));
  }).flat();
  const cell = (some: readonly { cited: number }[]): string =>
    some.length === 0
      ? "–"
      : `${meanOf(some.map(({ cited }) => cited)).toFixed(2)} (${some.length})`;
  return {
    title:
      "Share of answers that quote the answer row, by the word said (answers, also to the unanswerable)",
    head: ["confidence", "as shipped", "fitted on other sessions"],
    rows: levels.map((word) => [
      word,
      cell(known.filter(({ level }) => level === word)),
      cell(left.filter(({ level }) => level === word)),
    ]),
  };
}
