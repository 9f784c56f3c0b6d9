// Times whole processes by the clock and by the processor, interleaved and order-flipped: on a machine with
// others on it the processor's time is what to look at. Needs bash, whose `time` counts in milliseconds.

import type { Contender } from "../support/processes.ts";
import { medianOf } from "../support/table.ts";

/** What a process took in milliseconds, as medians. */
export interface RaceFigures {
  wall: number;
  cpu: number;
}

/** Runs contenders against each other; the first two rounds do not count. */
export async function raceWithCpu(
  contenders: readonly Contender[],
  rounds: number,
): Promise<RaceFigures[]> {
  const taken = contenders.map(() => ({ wall: [] as number[], cpu: [] as number[] }));
  for (let i = 0; i < rounds + 2; i++) {
    const order = contenders.map((_, at) => at);
    if (i % 2 === 1) order.reverse();
    for (const at of order) {
      const { wall, cpu } = await measure(contenders[at]);
      if (i < 2) continue;
      taken[at].wall.push(wall);
      taken[at].cpu.push(cpu);
    }
  }
  return taken.map(({ wall, cpu }) => ({ wall: medianOf(wall), cpu: medianOf(cpu) }));
}

async function measure({ command, args, cwd, env }: Contender): Promise<RaceFigures> {
  const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" > /dev/null';
  const child = new Deno.Command("bash", { args: ["-c", script, "-", command, ...args], cwd, env });
  const { success, stderr } = await child.output();
  const text = new TextDecoder().decode(stderr);
  if (!success) throw new Error(`${args.join(" ")}: ${text}`);
  const [real, user, system] = (text.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
  return { wall: real * 1000, cpu: (user + system) * 1000 };
}
