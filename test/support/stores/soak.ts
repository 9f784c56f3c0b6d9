// Several processes at random on one store, and the account at the end: every acknowledged entry is
// there exactly once, or was forgotten. Used by the suite (short) and by `deno task soak` (long).

import assert from "node:assert/strict";
import { repository } from "../repository.ts";
import { denoEnv } from "../processes/run_ctx.ts";
import { tempStore } from "./temp_store.ts";

/** How much to do; whatever bound is reached first ends it. */
export interface SoakOptions {
  processes: number;
  steps: number;
  milliseconds: number;
  seed: number;
}

/** What was done. */
export interface SoakReport {
  saved: number;
  forgotten: number;
  archived: number;
  counts: Record<string, number>;
}

interface WorkerReport {
  live: string[];
  forgotten: string[];
  counts: Record<string, number>;
}

/** Runs the processes, then checks the account and the store's health. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  await using t = await tempStore();
  t.write("config.jsonc", '{"lock_timeout_ms": 120000, "durability": "fast"}');
  const ends = await Promise.allSettled(
    Array.from({ length: options.processes }, (_, i) => work(t.workspace, i, options)),
  );
  const workers = ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
  const live = workers.flatMap((worker) => worker.live);
  const forgotten = workers.flatMap((worker) => worker.forgotten);
  const rows = [...t.open().entries()];
  assert.deepEqual(rows.map(({ entry }) => entry.id).sort(), live.sort());
  await t.run("gc");
  const left = [...t.open().rows()].map(({ entry }) => entry.id);
  assert.deepEqual(left.sort(), live, "gc leaves exactly what lives");
  assert.deepEqual(await t.ailments(), []);
  const counts: Record<string, number> = {};
  for (const worker of workers) {
    for (const [kind, count] of Object.entries(worker.counts)) {
      counts[kind] = (counts[kind] ?? 0) + count;
    }
  }
  return {
    saved: live.length + forgotten.length,
    forgotten: forgotten.length,
    archived: rows.filter(({ pool }) => pool === "archive").length,
    counts,
  };
}

async function work(
  workspace: string,
  index: number,
  options: SoakOptions,
): Promise<WorkerReport> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--cached-only",
      "--config",
      `${repository}/deno.json`,
      `${repository}/test/support/stores/soak_worker.ts`,
      workspace,
      `w${index}`,
      String(options.seed + index),
      String(options.steps),
      String(options.milliseconds),
    ],
    clearEnv: true,
    env: denoEnv(workspace),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`worker ${index}: ${new TextDecoder().decode(stderr)}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
