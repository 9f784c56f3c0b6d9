// Two built files against each other in one run: what a change costs. CTX_BENCH_BEFORE names the file
// of the state before, built from its own checkout with `deno task compile`; this checkout's is built
// here. Both start warm (their code is cached), interleaved and order-flipped.

import { buildFile } from "./support/built_file.ts";
import { writeHistory } from "./support/generate.ts";
import { type Contender, raceProcesses } from "./support/processes.ts";
import { type BenchTable, round } from "./support/table.ts";

const rows = 100_000;
const rounds = 61;
const question = "how do we retry the cache when the deploy fails";

/** Races the two files over the commands that people and agents call most. */
export async function run(): Promise<BenchTable[]> {
  const before = Deno.env.get("CTX_BENCH_BEFORE");
  if (before === undefined) throw new Error("set CTX_BENCH_BEFORE to the built file of before");
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const { path } = await buildFile(`${work}/built`, { gzip: true });
    const env = { HOME: work, XDG_CACHE_HOME: `${work}/cache`, XDG_CONFIG_HOME: work };
    const ctx = async (...args: string[]): Promise<void> => {
      const { success, stderr } = await new Deno.Command(path, { args, cwd: work, env }).output();
      if (!success) throw new Error(new TextDecoder().decode(stderr));
    };
    await ctx("init", "--workspace", work);
    writeHistory(`${work}/.contextfs/history.ndjson`, { rows });
    await ctx("save", "one more");
    await ctx("reindex", "--full");
    const line =
      (await Deno.readTextFile(`${work}/.contextfs/history.ndjson`)).split("\n")[rows / 2];
    const { id } = JSON.parse(line);
    const calls = [
      ["--version"],
      ["get", id],
      ["timeline", id],
      ["search", "deadlock", "--mode", "lexical"],
      ["search", question, "--mode", "lexical"],
      ["search", question],
      ["save", "a note"],
    ];
    const contenders = calls.flatMap((args): Contender[] =>
      [before, path].map((command) => ({ name: args[0], command, args, cwd: work, env }))
    );
    const times = await raceProcesses(contenders, rounds);
    return [{
      title: `Before and after, whole process, ${rows} rows (median of ${rounds}, interleaved)`,
      head: ["call", "before ms", "after ms", "after / before"],
      rows: calls.map((args, i) => [
        `ctx ${args.join(" ").replace(id, "ID")}`,
        round(times[2 * i], 1),
        round(times[2 * i + 1], 1),
        round(times[2 * i + 1] / times[2 * i], 3),
      ]),
    }];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}
