// A store of a million entries: how long compact, gc, doctor and stats take, and the most memory
// each takes as a whole process, with the V8 flags of the shipped forms. The bar is 300 MB.

import { v8Flags } from "../src/serve/mcp/start_flags.ts";
import type { BenchTable } from "./support/table.ts";
import { fromFileUrl } from "../src/core/platform_path.ts";

const rows = Number(Deno.env.get("CTX_BENCH_ROWS") ?? 1_000_000);
const forgotten = 1000;
const barMb = 300;
const words =
  "token session refresh cache index parser retry schema border queue lock shard merge stream decode replay budget vector ranking snippet archive"
    .split(" ");

interface Measured {
  command: string;
  wall_ms: number;
  cpu_ms: number;
  peak_mb: number;
  store_mb: number;
}

/** Measures each command on one store, in the order in which a user would run them. */
export async function run(): Promise<BenchTable[]> {
  const workspace = await Deno.makeTempDir({ prefix: "ctx-lifecycle-" });
  try {
    await makeStore(workspace);
    const measured: Measured[] = [];
    for (
      const command of [
        ["reindex"],
        ["stats"],
        ["doctor"],
        ["compact", "--keep", "1000", "--older-than", "0"],
        ["gc", "--yes"],
        ["stats"],
        ["doctor"],
        ["pack"],
        ["export", "--format", "ndjson"],
      ]
    ) measured.push(await measure(workspace, command));
    await keep(measured);
    return [toTable(measured)];
  } finally {
    await Deno.remove(workspace, { recursive: true });
  }
}

function toTable(measured: Measured[]): BenchTable {
  return {
    title: `${rows.toLocaleString("en-US")} entries, whole processes; the bar is ${barMb} MB`,
    head: [
      "command",
      "seconds",
      "processor seconds",
      "peak RSS, MB",
      "store, MB",
      "within the bar",
    ],
    rows: measured.map((item) => [
      item.command,
      (item.wall_ms / 1000).toFixed(1),
      (item.cpu_ms / 1000).toFixed(1),
      item.peak_mb.toFixed(0),
      item.store_mb.toFixed(0),
      item.peak_mb <= barMb ? "yes" : "no",
    ]),
  };
}

async function measure(workspace: string, words: string[]): Promise<Measured> {
  const file = `${workspace}/measured.json`;
  const script = fromFileUrl(new URL("./support/peak_memory.ts", import.meta.url));
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", v8Flags, script, file, ...words, "--workspace", workspace],
    env: { HOME: workspace, XDG_CONFIG_HOME: workspace },
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  const { code, wall_ms, cpu_ms, peak_mb } = JSON.parse(await Deno.readTextFile(file));
  if (code !== 0) throw new Error(`ctx ${words.join(" ")} ended with ${code}`);
  return { command: words.join(" "), wall_ms, cpu_ms, peak_mb, store_mb: await sizeOf(workspace) };
}

async function sizeOf(workspace: string): Promise<number> {
  let bytes = 0;
  for (const name of ["history.ndjson", "history.archive.ndjson"]) {
    bytes += (await Deno.stat(`${workspace}/.contextfs/${name}`).catch(() => ({ size: 0 }))).size;
  }
  return Math.round(bytes / 1e6);
}

/** Entries over three years in a thousand sessions; the last row forgets some of them. */
async function makeStore(workspace: string): Promise<void> {
  await Deno.mkdir(`${workspace}/.contextfs`);
  using file = await Deno.open(`${workspace}/.contextfs/history.ndjson`, {
    write: true,
    create: true,
  });
  const encoder = new TextEncoder();
  const write = (text: string): void => {
    let bytes = encoder.encode(text);
    while (bytes.length > 0) bytes = bytes.subarray(file.writeSync(bytes));
  };
  let block = "";
  for (let i = 0; i < rows; i++) {
    block += JSON.stringify(makeRow(i)) + "\n";
    if (i % 2000 === 1999) {
      write(block);
      block = "";
    }
  }
  const refs = Array.from({ length: forgotten }, (_, i) => idOf(i * Math.floor(rows / forgotten)));
  const tombstone = { id: "H-bench-end", ts: timeOf(rows), role: "note", type: "tombstone" };
  write(block + JSON.stringify({ ...tombstone, text: "", refs }) + "\n");
}

function makeRow(i: number): object {
  let seed = (i + 1) * 2654435761 % 4294967296;
  const word = (): string => {
    seed = (seed * 1664525 + 1013904223) % 4294967296;
    return words[seed % words.length];
  };
  const text = Array.from({ length: 20 + i % 60 }, word).join(" ");
  return {
    id: idOf(i),
    ts: timeOf(i),
    role: i % 2 === 0 ? "user" : "assistant",
    type: i % 50 === 0 ? "decision" : "turn",
    text,
    session_id: `S-bench-${Math.floor(i / 1000)}`,
    files: [`src/${word()}/${word()}.ts`],
    source: { agent: i % 3 === 0 ? "codex" : "claude-code" },
  };
}

function idOf(i: number): string {
  return `H-bench${i.toString(36).padStart(10, "0")}`;
}

function timeOf(i: number): string {
  return new Date(Date.parse("2023-01-01T00:00:00Z") + i * 90_000).toISOString();
}

async function keep(measured: Measured[]): Promise<void> {
  const results = new URL("./results/", import.meta.url);
  await Deno.mkdir(results, { recursive: true });
  const machine =
    `${Deno.build.os} ${Deno.build.arch}, ${navigator.hardwareConcurrency} cores, Deno ${Deno.version.deno}`;
  const date = new Date().toISOString().slice(0, 10);
  const report = { date, machine, rows, bar_mb: barMb, measured };
  await Deno.writeTextFile(
    new URL("lifecycle.json", results),
    JSON.stringify(report, null, 2) + "\n",
  );
}
