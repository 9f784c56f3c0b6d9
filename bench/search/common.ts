// What a question of common words costs, where most rows are candidates: the built file in its default
// mode as whole processes against an empty Deno script in one run, and many questions in one process.
// Stores are kept under the system's temporary folder, because a million rows take minutes to index;
// `deno task bench common --rows 100000` chooses sizes.

import { search } from "../../src/search/run_search.ts";
import { closeIndex } from "../../src/search/use_index.ts";
import { diskFiles } from "../../src/disk/files.ts";
import { buildFile } from "../support/built_file.ts";
import { writeLines } from "../support/generate.ts";
import {
  commonQuestion,
  commonQuestions,
  commonWord,
  generateSessions,
} from "../support/generate_sessions.ts";
import { openStore } from "../quality/open_store.ts";
import {
  builtContender,
  type Contender,
  measureProcess,
  raceProcesses,
} from "../support/processes.ts";
import { type BenchTable, medianOf, percentileOf, round } from "../support/table.ts";

const rounds = 21;
const warmQuestions = 60;

/** Measures every size. */
export async function run(): Promise<BenchTable[]> {
  const sizes = (Deno.env.get("CTX_BENCH_ROWS") ?? "100000,1000000").split(",").map(Number);
  const home = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const { path: ctx } = await buildFile(`${home}/built`, { gzip: false });
    await Deno.writeTextFile(`${home}/empty.ts`, 'console.log("ctx");\n');
    const tables: BenchTable[] = [];
    for (const rows of sizes) {
      const place = { ctx, home, workspace: await keepStore(rows), rows };
      await measureProcess(process(place, "ctx reindex", ["reindex"]));
      tables.push(await coldTable(place), await warmTable(place));
    }
    return tables;
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

interface Place {
  /** The built file, and the home it runs in. */
  ctx: string;
  home: string;
  workspace: string;
  rows: number;
}

/** A store with so many rows; one of an earlier run, when there is one. */
async function keepStore(rows: number): Promise<string> {
  const base = Deno.env.get("TMPDIR") ?? "/tmp";
  const workspace = `${base}/ctx-bench-sessions/${rows}`;
  const history = `${workspace}/.contextfs/history.ndjson`;
  if (diskFiles.findSize(history) === undefined) {
    await Deno.mkdir(`${workspace}/.contextfs`, { recursive: true });
    writeLines(`${history}.new`, generateSessions({ rows }));
    await Deno.rename(`${history}.new`, history);
    await openStore(workspace).write("bench", () => {});
  }
  return workspace;
}

function process(place: Place, name: string, args: string[]): Contender {
  return builtContender(place, { name, args });
}

/** Whole processes, interleaved. */
async function coldTable(place: Place): Promise<BenchTable> {
  const empty = ["run", "-A", "--no-check", `${place.home}/empty.ts`];
  const lexical = ["--mode", "lexical"];
  const contenders = [
    { ...process(place, "empty Deno script", empty), command: Deno.execPath() },
    process(place, "ctx --version", ["--version"]),
    process(place, "one common word, words only", ["search", commonWord, ...lexical]),
    process(place, "one common word", ["search", commonWord]),
    process(place, "seven common words, words only", ["search", commonQuestion, ...lexical]),
    process(place, "seven common words", ["search", commonQuestion]),
  ];
  const times = await raceProcesses(contenders, rounds);
  const peaks: (number | string)[] = [];
  for (const contender of contenders) peaks.push((await measureProcess(contender)).peakMb);
  return {
    title:
      `Questions of common words, ${place.rows} rows, whole process (median of ${rounds}, interleaved)`,
    head: ["process", "ms", "ratio to empty script", "peak MB"],
    rows: contenders.map(({ name }, i) => [
      name,
      round(times[i], 1),
      round(times[i] / times[0]),
      peaks[i],
    ]),
  };
}

/** Many questions in one process; the first few only warm up. */
async function warmTable({ workspace, rows }: Place): Promise<BenchTable> {
  const store = openStore(workspace);
  const questions = commonQuestions(warmQuestions);
  const modes = [["words only", "lexical"], ["words and vectors", "hybrid"]] as const;
  const lines: (string | number)[][] = [];
  for (const [name, mode] of modes) {
    const times: number[] = [];
    const shares: number[] = [];
    for (const query of [...questions.slice(0, 20), ...questions]) {
      const start = performance.now();
      const { candidates } = await search(store, { query, k: 5, offset: 0, scope: "all", mode });
      times.push(performance.now() - start);
      shares.push(candidates.fused / rows);
    }
    const measured = times.slice(-warmQuestions);
    const [p50, p95] = [medianOf(measured), percentileOf(measured, 95)];
    lines.push([name, round(p50), round(p95), `${round(medianOf(shares) * 100, 0)} %`]);
  }
  closeIndex(store);
  return {
    title: `Seven common words, ${rows} rows, in one process, ms (${warmQuestions} questions)`,
    head: ["mode", "p50", "p95", "candidates, of all rows"],
    rows: lines,
  };
}
