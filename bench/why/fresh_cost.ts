// What it costs to say whether code is still there: commands as they ship, and the same bundle without the
// look, in one run, in the repository that `line_cost.ts` has filled.

import { bundle, listFiles, stampBundle } from "../../build/bundle.ts";
import { startFlags } from "../../src/serve/mcp/start_flags.ts";
import type { Contender } from "../support/processes.ts";
import { type BenchTable, round } from "../support/table.ts";
import { raceWithCpu } from "./race_with_cpu.ts";

const rounds = 9;

const commands = [
  ["search, decisions", ["search", "step counts from zero"]],
  ["search, edits of a file with 137 versions", ["search", "edit file_1.ts"]],
  ["timeline around an edit", ["timeline", "H-made65685"]],
  ["get an edit", ["get", "H-made65685"]],
] as const;

/** Measures commands with and without the look at code. */
export async function measureFreshness(root: string, work: string): Promise<BenchTable> {
  await bundle(`${work}/fresh/plain`);
  for (const name of ["with", "without"]) {
    await stampBundle(`${work}/fresh/plain`, `${work}/fresh/${name}`, { form: "bundle" });
  }
  await blind(`${work}/fresh/without`);
  const env = { HOME: work, XDG_CONFIG_HOME: work };
  const contenders = commands.flatMap(([name, words]) =>
    ["with", "without"].map((form): Contender => {
      const args = ["run", "-A", ...startFlags, `${work}/fresh/${form}/mod.js`, ...words];
      return { name, command: Deno.execPath(), args, cwd: root, env };
    })
  );
  const taken = await raceWithCpu(contenders, rounds);
  return {
    title: `Saying whether code is still there, median of ${rounds}, interleaved, processor`,
    head: ["command", "ms", "ms without", "ratio", "ratio by the clock"],
    rows: commands.map(([name], at) => {
      const [shipped, plain] = [taken[at * 2], taken[at * 2 + 1]];
      const ratios = [shipped.cpu / plain.cpu, shipped.wall / plain.wall];
      return [name, round(shipped.cpu, 0), round(plain.cpu, 0), ...ratios.map((one) => round(one))];
    }),
  };
}

/** Has a bundle take no row for one that may stand on code. */
async function blind(directory: string): Promise<void> {
  let found = 0;
  for (const name of listFiles(directory).filter((file) => file.endsWith(".js"))) {
    const text = await Deno.readTextFile(`${directory}/${name}`);
    const changed = text.replace(/function mayStandOnCode\([^)]*\) \{/, "$&return false;");
    if (changed === text) continue;
    found++;
    await Deno.writeTextFile(`${directory}/${name}`, changed);
  }
  if (found === 0) throw new Error("the bundle has no mayStandOnCode");
}
