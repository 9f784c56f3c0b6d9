// Importing Claude Code transcripts: against JSON.parse over the same lines, in one run, and the
// peak memory of the whole process for files of several sizes.

import { claudeCode } from "../src/sources/claude_code/claude_code.ts";
import { Databases } from "../src/sources/database/databases.ts";
import { Tally } from "../src/sources/problem_tally.ts";
import { type BenchTable, medianOf, round } from "./table.ts";
import { writeTranscript } from "./transcript.ts";

const rounds = 7;
const sizesMb = [32, 256];

/** Measures reading, the whole import, and memory. */
export async function run(): Promise<BenchTable[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    return [await measureSpeed(work), await measureMemory(work)];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** Parsing and importing take turns, so that noise hits both alike. */
async function measureSpeed(work: string): Promise<BenchTable> {
  const path = `${work}/session.jsonl`;
  const bytes = writeTranscript(path, 48 << 20);
  const [parsing, reading, importing]: number[][] = [[], [], []];
  for (let i = 0; i < rounds; i++) {
    parsing.push(await time(() => parseLines(path)));
    reading.push(await time(() => readSource(path)));
    importing.push(await importAll(work, path, i));
  }
  const base = medianOf(parsing);
  const row = (name: string, times: number[]): (string | number)[] => {
    const ms = medianOf(times);
    return [name, round(ms, 0), round(bytes / 1e3 / ms, 0), round(base / ms)];
  };
  return {
    title: `Claude Code transcript of ${
      round(bytes / 1e6, 0)
    } MB (median of ${rounds}, interleaved)`,
    head: ["what", "ms", "MB/s", "speed relative to JSON.parse"],
    rows: [
      row("read, split, decode and JSON.parse every line", parsing),
      row("source: the same to entries", reading),
      row("ctx import: the same to the store, redacted and synced (in process)", importing),
    ],
  };
}

async function measureMemory(work: string): Promise<BenchTable> {
  const rows: (string | number)[][] = [];
  for (const size of sizesMb) {
    const root = `${work}/memory-${size}`;
    await Deno.mkdir(`${root}/history`, { recursive: true });
    const bytes = writeTranscript(`${root}/history/session.jsonl`, size << 20);
    await ctx(root, ["init"]);
    const peak = await ctx(root, ["import", "claude-code", "--root", "history", "--all-projects"]);
    rows.push([`${round(bytes / 1e6, 0)} MB`, round(peak / 1e6, 0)]);
    await Deno.remove(root, { recursive: true });
  }
  const root = `${work}/line`;
  await Deno.mkdir(`${root}/history`, { recursive: true });
  await Deno.writeTextFile(`${root}/history/session.jsonl`, '{"type":"user"}\n');
  await Deno.truncate(`${root}/history/session.jsonl`, 600_000_000);
  await ctx(root, ["init"]);
  const peak = await ctx(root, ["import", "claude-code", "--root", "history", "--all-projects"]);
  rows.push(["600 MB, one line", round(peak / 1e6, 0)]);
  return { title: "Peak memory of ctx import, whole process", head: ["file", "MB"], rows };
}

function parseLines(path: string): void {
  using file = Deno.openSync(path, { read: true });
  const decoder = new TextDecoder();
  let buffer = new Uint8Array(1 << 20);
  let kept = 0;
  for (let count = file.readSync(buffer); count; count = file.readSync(buffer.subarray(kept))) {
    const filled = kept + count;
    let start = 0;
    for (let end = buffer.indexOf(10); end >= 0 && end < filled; end = buffer.indexOf(10, start)) {
      JSON.parse(decoder.decode(buffer.subarray(start, end)));
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
}

async function readSource(path: string): Promise<void> {
  const session = { id: "s", path, signature: "" };
  const sink = { tally: new Tally(), entry: () => {}, describe: () => {} };
  using databases = new Databases();
  await claudeCode.read(session, sink, { now: Date.now(), scratch: "", databases });
}

async function importAll(work: string, path: string, round: number): Promise<number> {
  const [{ execute }, { findCommand }, { openContext }] = await Promise.all([
    import("../src/table/execute.ts"),
    import("../src/commands/mod.ts"),
    import("../src/app.ts"),
  ]);
  const workspace = `${work}/store-${round}`;
  await Deno.mkdir(workspace);
  const context = openContext({ workspace, cwd: workspace });
  const [init, load] = [await findCommand("init"), await findCommand("import")];
  if (init === undefined || load === undefined) throw new Error("no such command");
  await execute(init, {}, context);
  const input = { sources: ["claude-code"], root: path, all_projects: true };
  const ms = await time(async () => void await execute(load, input, context));
  await Deno.remove(workspace, { recursive: true });
  return ms;
}

async function time(action: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** Runs ctx and returns its peak memory in bytes, by /proc while it runs. */
async function ctx(cwd: string, words: string[]): Promise<number> {
  const mod = new URL("../mod.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", mod, ...words],
    cwd,
    stdout: "null",
    stderr: "null",
  }).spawn();
  let peak = 0;
  let done = false;
  const status = child.status.then((status) => {
    done = true;
    if (!status.success) throw new Error(`ctx ${words.join(" ")} failed`);
  });
  while (!done) {
    peak = Math.max(peak, readPeak(child.pid));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await status;
  return peak;
}

function readPeak(pid: number): number {
  try {
    const text = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(/VmHWM:\s+(\d+) kB/.exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
