// Runs one `ctx` command and then writes how it went to a file: exit code, wall and processor
// time and the peak resident memory that the kernel counted for the whole process.
// Usage: deno run -A bench/support/peak_memory.ts FILE WORDS…

import { runCli } from "../../src/cli/main.ts";

const [file, ...words] = Deno.args;
const start = performance.now();
const code = await runCli(words);
const wallMs = Math.round(performance.now() - start);
const status = Deno.readTextFileSync("/proc/self/status");
const peakKb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0);
const fields = Deno.readTextFileSync("/proc/self/stat").replace(/^.*\) /s, "").split(" ");
const cpuMs = (Number(fields[11]) + Number(fields[12])) * 10;
const peakMb = Math.round(peakKb / 1024);
Deno.writeTextFileSync(
  file,
  JSON.stringify({ code, wall_ms: wallMs, cpu_ms: cpuMs, peak_mb: peakMb }),
);
Deno.exit(0);
