// How well search finds, on four judged sets: ctx beside plain BM25 and MiniSearch in the same run, with
// paired bounds; and how often it answers with nothing, where it should and where it should not.
// Run: deno task bench quality

import { type BenchTable, round } from "../support/table.ts";
import { bootstrap, toDifference } from "./bootstrap.ts";
import { type Engine, engines, ownEngine } from "./engines.ts";
import { measureCards } from "./cards.ts";
import { type JudgedSet, loadJudgedSets, shared } from "./judged_sets.ts";
import { meanOf, measureNames, type Scores } from "./measures.ts";

/** The tables for `deno task bench quality`. */
export async function run(): Promise<BenchTable[]> {
  const sets = await loadJudgedSets();
  if (sets.length === 0) {
    return [{ title: `Quality: skipped, there are no sets in ${shared}`, head: ["set"], rows: [] }];
  }
  const results: Result[] = [];
  for (const set of sets) {
    const strangers = strangersOf(set, sets);
    for (const engine of engines) results.push(await measure(engine, { set, strangers }));
  }
  const recall = sets.filter(({ name }) => name === "recall-dev");
  const cards = await Promise.all(recall.map(measureCards));
  return [tabulate(results), ...cards, compare(results), refusals(results)];
}

/** What an engine did on a set. */
interface Result {
  set: string;
  engine: Engine;
  answers: Scores[];
  /** 1 for each question without an answer, and of another set, that got no row. */
  unanswerable: number[];
  strangers: number[];
}

/** Every tenth question of the other sets: nothing here answers it. */
export function strangersOf(set: JudgedSet, sets: readonly JudgedSet[]): string[] {
  return sets.filter((other) => other !== set).flatMap(({ groups }) =>
    groups.flatMap(({ questions }) => questions)
      .filter((_, i) => i % 10 === 0).map(({ text }) => text)
  );
}

async function measure(
  engine: Engine,
  { set, strangers }: { set: JudgedSet; strangers: readonly string[] },
): Promise<Result> {
  const result: Result = { set: set.name, engine, answers: [], unanswerable: [], strangers: [] };
  for (const group of set.groups) {
    const find = engine.open(group);
    for (const { text, isAnswerable, score } of group.questions) {
      const scores = score(await find(text));
      if (isAnswerable) result.answers.push(scores);
      else result.unanswerable.push(scores.empty);
    }
    if (!engine.refuses) continue;
    for (const text of strangers) result.strangers.push((await find(text)).length === 0 ? 1 : 0);
  }
  return result;
}

function tabulate(results: readonly Result[]): BenchTable {
  const shown = measureNames.filter((name) => name !== "empty");
  return {
    title: "Quality on judged sets",
    head: [
      "set",
      "engine",
      "questions",
      "nDCG@10",
      "R@5",
      "R@10",
      "MRR",
      "success@1",
      "success@5",
    ],
    rows: results.map(({ set, engine, answers }) => [
      set,
      engine.name,
      answers.length,
      ...shown.map((name) => round(meanOf(answers.map((scores) => scores[name])), 4)),
    ]),
  };
}

function compare(results: readonly Result[]): BenchTable {
  const rivals = results.filter(({ engine }) => engine !== ownEngine);
  return {
    title:
      `${ownEngine.name} minus each rival: paired bootstrap, 2,000 resamples, 95 % (* not zero)`,
    head: ["set", "rival", "nDCG@10", "success@1", "success@5"],
    rows: rivals.map(({ set, engine, answers }) => {
      const own = results.find((result) => result.set === set && result.engine === ownEngine);
      const difference = (name: keyof Scores): string =>
        toDifference(
          bootstrap(answers.map((rival, i) => (own?.answers[i][name] ?? 0) - rival[name])),
        );
      return [set, engine.name, difference("ndcg"), difference("first"), difference("five")];
    }),
  };
}

function refusals(results: readonly Result[]): BenchTable {
  const refusing = results.filter(({ engine }) => engine.refuses);
  const shares = refusing.map(({ set, engine, answers, strangers, unanswerable }) => ({
    set,
    engine: engine.name,
    own: meanOf(answers.map(({ empty }) => empty)),
    strangers: meanOf(strangers),
    unanswerable: unanswerable.length === 0 ? undefined : meanOf(unanswerable),
  }));
  const together = Map.groupBy(shares, ({ engine }) => engine);
  const means = [...together].map(([engine, some]) => ({
    set: "mean of the sets",
    engine,
    own: meanOf(some.map(({ own }) => own)),
    strangers: meanOf(some.map(({ strangers }) => strangers)),
    unanswerable: some.find(({ unanswerable }) => unanswerable !== undefined)?.unanswerable,
  }));
  return {
    title: "Answered with nothing (rivals always answer)",
    head: ["set", "engine", "own questions", "other sets' questions", "its unanswerable ones"],
    rows: [...shares, ...means].map(({ set, engine, own, strangers, unanswerable }) => [
      set,
      engine,
      round(own, 4),
      round(strangers, 4),
      unanswerable === undefined ? "–" : round(unanswerable, 4),
    ]),
  };
}
