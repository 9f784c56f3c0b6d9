// Search against its peers on generated rows: cold (a fresh process) and warm, with build time, index
// size and memory. In one run and interleaved, so that the ratios hold on a noisy machine.
// `deno task bench search --rows 1000000` chooses other sizes; the peers that keep everything in
// memory stop at 10,000 rows.

import { catchUp } from "../../src/index/catch_up.ts";
import { findLocalEmbedder } from "../../src/index/vectors/embedder_local.ts";
import { search } from "../../src/search/run_search.ts";
import { closeIndex } from "../../src/search/use_index.ts";
import { diskFiles } from "../../src/disk/files.ts";
import { Store } from "../../src/store/store.ts";
import { appendTrace } from "../../src/store/logs/trace_log.ts";
import { buildFile } from "../support/built_file.ts";
import { generateQueries, generateRows, writeHistory } from "../support/generate.ts";
import { type Contender, measureProcess, raceProcesses } from "../support/processes.ts";
import { openPeers } from "./search_peers.ts";
import { type BenchTable, medianOf, percentileOf, round } from "../support/table.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

const question = "how do we retry the cache when the deploy fails";
const cold = 41;
const turns = 5;
/** From here on, one turn must do: a peer takes a second for a question. */
const manyRows = 500_000;

/** Measures every size. */
export async function run(): Promise<BenchTable[]> {
  const sizes = (Deno.env.get("CTX_BENCH_ROWS") ?? "1000,10000,100000").split(",").map(Number);
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const { path } = await buildFile(`${work}/built`, { gzip: false });
    await Deno.rename(path, `${work}/ctx`);
    const tables: BenchTable[] = [];
    for (const rows of sizes) tables.push(...await measure(work, rows));
    return tables;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function measure(work: string, rows: number): Promise<BenchTable[]> {
  const workspace = `${work}/${rows}`;
  await Deno.mkdir(`${workspace}/.contextfs`, { recursive: true });
  const history = `${workspace}/.contextfs/history.ndjson`;
  writeHistory(history, { rows });
  await openStore(workspace).write("bench", () => {});
  const built = await buildIndexes(work, { workspace, rows });
  const steps = await stepTable(workspace, rows);
  const warm = await warmTable(workspace, rows);
  const race = await coldTable(work, { workspace, rows });
  await Deno.remove(workspace, { recursive: true });
  return [built, steps, race, warm];
}

/** `ctx reindex --full` as a process of its own, without and with vectors: time, memory and size. */
async function buildIndexes(
  work: string,
  options: { workspace: string; rows: number },
): Promise<BenchTable> {
  const { workspace, rows } = options;
  const { layout } = openStore(workspace);
  const lines: (string | number)[][] = [];
  for (const [name, kind] of [["words", "none"], ["words and vectors", "local"]]) {
    const ctx = (...words: string[]): Contender => ({
      ...ctxProcess(work, workspace, words),
      name,
    });
    await measureProcess(ctx("config", "set", "embedder.kind", kind));
    const { wallS, cpuS, peakMb } = await measureProcess(ctx("reindex", "--full"));
    const bytes = diskFiles.list(layout.index).reduce(
      (sum, file) => sum + (diskFiles.findSize(`${layout.index}/${file}`) ?? 0),
      0,
    );
    lines.push([name, round(wallS, 1), round(cpuS, 1), peakMb, round(bytes / 1e6, 1)]);
  }
  return {
    title: `ctx reindex --full, ${rows} rows, whole process`,
    head: ["what", "wall s", "processor s", "peak MB", "index MB"],
    rows: lines,
  };
}

/** What comes with single writes and searches: an append until it is found, the trace of a search. */
async function stepTable(workspace: string, rows: number): Promise<BenchTable> {
  const store = openStore(workspace);
  const appends = await appendTimes(store);
  const traces = await traceTimes(store);
  await catchUp(store, { sealBytes: 1, embedder: findLocalEmbedder({ whole: true }) });
  // Rows that ctx itself appends are counted.
  await store.write("bench", () => {});
  const line = (name: string, times: number[]): (string | number)[] => [
    name,
    times.length,
    round(medianOf(times), 3),
    round(percentileOf(times, 95), 3),
  ];
  return {
    title: `Steps, ${rows} rows, ms`,
    head: ["what", "samples", "p50", "p95"],
    rows: [
      line("append a row until a search finds it", appends),
      line("write the trace of a search", traces),
    ],
  };
}

/** From a row's append to its first hit. */
async function appendTimes(store: Store): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < 40; i++) {
    const [line] = generateRows({ rows: 1, seed: 1000 + i });
    const row = { ...JSON.parse(line), id: `H-bench${i}`, text: `zanzibar${i} arrives` };
    const start = performance.now();
    diskFiles.append(store.layout.history.hot, encode(row), { sync: false });
    const found = await search(store, request(`zanzibar${i}`, "lexical"));
    times.push(performance.now() - start);
    if (found.total !== 1) throw new Error("the appended row was not found");
  }
  closeIndex(store);
  return times;
}

