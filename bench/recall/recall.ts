// Recall over real sessions of coding agents (../shared/bench/recall-dev): the built file imports every
// sample tree and is asked 175 questions, a process for each, by default and by words; beside it plain
// BM25. The same in this process, with the other sets: `quality`; how its weights are chosen: `tune`.
// Run: deno task bench recall

import type { SearchMode } from "../../src/search/request.ts";
import { buildFile } from "../support/built_file.ts";
import { bootstrap, toCell } from "../quality/bootstrap.ts";
import { meanOf, type Scores } from "../quality/measures.ts";
import type { Find } from "../quality/open_store.ts";
import { openPlainBm25, stemmedWords } from "../quality/plain_bm25.ts";
import {
  importSessions,
  readQuestions,
  readRows,
  type RecallQuestion,
  type RecallRow,
  scoreAnswer,
} from "../quality/recall_set.ts";
import { type BenchTable, round } from "../support/table.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

/** The table for `deno task bench recall`. */
export async function run(): Promise<BenchTable[]> {
  const shared = fromFileUrl(new URL("../../../shared", import.meta.url));
  const directory = `${shared}/bench/recall-dev`;
  if (!isThere(directory) || !isThere(`${shared}/fixtures`)) {
    return [{ title: `Recall: skipped, there is no ${directory}`, head: ["engine"], rows: [] }];
  }
  const work = await Deno.makeTempDir({ prefix: "ctx-recall-" });
  try {
    const { path } = await buildFile(`${work}/built`, { gzip: true });
    await importSessions(directory, { work, ctx: path });
    const rows = readRows(`${work}/corpus.ndjson`);
    const set = { questions: readQuestions(directory, rows), rows };
    const documents = [...rows.values()];
    const engines: [string, Find][] = [
      ["plain BM25, Porter, stop words", openPlainBm25(documents, { tokenize: stemmedWords })],
      ["ctx, words", askFile(path, { work, mode: "lexical" })],
      ["ctx, default", askFile(path, { work, mode: "auto" })],
    ];
    const lines: (string | number)[][] = [];
    for (const [name, find] of engines) lines.push([name, ...await measure(find, set)]);
    const head = ["engine", "nDCG@10", "success@1", "success@5", "silent of 25", "lost"];
    return [{ title: `recall-dev, ${documents.length} rows, 95 % bootstrap`, head, rows: lines }];
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

async function measure(
  find: Find,
  { questions, rows }: { questions: RecallQuestion[]; rows: Map<string, RecallRow> },
): Promise<(string | number)[]> {
  const answered: Scores[] = [];
  const unanswerable: Scores[] = [];
  for (const question of questions) {
    const scores = scoreAnswer(question, await find(question.query), rows);
    (question.kind === "nothing" ? unanswerable : answered).push(scores);
  }
  const measures = ["ndcg", "first", "five"] as const;
  return [
    ...measures.map((name) => toCell(bootstrap(answered.map((scores) => scores[name])))),
    round(meanOf(unanswerable.map(({ empty }) => empty)), 3),
    round(meanOf(answered.map(({ empty }) => empty)), 3),
  ];
}
