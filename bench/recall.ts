// Recall over real sessions of coding agents (../shared/bench/recall-dev): the built file imports every
// sample tree and is asked 175 questions, by default and by words; beside it plain BM25. And what the
// weights that were fitted on the set give on questions about sessions that were not looked at.
// Run: deno task bench recall

import { openIndex } from "../src/index/search_index.ts";
import { planFilters } from "../src/search/filter.ts";
import { parseQuery } from "../src/search/query.ts";
import { weights } from "../src/search/rank/ranking.ts";
import type { SearchMode, SearchRequest } from "../src/search/request.ts";
import { searchIndex } from "../src/search/run_search.ts";
import { diskFiles } from "../src/store/files/files.ts";
import { Store } from "../src/store/store.ts";
import { buildFile } from "./built_file.ts";
import { openPlainBm25, stemmedWords } from "./plain_bm25.ts";
import {
  foldBySession,
  interval,
  readQuestions,
  readRows,
  type RecallQuestion,
  type RecallRow,
  type RecallScore,
  scoreAnswer,
} from "./recall_set.ts";
import { seededRandom } from "./seeded_random.ts";
import type { BenchTable } from "./table.ts";

type Find = (query: string) => string[] | Promise<string[]>;

/** The tables for `deno task bench recall`. */
export async function run(): Promise<BenchTable[]> {
  const shared = decodeURIComponent(new URL("../../shared", import.meta.url).pathname);
  const directory = `${shared}/bench/recall-dev`;
  if (!isThere(directory) || !isThere(`${shared}/fixtures`)) {
    return [{ title: `Recall: skipped, there is no ${directory}`, head: ["engine"], rows: [] }];
  }
  const work = await Deno.makeTempDir({ prefix: "ctx-recall-" });
  try {
    const { path } = await buildFile(`${work}/built`, { gzip: true });
    await buildStore(`${directory}/build.sh`, { work, ctx: path });
    const set = { questions: readQuestions(directory), rows: readRows(`${work}/corpus.ndjson`) };
    const documents = [...set.rows.values()];
    const engines: [string, Find][] = [
      ["plain BM25, Porter, stop words", openPlainBm25(documents, stemmedWords)],
      ["ctx, words", askFile(path, { work, mode: "lexical" })],
      ["ctx, default", askFile(path, { work, mode: "auto" })],
    ];
    const lines: (string | number)[][] = [];
    for (const [name, find] of engines) lines.push([name, ...await measure(find, set)]);
    const head = ["engine", "nDCG@10", "success@1", "success@5", "silent of 25", "lost"];
    return [
      { title: `recall-dev, ${documents.length} rows, 95 % bootstrap`, head, rows: lines },
      await crossValidate(`${work}/ws`, set),
    ];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

async function buildStore(
  script: string,
  { work, ctx }: { work: string; ctx: string },
): Promise<void> {
  const options = { args: [script, work], env: { CTX: ctx } };
  const { success, stderr } = await new Deno.Command("bash", options).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Asks the built file, a process for each question. */
function askFile(path: string, options: { work: string; mode: SearchMode }): Find {
  const { work, mode } = options;
  return async (query) => {
    const args = ["search", query, "--json", "--k", "10", "--mode", mode];
    const env = { HOME: `${work}/home` };
    const asked = await new Deno.Command(path, { args, cwd: `${work}/ws`, env }).output();
    const { results } = JSON.parse(new TextDecoder().decode(asked.stdout));
    return results.map(({ id }: { id: string }) => id);
  };
}

interface RecallSet {
  questions: RecallQuestion[];
  rows: Map<string, RecallRow>;
}

async function measure(find: Find, { questions, rows }: RecallSet): Promise<(string | number)[]> {
  const scores: RecallScore[] = [];
  let silent = 0;
  let unanswerable = 0;
  let lost = 0;
  for (const question of questions) {
    const ids = await find(question.query);
    if (question.kind === "nothing") {
      unanswerable++;
      if (ids.length === 0) silent++;
      continue;
    }
    if (ids.length === 0) lost++;
    scores.push(scoreAnswer(question, ids, rows));
  }
  const random = seededRandom(7);
  const share = (part: number, all: number): string => (part / all).toFixed(3);
  return [
    ...measures.map((name) => interval(scores.map((score) => score[name]), random)),
    share(silent, unanswerable),
    share(lost, scores.length),
  ];
}

const measures = ["ndcg", "first", "five"] as const;

/** The weights that were fitted on this set, and around which values they are tried. */
const grid = [0.4, 0.7].flatMap((prompt) =>
  [0.5, 0.65].flatMap((bare) =>
    [0, 0.3].flatMap((around) =>
      [1, 1.3].flatMap((wanted) =>
        [0, 0.15, 0.3].map((later) => ({
          prompt: { ...weights.prompt, share: prompt },
          bare,
          around: { session: around, exchange: around },
          wanted,
          later,
        }))
      )
    )
  )
);

/** Chooses weights on four fifths of the sessions and measures on the rest, five times. */
async function crossValidate(workspace: string, set: RecallSet): Promise<BenchTable> {
  const { rows } = set;
  const asked = set.questions.filter(({ kind }) => kind !== "nothing");
  const folds = foldBySession(asked, rows);
  const shipped = Object.fromEntries(
    Object.keys(grid[0]).map((name) => [name, Reflect.get(weights, name)]),
  );
  const find = openStore(workspace);
  const tried: Map<RecallQuestion, RecallScore>[] = [];
  for (const choice of [...grid, shipped]) {
    Object.assign(weights, choice);
    const scores = new Map<RecallQuestion, RecallScore>();
    for (const question of asked) {
      scores.set(question, scoreAnswer(question, await find(question.query), rows));
    }
    tried.push(scores);
  }
  const mean = (scores: Map<RecallQuestion, RecallScore>, of: RecallQuestion[]) =>
    measures.map((name) =>
      of.reduce((sum, question) => sum + (scores.get(question)?.[name] ?? 0), 0) / of.length
    );
  const held = new Map<RecallQuestion, RecallScore>();
  for (const fold of folds) {
    const others = asked.filter((question) => !fold.includes(question));
    const worth = (scores: typeof held): number => {
      const [ndcg, first, five] = mean(scores, others);
      return ndcg + (first + five) / 2;
    };
    const best = tried.slice(0, -1).reduce((a, b) => worth(b) > worth(a) ? b : a);
    for (const question of fold) held.set(question, best.get(question) ?? nothing);
  }
  const random = seededRandom(7);
  const line = (name: string, scores: typeof held): (string | number)[] => [
    name,
    ...measures.map((key) =>
      interval(asked.map((one) => (scores.get(one) ?? nothing)[key]), random)
    ),
  ];
  return {
    title:
      `Fitted weights (prompt, bare, around, wanted, later), 5 folds by session, ${grid.length} choices`,
    head: ["weights", "nDCG@10", "success@1", "success@5"],
    rows: [line("as shipped", tried[grid.length]), line("chosen on other sessions", held)],
  };
}

const nothing: RecallScore = { ndcg: 0, first: 0, five: 0 };

/** The store of the set, searched in this process. */
function openStore(workspace: string): Find {
  const given = { workspace, files: diskFiles, now: () => 0, random: () => "", warn: () => {} };
  const index = openIndex(new Store(given), { warn: () => {} });
  return async (text) => {
    const request: SearchRequest = { query: text, k: 10, offset: 0, scope: "all", mode: "auto" };
    const query = parseQuery(text);
    const answer = await searchIndex(index, { request, query, plan: planFilters(request, query) });
    return answer.rows.map(({ id }) => id);
  };
}