/** What a search writes of itself: the state's revision, redaction, one line. */
async function traceTimes(store: Store): Promise<number[]> {
  const { files, layout } = store;
  const wanted = request(question, "lexical");
  const answer = await search(store, wanted);
  const ranking = answer.rows.map(({ id, rank_source, score_lex, score_vec, score_final }) => ({
    id,
    rank_source,
    score_lex,
    score_vec,
    score_final,
  }));
  const times: number[] = [];
  for (let i = 0; i < 300; i++) {
    const start = performance.now();
    const written = await appendTrace({ files, layout, now: Date.now, random: () => `b${i}` }, {
      command: "search",
      args: { ...wanted },
      query: question,
      ranking,
      total: answer.total,
      branch: answer.branch,
      engine: answer.engine,
      state_revision: store.readState().revision,
      duration_ms: 1,
      ok: true,
      surface: "cli",
    });
    times.push(performance.now() - start);
    if (written === undefined) throw new Error("the trace was not written");
  }
  closeIndex(store);
  return times;
}

/** Searches in one process, with peers. */
async function warmTable(workspace: string, rows: number): Promise<BenchTable> {
  const store = openStore(workspace);
  const queries = generateQueries(60);
  const engines: [string, (text: string) => unknown][] = [
    ["ctx, words", (text) => search(store, request(text, "lexical"))],
    ["ctx, hybrid", (text) => search(store, request(text, "hybrid"))],
  ];
  using peers = await openPeers(`${workspace}/.contextfs/history.ndjson`, rows);
  engines.push(...peers.engines);
  const times: number[][] = engines.map(() => []);
  const rounds = rows >= manyRows ? 1 : turns;
  // Turn by turn, so that noise hits all alike; the first turn only warms up.
  for (let turn = 0; turn <= rounds; turn++) {
    for (const [at, [, find]] of engines.entries()) {
      const asked = turn === 0 ? queries.slice(0, 20) : queries;
      for (const { text } of asked) {
        const start = performance.now();
        await find(text);
        if (turn > 0) times[at].push(performance.now() - start);
      }
    }
  }
  closeIndex(store);
  const base = medianOf(times[0]);
  return {
    title: `Warm search, ${rows} rows, ms (all of ${times[0].length} searches: ` +
      `${queries.length} queries, ${rounds} each)`,
    head: ["engine", "p50", "p95", "p50 to ctx"],
    rows: engines.map(([name], at) => [
      name,
      round(medianOf(times[at])),
      round(percentileOf(times[at], 95)),
      round(medianOf(times[at]) / base, 1),
    ]),
  };
}

/** Whole processes, interleaved. */
async function coldTable(
  work: string,
  options: { workspace: string; rows: number },
): Promise<BenchTable> {
  const { workspace, rows } = options;
  await Deno.writeTextFile(`${work}/empty.ts`, 'console.log("ctx");\n');
  const deno = Deno.execPath();
  const peer = fromFileUrl(new URL("./search_peers.ts", import.meta.url));
  const config = fromFileUrl(new URL("../../deno.json", import.meta.url));
  const ctx = (name: string, ...words: string[]): Contender => ({
    ...ctxProcess(work, workspace, ["search", ...words]),
    name,
  });
  const contenders: Contender[] = [
    { name: "empty Deno script", command: deno, args: ["run", "-A", `${work}/empty.ts`] },
    ctx("ctx search, one word", "deadlock", "--mode", "lexical"),
    ctx("ctx search, question", question, "--mode", "lexical"),
    ctx("ctx search, question, hybrid", question),
    {
      name: "SQLite FTS5, question",
      command: deno,
      args: ["run", "-A", "--config", config, peer, `${workspace}/fts.db`, question],
    },
  ];
  if (await isInstalled("rg")) {
    // Its best case, counting lines that hold one of the longer words in any place; and what answers
    // the question as asked: rows that hold one of its words as a word.
    const words = question.split(" ");
    const log = `${workspace}/.contextfs/history.ndjson`;
    const longer = words.filter((word) => word.length > 3).join("|");
    contenders.push(
      { name: "ripgrep -i -c, longer words", command: "rg", args: ["-i", "-c", longer, log] },
      {
        name: "ripgrep -i -w, question",
        command: "rg",
        args: ["-i", "-w", words.join("|"), log],
      },
    );
  }
  const env = homeIn(work);
  const placed = contenders.map((contender) => ({ ...contender, cwd: workspace, env }));
  const times = await raceProcesses(placed, cold);
  const peaks: (number | string)[] = [];
  for (const contender of placed) peaks.push((await measureProcess(contender)).peakMb);
  return {
    title: `Cold search, ${rows} rows, whole process, wall ms (median of ${cold}, interleaved)`,
    head: ["process", "ms", "ratio to empty script", "peak MB"],
    rows: contenders.map(({ name }, i) => [
      name,
      round(times[i], 1),
      round(times[i] / times[0], 1),
      peaks[i],
    ]),
  };
}

function homeIn(work: string): Record<string, string> {
  return { HOME: work, XDG_CONFIG_HOME: work, XDG_CACHE_HOME: `${work}/cache` };
}

/** The built file with some words. */
function ctxProcess(work: string, workspace: string, words: string[]): Contender {
  return {
    name: "ctx",
    command: `${work}/ctx`,
    args: words,
    cwd: workspace,
    env: homeIn(work),
  };
}

function openStore(workspace: string): Store {
  const quiet = (): void => {};
  return new Store({ workspace, files: diskFiles, now: () => 0, random: () => "", warn: quiet });
}

function request(query: string, mode: "lexical" | "hybrid"): Parameters<typeof search>[1] {
  return { query, k: 5, offset: 0, scope: "all", mode };
}

function encode(row: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(row) + "\n");
}

async function isInstalled(command: string): Promise<boolean> {
  try {
    return (await new Deno.Command(command, { args: ["--version"] }).output()).success;
  } catch {
    return false;
  }
}
