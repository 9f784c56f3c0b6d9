// Public benchmarks of memory, scored as far as no model is needed: which rows are found, and whether
// nothing is found where nothing answers. CTX_PUBLIC_DATA names the directory (read_public.ts says what
// is looked for in it); --late also measures KnowMeBench's third part, which nothing may be chosen on.
// Run: CTX_PUBLIC_DATA=DIR deno task bench public

import type { BenchTable } from "../support/table.ts";
import { bootstrap, toCell } from "../quality/bootstrap.ts";
import { fillStore, shared } from "../quality/judged_sets.ts";
import { meanOf, scoreIds, type Scores } from "../quality/measures.ts";
import { type Find, openSearch } from "../quality/open_store.ts";
import { loadQualitySets } from "../quality/public_sets.ts";
import { openPlainBm25, stemmedWords } from "../quality/plain_bm25.ts";
import {
  type FactGroup,
  type PublicGroup,
  readBeam,
  readFacts,
  readKnowMe,
} from "./read_public.ts";

/** The tables for `deno task bench public`. */
export async function run(): Promise<BenchTable[]> {
  const directory = Deno.env.get("CTX_PUBLIC_DATA") ?? "";
  const work = await Deno.makeTempDir({ prefix: "ctx-public-" });
  try {
    // The five conversations that weights were chosen on; by turns, as LMEB scores them.
    const locomo = loadQualitySets(`${shared}/bench`).find(({ name }) => name === "locomo-dev");
    const sets: [string, PublicGroup[]][] = [
      ["LoCoMo, dev half", (locomo?.groups ?? []).map((one) => ({ ...one, unanswerable: [] }))],
      ["KnowMeBench D1", readKnowMe(directory, "dataset1")],
      ["KnowMeBench D3", Deno.env.has("CTX_BENCH_LATE") ? readKnowMe(directory, "dataset3") : []],
      ["BEAM 500K", readBeam(directory)],
    ];
    const rows: string[][] = [];
    for (const [name, groups] of sets) {
      if (groups.length > 0) rows.push(await measure(name, groups, work));
    }
    const facts: string[][] = [];
    for (const group of readFacts(directory)) facts.push(await measureFacts(group, work));
    return [{
      title: "Retrieval, without a model",
      head: [
        "set",
        "stores",
        "questions",
        "ctx nDCG@10",
        "by task",
        "BM25 nDCG@10",
        "ctx R@5",
        "R@10",
        "silent",
        "unanswerable: silent",
      ],
      rows,
    }, {
      title: "FactConsolidation: the row that holds the newest fact, no model reads it",
      head: [
        "set",
        "facts",
        "questions",
        "first",
        "newest of the first two",
        "in five",
        "BM25 first",
        "BM25 in five",
      ],
      rows: facts,
    }];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function measure(name: string, groups: PublicGroup[], work: string): Promise<string[]> {
  const [own, plain, none]: [TaskScores[], TaskScores[], number[]] = [[], [], []];
  for (const [i, group] of groups.entries()) {
    const { find, other } = await openBoth(group.rows, `${work}/${name}-${i}`);
    for (const { text, relevant, task = "" } of group.queries) {
      own.push({ task, ...scoreIds(await find(text), relevant) });
      plain.push({ task, ...scoreIds(await other(text), relevant) });
    }
    for (const text of group.unanswerable) none.push((await find(text)).length === 0 ? 1 : 0);
  }
  return toRow(name, { stores: groups.length, own, plain, none });
}

interface TaskScores extends Scores {
  task: string;
}

/** The mean of the tasks' means; LMEB counts every task once, however many questions it has. */
function byTask(scores: readonly TaskScores[]): string {
  const tasks = [...Map.groupBy(scores, ({ task }) => task).values()];
  return meanOf(tasks.map((some) => meanOf(some.map(({ ndcg }) => ndcg)))).toFixed(3);
}

function toRow(
  name: string,
  { stores, own, plain, none }: {
    stores: number;
    own: TaskScores[];
    plain: TaskScores[];
    none: number[];
  },
): string[] {
  const mean = (scores: readonly Scores[], key: keyof Scores): string =>
    meanOf(scores.map((one) => one[key])).toFixed(3);
  return [
    name,
    String(stores),
    String(own.length),
    toCell(bootstrap(own.map(({ ndcg }) => ndcg))),
    byTask(own),
    mean(plain, "ndcg"),
    mean(own, "recall5"),
    mean(own, "recall10"),
    mean(own, "empty"),
    none.length === 0 ? "–" : `${meanOf(none).toFixed(2)} (${none.length})`,
  ];
}

async function openBoth(
  rows: Record<string, unknown>[],
  workspace: string,
): Promise<{ find: Find; other: Find }> {
  await fillStore({ rows }, workspace);
  const documents = rows.map(({ id, text }) => ({ id: String(id), text: String(text) }));
  return {
    find: openSearch(workspace, "auto"),
    other: openPlainBm25(documents, { tokenize: stemmedWords }),
  };
}

async function measureFacts({ name, rows, questions }: FactGroup, work: string): Promise<string[]> {
  const { find, other } = await openBoth(rows, `${work}/facts-${name}`);
  const texts = new Map(rows.map(({ id, text }) => [String(id), String(text).toLowerCase()]));
  const counts = { first: 0, newest: 0, five: 0, plainFirst: 0, plainFive: 0 };
  for (const { text, answers } of questions) {
    const holds = (id?: string): boolean =>
      id !== undefined && answers.some((answer) => texts.get(id)?.includes(answer.toLowerCase()));
    const ids = await find(text);
    const plain = await other(text);
    const newest = ids.slice(0, 2).sort((a, b) => Number(b) - Number(a))[0];
    if (holds(ids[0])) counts.first++;
    if (holds(newest)) counts.newest++;
    if (ids.slice(0, 5).some(holds)) counts.five++;
    if (holds(plain[0])) counts.plainFirst++;
    if (plain.slice(0, 5).some(holds)) counts.plainFive++;
  }
  const of = (count: number): string => (count / questions.length).toFixed(2);
  const { first, newest, five, plainFirst, plainFive } = counts;
  return [
    name,
    String(rows.length),
    String(questions.length),
    ...[first, newest, five, plainFirst, plainFive].map(of),
  ];
}
