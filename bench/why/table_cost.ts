// What the table of lines costs, in a process of its own: time of the processor, which others on the machine
// do not change much, and peak memory. Usage: deno run -A bench/why/table_cost.ts WORKSPACE

import { openLines, refreshLines } from "../../src/index/lines/line_table.ts";
import { openStore } from "../quality/open_store.ts";
import { medianOf } from "../support/table.ts";

const [workspace] = Deno.args;
const store = openStore(workspace);
const log = `${workspace}/.contextfs/history.ndjson`;

/** Milliseconds of the processor in this process. */
function cpuMs(): number {
  const fields = Deno.readTextFileSync("/proc/self/stat").replace(/^.*\) /s, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function cost(work: () => Promise<void>): Promise<{ ms: number; cpu_ms: number }> {
  const [start, cpu] = [performance.now(), cpuMs()];
  await work();
  return { ms: Math.round(performance.now() - start), cpu_ms: Math.round(cpuMs() - cpu) };
}

const build = await cost(() => refreshLines(store, { full: true, anew: true }));
const peak = Number(/VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))?.[1]) / 1024;
const open = await cost(async () => {
  using _table = await openLines(store);
});
const { size } = Deno.statSync(`${workspace}/.contextfs/index/lines.bin`);
// Rows as they are there, under new ids: as much as has it written, several times.
const lines = Deno.readTextFileSync(log).split("\n").filter((line) => line !== "");
const additions: { ms: number; cpu_ms: number }[] = [];
for (let round = 0, at = 0; round < 7; round++) {
  const fresh: string[] = [];
  for (let bytes = 0; bytes < 300_000; bytes += lines[at++].length) {
    fresh.push(lines[at].replace('"id":"H-', `"id":"H-${round}new`));
  }
  Deno.writeTextFileSync(log, `${fresh.join("\n")}\n`, { append: true });
  additions.push(await cost(() => refreshLines(openStore(workspace))));
}
const more = {
  ms: medianOf(additions.map(({ ms }) => ms)),
  cpu_ms: medianOf(additions.map(({ cpu_ms }) => cpu_ms)),
};
const report = { entries: lines.length, build, open, more, size, peak_mb: Math.round(peak) };
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(report)));
