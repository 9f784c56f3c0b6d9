// Append throughput of the store in one process, with and without waiting for the disk, against
// writing the same bytes to a plain file.

import type { Draft } from "../src/core/entry.ts";
import { diskFiles } from "../src/disk/files.ts";
import { Store } from "../src/store/store.ts";
import { type BenchTable, round } from "./support/table.ts";

const count = 500;

/** Measures appends per second. */
export async function run(): Promise<BenchTable[]> {
  const plain = await timePlain();
  const fast = await timeStore(false);
  const sync = await timeStore(true);
  const row = (name: string, ms: number): (string | number)[] => [
    name,
    Math.round(count / (ms / 1000)),
    round(ms / count, 3),
    round(ms / plain),
  ];
  return [{
    title: `Append ${count} entries of 400 characters, one transaction each`,
    head: ["way", "entries/s", "ms each", "ratio to a plain append"],
    rows: [
      row("plain append of the same bytes", plain),
      row("store, durability fast", fast),
      row("store, durability sync", sync),
    ],
  }];
}

async function timeStore(sync: boolean): Promise<number> {
  const workspace = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    await Deno.mkdir(`${workspace}/.contextfs`);
    const store = new Store({
      workspace,
      files: diskFiles,
      now: Date.now,
      random: () => crypto.randomUUID(),
      warn: () => {},
      sync,
    });
    const start = performance.now();
    for (let i = 0; i < count; i++) {
      await store.write("bench", (writer) => writer.append([draft(i)]));
    }
    return performance.now() - start;
  } finally {
    await Deno.remove(workspace, { recursive: true });
  }
}

async function timePlain(): Promise<number> {
  const path = await Deno.makeTempFile({ prefix: "ctx-bench-" });
  try {
    const start = performance.now();
    for (let i = 0; i < count; i++) {
      const bytes = new TextEncoder().encode(JSON.stringify(draft(i)) + "\n");
      diskFiles.append(path, bytes, { sync: false });
    }
    return performance.now() - start;
  } finally {
    await Deno.remove(path);
  }
}

function draft(i: number): Draft {
  const text = `entry ${i}: ${"the quick brown fox jumps over the lazy dog ".repeat(9)}`;
  return { role: "note", type: "note", text };
}
