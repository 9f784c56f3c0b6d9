// Runs one `ctx` command and then writes how it went to a file: exit code, wall time and the peak
// resident memory that the kernel counted for the whole process.
// Usage: deno run -A bench/peak_memory.ts FILE WORDS…

import { runCli } from "../src/cli/main.ts";

const [file, ...words] = Deno.args;
const start = performance.now();
const code = await runCli(words);
const wallMs = Math.round(performance.now() - start);
const status = Deno.readTextFileSync("/proc/self/status");
const peakKb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0);
Deno.writeTextFileSync(file, JSON.stringify({ code, wall_ms: wallMs, peak_mb: peakKb / 1024 }));
Deno.exit(0);
