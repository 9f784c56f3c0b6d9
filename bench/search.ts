// Search against its peers on generated rows: cold (a fresh process) and warm, with build time, index
// size and memory. In one run and interleaved, so that the ratios hold on a noisy machine.
// CTX_BENCH_ROWS=1000,10000,100000 chooses the sizes; the peers that keep everything in memory stop
// at 10,000 rows.

import { bundle, stampBundle } from "../build/bundle.ts";
import { catchUp } from "../src/index/catch_up.ts";
import { findLocalEmbedder } from "../src/index/embedder_local.ts";
import { reindex } from "../src/index/reindex.ts";
import { closeIndex, search } from "../src/retrieval/search.ts";
import { diskFiles } from "../src/store/files.ts";
import { Store } from "../src/store/store.ts";
import { generateQueries, generateRows, writeHistory } from "./generate.ts";
import { type Contender, raceProcesses } from "./processes.ts";
import { openPeers } from "./search_peers.ts";
import { type BenchTable, medianOf, round } from "./table.ts";

const question = "how do we retry the cache when the deploy fails";
const cold = 15;

/** Measures every size. */
export async function run(): Promise<BenchTable[]> {
  const sizes = (Deno.env.get("CTX_BENCH_ROWS") ?? "1000,10000,100000").split(",").map(Number);
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    await bundle(`${work}/parts`);
    await stampBundle(`${work}/parts`, `${work}/bundle`, { form: "bundle" });
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
  const built = await buildIndexes(workspace);
  const warm = await warmTable(workspace, rows);
  const race = await coldTable(work, { workspace, rows });
  return [built, race, warm];
}

/** Build time, size and memory of the index, without and with vectors, and of one append. */
async function buildIndexes(workspace: string): Promise<BenchTable> {
  const store = openStore(workspace);
  const lines: (string | number)[][] = [];
  const embedder = findLocalEmbedder({ whole: true });
  for (const [name, own] of [["words", undefined], ["words and vectors", embedder]] as const) {
    const start = cpuMs();
    const { rows, segments } = await reindex(store, { full: true, embedder: own });
    const spent = cpuMs() - start;
    const bytes = diskFiles.list(store.layout.index).reduce(
      (sum, file) => sum + (diskFiles.findSize(`${store.layout.index}/${file}`) ?? 0),
      0,
    );
    lines.push([name, rows, segments, round(spent / 1000, 1), round(bytes / 1e6, 1), peakMb()]);
  }
  lines.push(["append to searchable", 1, 0, round(await appendMs(store) / 1000, 4), 0, peakMb()]);
  await catchUp(store, { sealBytes: 1, embedder });
  return {
    title: `Index, ${lines[0][1]} rows`,
    head: ["what", "rows", "segments", "processor s", "MB", "peak MB of this process"],
    rows: lines,
  };
}

/** From a row's append to its first hit, median of 20. */
async function appendMs(store: Store): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 20; i++) {
    const [line] = generateRows({ rows: 1, seed: 1000 + i });
    const row = { ...JSON.parse(line), id: `H-bench${i}`, text: `zanzibar${i} arrives` };
    const start = performance.now();
    diskFiles.append(store.layout.history.hot, encode(row), { sync: false });
    const found = await search(store, request(`zanzibar${i}`, "lexical"));
    times.push(performance.now() - start);
    if (found.total !== 1) throw new Error("the appended row was not found");
  }
  closeIndex(store);
  return medianOf(times);
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
  const lines: (string | number)[][] = [];
  for (const [name, find] of engines) {
    // The best of a few turns of each query: noise only ever adds.
    const times = queries.map(() => Infinity);
    for (let turn = 0; turn < 5; turn++) {
      for (const [i, { text }] of queries.entries()) {
        const start = performance.now();
        await find(text);
        times[i] = Math.min(times[i], performance.now() - start);
      }
    }
    times.sort((a, b) => a - b);
    const p95 = times[Math.floor(times.length * 0.95)];
    lines.push([name, round(medianOf(times)), round(p95)]);
  }
  closeIndex(store);
  const base = Number(lines[0][1]);
  return {
    title: `Warm search, ${rows} rows, ms (best of five of each of 60 queries)`,
    head: ["engine", "p50", "p95", "p50 to ctx"],
    rows: lines.map((line) => [...line, round(Number(line[1]) / base, 1)]),
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
  const ctx = ["run", "-A", "--no-check", `${work}/bundle/mod.js`, "search"];
  const peer = new URL("./search_peers.ts", import.meta.url).pathname;
  const config = new URL("../deno.json", import.meta.url).pathname;
  const contenders: Contender[] = [
    { name: "empty Deno script", command: deno, args: ["run", "-A", `${work}/empty.ts`] },
    {
      name: "ctx search, one word",
      command: deno,
      args: [...ctx, "deadlock", "--mode", "lexical"],
    },
    { name: "ctx search, question", command: deno, args: [...ctx, question, "--mode", "lexical"] },
    { name: "ctx search, question, hybrid", command: deno, args: [...ctx, question] },
    {
      name: "SQLite FTS5, question",
      command: deno,
      args: ["run", "-A", "--config", config, peer, `${workspace}/fts.db`, question],
    },
  ];
  if (await isInstalled("rg")) {
    const words = question.split(" ").filter((word) => word.length > 3).join("|");
    const args = ["-i", "-c", words, `${workspace}/.contextfs/history.ndjson`];
    contenders.push({ name: "ripgrep -i, question", command: "rg", args });
  }
  const env = { XDG_CONFIG_HOME: work, HOME: work };
  const times = await raceProcesses(
    contenders.map((contender) => ({ ...contender, cwd: workspace, env })),
    cold,
  );
  const peaks: string[] = [];
  for (const contender of contenders) {
    peaks.push(await peakOf({ ...contender, cwd: workspace, env }));
  }
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

/** The peak memory of a process, where GNU time is installed. */
async function peakOf({ command, args, cwd, env }: Contender): Promise<string> {
  try {
    const { stderr } = await new Deno.Command("/usr/bin/time", {
      args: ["-f", "peak %M", command, ...args],
      cwd,
      env,
    }).output();
    const kilobytes = /peak (\d+)/.exec(new TextDecoder().decode(stderr))?.[1];
    return kilobytes === undefined ? "" : String(Math.round(Number(kilobytes) / 1024));
  } catch {
    return "";
  }
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

/** Processor time of the main thread; on a busy machine wall time says little. */
function cpuMs(): number {
  try {
    return Number(Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ")[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

function peakMb(): number {
  try {
    const status = Deno.readTextFileSync("/proc/self/status");
    return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return Math.round(Deno.memoryUsage().rss / 1e6);
  }
}

async function isInstalled(command: string): Promise<boolean> {
  try {
    return (await new Deno.Command(command, { args: ["--version"] }).output()).success;
  } catch {
    return false;
  }
}
