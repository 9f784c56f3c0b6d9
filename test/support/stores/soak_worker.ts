// One of several processes that work on one store at random: saving, reading, searching, packing,
// compacting, forgetting and collecting. It forgets only what it saved itself, so it knows at any
// moment what it must see, whatever the others do. Prints what was acknowledged, as JSON.
// Usage: deno run -A soak_worker.ts WORKSPACE NAME SEED STEPS MILLISECONDS

import { openContext } from "../../../src/app/app.ts";
import { findCommand } from "../../../src/commands/mod.ts";
import { execute } from "../../../src/command/execute.ts";

const [workspace, name, seed, steps, milliseconds] = Deno.args;
const context = openContext({ workspace, env: () => undefined });
const store = await context.openStore();
const live = new Set<string>();
const forgotten = new Set<string>();
const counts: Record<string, number> = {};
const deadline = performance.now() + Number(milliseconds);
let state = Number(seed);

const actions: [number, string, () => Promise<void>][] = [
  [40, "save", save],
  [12, "forget", forget],
  [20, "read", readAll],
  [8, "get", get],
  [6, "search", search],
  [4, "pack", () => run("pack", { budget: 400 }).then(() => {})],
  [5, "compact", () => run("compact", { keep: random(30), older_than: 0 }).then(() => {})],
  [4, "gc", () => run("gc", {}).then(() => {})],
  [1, "purge", purge],
];
const weight = actions.reduce((sum, [share]) => sum + share, 0);

for (let step = 0; step < Number(steps) && performance.now() < deadline; step++) {
  let pick = random(weight);
  const [, kind, action] = actions.find(([share]) => (pick -= share) < 0)!;
  counts[kind] = (counts[kind] ?? 0) + 1;
  await action();
}
const report = JSON.stringify({ live: [...live], forgotten: [...forgotten], counts });
Deno.stdout.writeSync(new TextEncoder().encode(report + "\n"));

async function save(): Promise<void> {
  const text = `${name} says ${random(1e9)} about tokens ${"z".repeat(random(2000))}`;
  const { id } = await run("save", { text, type: random(5) === 0 ? "decision" : "note" });
  live.add(String(id));
}

async function forget(): Promise<void> {
  const ids = [...live].filter(() => random(8) === 0).slice(0, 3);
  if (ids.length === 0) return;
  await run("forget", { ids, now: random(4) === 0 });
  for (const id of ids) {
    live.delete(id);
    forgotten.add(id);
  }
}

/** Every live entry of ours once, nothing forgotten, no id twice. */
// deno-lint-ignore require-await -- all actions have one shape
async function readAll(): Promise<void> {
  const seen = new Map<string, number>();
  for (const { entry } of store.entries()) seen.set(entry.id, (seen.get(entry.id) ?? 0) + 1);
  for (const [id, count] of seen) if (count > 1) fail(`${id} was seen ${count} times`);
  for (const id of live) if (!seen.has(id)) fail(`${id} was not seen`);
  for (const id of forgotten) if (seen.has(id)) fail(`${id} came back`);
}

async function get(): Promise<void> {
  const ids = [...live].slice(0, 5);
  if (ids.length === 0) return;
  const { missing } = await run("get", { ids });
  if ((missing as string[]).length > 0) fail(`get misses ${missing}`);
}

async function search(): Promise<void> {
  const { results } = await run("search", { query: "tokens", k: 20 });
  const ids = (results as { id: string }[]).map((row) => row.id);
  if (new Set(ids).size !== ids.length) fail("search shows an id twice");
  for (const id of ids) if (forgotten.has(id)) fail(`search shows the forgotten ${id}`);
}

async function purge(): Promise<void> {
  const word = `purge-${name}-${random(1e9)}`;
  const { id } = await run("save", { text: `hide ${word}` });
  const { verified } = await run("purge", { pattern: word });
  if (!verified) fail(`${word} was not purged`);
  forgotten.add(String(id));
}

async function run(command: string, input: object): Promise<Record<string, unknown>> {
  const found = await findCommand(command);
  if (found === undefined) throw new Error(`no command ${command}`);
  return await execute(found, input, context) as Record<string, unknown>;
}

/** A small generator of its own, so that a seed repeats a run. */
function random(below: number): number {
  state = (state * 1664525 + 1013904223) % 4294967296;
  return Math.floor(state / 4294967296 * below);
}

function fail(what: string): never {
  throw new Error(`${name}: ${what}`);
}
