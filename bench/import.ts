// `ctx import` of Claude Code transcripts as users run it, the built file: until everything can be found
// by words, and with --wait to the end: indexed with vectors, records derived. Against JSON.parse over the
// same lines in one run; with the peak memory of the whole process and the time until another process
// finds the newest session.
// Run: deno task bench import [--data DIR]   (DIR has a tree of transcripts; its figures are not kept)

import { takeLock } from "../src/disk/lock.ts";
import { buildFile } from "./support/built_file.ts";
import { measureProcess, type ProcessFigures } from "./support/processes.ts";
import { type BenchTable, medianOf, round } from "./support/table.ts";
import { writeTranscripts } from "./support/transcript.ts";

const sizesMb = [100, 500];
const rounds = 3;

/** A tree of transcripts to import. */
interface Tree {
  name: string;
  root: string;
}

/** What it is imported with. */
interface Program {
  path: string;
  work: string;
  env: Record<string, string>;
}

/** Builds, and measures every tree. */
export async function run(): Promise<BenchTable[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const { path } = await buildFile(`${work}/built`, { gzip: true });
    const env = { HOME: `${work}/home`, XDG_CACHE_HOME: `${work}/cache` };
    const program = { path, work, env };
    await ctx(program, work, ["--version"]);
    const rows: (string | number)[][] = [];
    for (const tree of openTrees(work)) rows.push(await measureTree(program, tree));
    return [{
      title: `ctx import claude-code, whole process (median of ${rounds}, interleaved)`,
      head: [
        "transcripts",
        "JSON.parse, s",
        "until found by words, s",
        "its processor time, s",
        "all done (--wait), s",
        "its processor time, s",
        "speed relative to JSON.parse: found, all",
        "peak memory, MB",
        "newest session found after, s",
      ],
      rows,
    }];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

function* openTrees(work: string): Generator<Tree> {
  const given = Deno.env.get("CTX_BENCH_DATA");
  if (given !== undefined) return yield { name: "given", root: Deno.realPathSync(given) };
  for (const size of sizesMb) {
    const root = `${work}/tree-${size}`;
    writeTranscripts(root, size * 1e6);
    yield { name: "generated", root };
    Deno.removeSync(root, { recursive: true });
  }
}

/** Parsing and importing take turns, so that noise hits both alike. */
async function measureTree(program: Program, { name, root }: Tree): Promise<(string | number)[]> {
  const parsing: number[] = [];
  const found: ProcessFigures[] = [];
  const whole: ProcessFigures[] = [];
  let bytes = 0;
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    bytes = parseTree(root);
    parsing.push((performance.now() - start) / 1000);
    for (const [figures, flags] of [[found, []], [whole, ["--wait"]]] as const) {
      await inStore(program, async (cwd) => {
        const { path, env } = program;
        const args = [...wordsFor(root), ...flags];
        figures.push(await measureProcess({ name, command: path, args, cwd, env }));
      });
    }
  }
  const base = medianOf(parsing);
  const walls = [found, whole].map((figures) => medianOf(figures.map(({ wallS }) => wallS)));
  const cpus = [found, whole].map((figures) => medianOf(figures.map(({ cpuS }) => cpuS)));
  const peaks = [...found, ...whole].map(({ peakMb }) => Number(peakMb));
  return [
    `${name}, ${round(bytes / 1e6, 0)} MB`,
    round(base, 1),
    round(walls[0], 1),
    round(cpus[0], 1),
    round(walls[1], 1),
    round(cpus[1], 1),
    walls.map((wall) => round(base / wall)).join(", "),
    Math.max(...peaks),
    round(await timeToFirst(program, root), 1),
  ];
}

function wordsFor(root: string): string[] {
  return ["import", "claude-code", "--root", root, "--all-projects"];
}

/** How long after its start an import can be searched: another process finds a row of the log. */
async function timeToFirst(program: Program, root: string): Promise<number> {
  return await inStore(program, async (cwd) => {
    const start = performance.now();
    const { path: command, env } = program;
    const child = new Deno.Command(command, { args: wordsFor(root), cwd, env, stdout: "null" })
      .spawn();
    let found: number | undefined;
    while (found === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const word = findWord(`${cwd}/.contextfs/history.ndjson`);
      if (word === undefined) continue;
      const { results } = JSON.parse(await ctx(program, cwd, ["search", word, "--json"]));
      if (results.length > 0) found = (performance.now() - start) / 1000;
    }
    await child.status;
    return found;
  });
}

/** The longest word of the first row that is there. */
function findWord(log: string): string | undefined {
  try {
    const [line] = Deno.readTextFileSync(log).split("\n", 1);
    const { text } = JSON.parse(line);
    return String(text).match(/[A-Za-z]{4,20}/g)?.sort((a, b) => b.length - a.length)[0];
  } catch {
    return undefined;
  }
}

const holder = { pid: Deno.pid, command: "bench", since: "" };

/** Does something with a store of its own. */
async function inStore<T>(program: Program, action: (cwd: string) => Promise<T>): Promise<T> {
  const cwd = await Deno.makeTempDir({ dir: program.work, prefix: "store-" });
  await ctx(program, cwd, ["init"]);
  const result = await action(cwd);
  // What follows in the background would disturb the next.
  while (JSON.parse(await ctx(program, cwd, ["status", "--json"])).pending !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  using _ = await takeLock(`${cwd}/.contextfs/.follow.lock`, { holder, timeoutMs: 60_000 });
  await Deno.remove(cwd, { recursive: true });
  return result;
}

async function ctx({ path, env }: Program, cwd: string, args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(path, { args, cwd, env }).output();
  if (!success) throw new Error(`ctx ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** Parses every line of every file and returns how many bytes they have. */
function parseTree(directory: string): number {
  let bytes = 0;
  for (const { name, isDirectory } of Deno.readDirSync(directory)) {
    const path = `${directory}/${name}`;
    bytes += isDirectory ? parseTree(path) : parseLines(path);
  }
  return bytes;
}

function parseLines(path: string): number {
  using file = Deno.openSync(path, { read: true });
  const decoder = new TextDecoder();
  let buffer = new Uint8Array(1 << 20);
  let kept = 0;
  let bytes = 0;
  for (let count = file.readSync(buffer); count; count = file.readSync(buffer.subarray(kept))) {
    bytes += count;
    const filled = kept + count;
    let start = 0;
    for (let end = buffer.indexOf(10); end >= 0 && end < filled; end = buffer.indexOf(10, start)) {
      parseLine(decoder.decode(buffer.subarray(start, end)));
      start = end + 1;
    }
    buffer.copyWithin(0, start, filled);
    kept = filled - start;
    if (kept === buffer.length) {
      const larger = new Uint8Array(buffer.length * 2);
      larger.set(buffer);
      buffer = larger;
    }
  }
  return bytes;
}

/** Real transcripts have lines that were cut. */
function parseLine(line: string): void {
  try {
    JSON.parse(line);
  } catch {
    return;
  }
}
