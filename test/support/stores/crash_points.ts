// Runs one operation again and again, failing it at every change and after many numbers of bytes,
// each time on a fresh copy of the same store, until it succeeds; the caller checks each outcome.

import { existsSync } from "node:fs";
import type { ContextOptions } from "../../../src/app/app.ts";
import { makeFiles } from "../../../src/disk/files.ts";
import { type Change, type Fault, FaultySystem } from "./faulty_system.ts";
import { isFullLength, runsOf } from "../full_length.ts";
import { TempStore } from "./temp_store.ts";

/** What to run, on what, and what must hold afterwards. */
export interface CrashCase {
  /** The store before the operation. */
  template: TempStore;
  command: string;
  input: object;
  /** What is done in the place of the command, where it is none. */
  act?: (t: TempStore, options: ContextOptions) => Promise<Record<string, unknown>>;
  /** Called after every failure, and once after success. */
  check(t: TempStore, outcome: Outcome): void | Promise<void>;
}

/** How one run ended. */
export interface Outcome {
  fault: Fault;
  failAt: number;
  afterBytes: number;
  /** Whether the operation said that it had succeeded. */
  acknowledged: boolean;
  result?: Record<string, unknown>;
}

/** Memory is as good as a disk here, and quicker. */
const memoryDirectory = existsSync("/dev/shm") ? "/dev/shm" : undefined;

/**
 * Tries every crash point, or where the suite is short one of each change, the faults in turn; returns
 * how many that were.
 */
export async function tryCrashPoints(crash: CrashCase): Promise<number> {
  const changes = await record(crash);
  let points = 0;
  for (const [at, fault] of (["kill", "power", "full"] as const).entries()) {
    for (let n = 1; n <= changes.length; n++) {
      if (!isFullLength && n % 3 !== at) continue;
      const cuts = bytesToTry(changes[n - 1], fault);
      for (const afterBytes of isFullLength ? cuts : [cuts[n % cuts.length]]) {
        await tryPoint(crash, { fault, failAt: n, afterBytes, acknowledged: false });
        points++;
      }
    }
  }
  await tryPoint(crash, { fault: "kill", failAt: 0, afterBytes: 0, acknowledged: false });
  return points;
}

async function record(crash: CrashCase): Promise<Change[]> {
  await using t = copyOf(crash.template);
  const system = new FaultySystem({ failAt: 0, afterBytes: 0, fault: "kill" });
  await run(crash, t, { files: makeFiles(system) });
  return system.changes;
}

function run(
  { act, command, input }: CrashCase,
  t: TempStore,
  options: ContextOptions,
): Promise<Record<string, unknown>> {
  return act ? act(t, options) : t.run(command, input, options);
}

async function tryPoint(crash: CrashCase, outcome: Outcome): Promise<void> {
  await using t = copyOf(crash.template);
  const system = new FaultySystem(outcome);
  try {
    outcome.result = await run(crash, t, {
      files: makeFiles(system),
      random: () => "same",
    });
    outcome.acknowledged = outcome.fault === "full" || !system.failed;
  } catch (error) {
    if (!system.failed) throw error;
  }
  try {
    await crash.check(t, outcome);
  } catch (error) {
    const where = `${outcome.fault} at change ${outcome.failAt} after ${outcome.afterBytes} bytes`;
    throw new Error(`${crash.command}: ${where}`, { cause: error });
  }
}

/**
 * Every byte of a short write, about forty cuts of a long one, and a tenth of both where the suite is
 * short; other changes: before and after.
 */
function bytesToTry(change: Change, fault: Fault): number[] {
  const { bytes, kind } = change;
  if (kind !== "write") return fault === "full" ? [0] : [0, 1];
  if (fault !== "kill") return [...new Set([0, bytes >> 1, bytes])];
  const count = runsOf(bytes <= 80 ? bytes + 1 : 40);
  const cuts = Array.from({ length: count }, (_, i) => Math.round(bytes * i / (count - 1 || 1)));
  if (bytes === 0) return cuts;
  return [...new Set([...cuts, 1, bytes - 1])].sort((a, b) => a - b);
}

/** A store whose real files are not synced: thousands of copies are made of it. */
class QuickStore extends TempStore {
  override async run<T = Record<string, unknown>>(
    name: string,
    input: object = {},
    options: ContextOptions = {},
  ): Promise<T> {
    const system = new FaultySystem({ failAt: 0, afterBytes: 0, fault: "kill" });
    return await super.run<T>(name, input, { files: makeFiles(system), ...options });
  }
}

function copyOf(template: TempStore): TempStore {
  const copy = new QuickStore(Deno.makeTempDirSync({ prefix: "ctx-crash-", dir: memoryDirectory }));
  Deno.mkdirSync(copy.root);
  for (const item of Deno.readDirSync(template.root)) {
    if (item.isFile) Deno.copyFileSync(template.path(item.name), copy.path(item.name));
    else copyDirectory(template.path(item.name), copy.path(item.name));
  }
  return copy;
}

function copyDirectory(from: string, to: string): void {
  Deno.mkdirSync(to);
  for (const item of Deno.readDirSync(from)) {
    Deno.copyFileSync(`${from}/${item.name}`, `${to}/${item.name}`);
  }
}
