// `deno task soak [SECONDS] [PROCESSES]`: eight processes for a minute on one store; prints the
// account.

import { soak } from "../support/soak.ts";

const seconds = Number(Deno.args[0] ?? 60);
const processes = Number(Deno.args[1] ?? 8);
const seed = Date.now() % 1e6;
const started = performance.now();
const report = await soak({ processes, steps: 100_000, milliseconds: seconds * 1000, seed });
const elapsed = Math.round(performance.now() - started);
const line = JSON.stringify({ processes, seed, elapsed_ms: elapsed, ...report });
Deno.stdout.writeSync(new TextEncoder().encode(line + "\n"));
