// Times whole processes against each other: interleaved and order-flipped, so that noise hits all
// alike; medians, and ratios to the first.

import { medianOf } from "./table.ts";

/** A process to time. */
export interface Contender {
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  cwd?: string;
  /** Given on standard input; made anew for each run where it must differ. */
  input?: string | (() => string);
}

/** The built file in a workspace, with a home of its own. */
export function builtContender(
  { ctx, home, workspace }: { ctx: string; home: string; workspace: string },
  { name, args }: { name: string; args: string[] },
): Contender {
  const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: `${home}/cache` };
  return { name, command: ctx, args, env, cwd: workspace };
}

/** The median wall time of each contender in milliseconds, in their order. */
export async function raceProcesses(contenders: Contender[], rounds: number): Promise<number[]> {
  const times: number[][] = contenders.map(() => []);
  for (let i = 0; i < rounds + 2; i++) {
    const order = contenders.map((_, at) => at);
    if (i % 2 === 1) order.reverse();
    for (const at of order) {
      const { command, args, env, cwd, input } = contenders[at];
      const said = typeof input === "function" ? input() : input;
      const stdin = said === undefined ? "null" : "piped";
      const start = performance.now();
      const child = new Deno.Command(command, {
        args,
        env,
        cwd,
        stdin,
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      if (said !== undefined) await feed(child.stdin, said);
      const { success, stderr } = await child.output();
      const elapsed = performance.now() - start;
      if (!success) throw new Error(`${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
      if (i >= 2) times[at].push(elapsed);
    }
  }
  return times.map(medianOf);
}

/**
 * The median processor time of each contender in milliseconds, in their order: what other work on the
 * machine does not change much. GNU time counts in hundredths, so each look is a batch of runs.
 */
export async function raceProcessor(
  contenders: Contender[],
  { rounds, batch }: { rounds: number; batch: number },
): Promise<number[]> {
  const times: number[][] = contenders.map(() => []);
  const loop =
    'n=$1; in=$2; shift 2; while [ $n -gt 0 ]; do "$@" <"$in" >/dev/null; n=$((n-1)); done';
  const file = await Deno.makeTempFile({ prefix: "ctx-bench-" });
  try {
    for (let i = 0; i < rounds + 1; i++) {
      const order = contenders.map((_, at) => at);
      if (i % 2 === 1) order.reverse();
      for (const at of order) {
        const { command, args, env, cwd, input = "" } = contenders[at];
        await Deno.writeTextFile(file, typeof input === "function" ? input() : input);
        const words = ["sh", "-c", loop, "sh", String(batch), file, command, ...args];
        const { cpuS } = await measureProcess({
          name: "",
          command: words[0],
          args: words.slice(1),
          env,
          cwd,
        });
        if (i >= 1) times[at].push(cpuS * 1000 / batch);
      }
    }
  } finally {
    await Deno.remove(file);
  }
  return times.map(medianOf);
}

/** What one process took. The memory and processor time are GNU time's: without it there are none. */
export interface ProcessFigures {
  wallS: number;
  cpuS: number;
  peakMb: number | string;
}

/** Runs a process once and tells what it took; throws when it fails. */
export async function measureProcess(contender: Contender): Promise<ProcessFigures> {
  const { command, args, cwd, env } = contender;
  const timer = "/usr/bin/time";
  const timed = await Deno.stat(timer).then(() => true, () => false);
  const all = timed ? ["-f", "\n%U %S %M", command, ...args] : args;
  const start = performance.now();
  const child = new Deno.Command(timed ? timer : command, { args: all, cwd, env });
  const { success, stderr } = await child.output();
  const wallS = (performance.now() - start) / 1000;
  const text = new TextDecoder().decode(stderr);
  if (!success) throw new Error(`${args.join(" ")}: ${text}`);
  if (!timed) return { wallS, cpuS: NaN, peakMb: "" };
  const [user, system, kilobytes] = (text.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
  return { wallS, cpuS: user + system, peakMb: Math.round(kilobytes / 1024) };
}

async function feed(target: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = target.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
}
