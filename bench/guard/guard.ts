// What guards cost a hook, and how well rules become checks. The second needs a checkout of
// for-ai/MemoryCode, given with --data, and Python for its own checker; nothing of it is kept.
// Run: deno task bench guard [--data DIR]

import type { BenchTable } from "../support/table.ts";
import { guardCost } from "./guard_cost.ts";

/** The tables. */
export async function run(): Promise<BenchTable[]> {
  const data = Deno.env.get("CTX_BENCH_DATA");
  const tables = [await guardCost()];
  if (data === undefined) return tables;
  const { memoryCode } = await import("./memory_code.ts");
  return [...tables, ...await memoryCode(data)];
}
