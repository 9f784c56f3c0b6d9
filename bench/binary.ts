// The built file against an empty Deno script in one run: start-up of `get` and of `search` over
// 100,000 entries, the first start apart, and the size of the file in its forms.

import { buildFile } from "./built_file.ts";
import { writeHistory } from "./generate.ts";
import { raceProcesses } from "./processes.ts";
import { type BenchTable, round } from "./table.ts";

const rows = 100_000;
const rounds = 41;

/** Builds, fills a store, and measures. */
export async function run(): Promise<BenchTable[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const plain = await buildFile(`${work}/built`, { gzip: false });
    const env = { HOME: work, XDG_CACHE_HOME: `${work}/cache`, XDG_CONFIG_HOME: work };
    const ctx = async (file: string, args: string[], extra = {}): Promise<number> => {
      const start = performance.now();
      const { success, stderr } = await new Deno.Command(file, {
        args,
        cwd: work,
        env: { ...env, ...extra },
      }).output();
      if (!success) throw new Error(new TextDecoder().decode(stderr));
      return performance.now() - start;
    };
    const firstStart = await ctx(plain.path, ["--version"]);
    const sizes: (string | number)[][] = [
      [`${plain.form}, as built`, round(plain.sizeBytes / 1e6, 1), round(firstStart, 0)],
    ];
    if (plain.form === "self-extracting") {
      const small = await buildFile(`${work}/zipped`, { gzip: true });
      const first = await ctx(small.path, ["--version"], { XDG_CACHE_HOME: `${work}/cache2` });
      sizes.push(["self-extracting, --gzip", round(small.sizeBytes / 1e6, 1), round(first, 0)]);
    }
    for (const name of ["small", "large"]) {
      await Deno.mkdir(`${work}/${name}`);
      await ctx(plain.path, ["init", "--workspace", `${work}/${name}`]);
    }
    for (const [name, count] of [["small", 10], ["large", rows]] as const) {
      writeHistory(`${work}/${name}/.contextfs/history.ndjson`, { rows: count });
      await ctx(plain.path, ["save", "one more", "--workspace", `${work}/${name}`]);
      await ctx(plain.path, ["reindex", "--full", "--workspace", `${work}/${name}`]);
    }
    return [{
      title: "Size and first start",
      head: ["file", "MB", "first start ms"],
      rows: sizes,
    }, await startUp(plain.path, work, env)];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function startUp(
  file: string,
  work: string,
  env: Record<string, string>,
): Promise<BenchTable> {
  await Deno.writeTextFile(`${work}/empty.ts`, 'console.log("ctx");\n');
  const empty = { command: Deno.execPath(), args: ["run", "-A", "--no-check", `${work}/empty.ts`] };
  const question = "how do we retry the cache when the deploy fails";
  const contenders = [
    { name: "empty Deno script", ...empty },
    { name: "dist/ctx --version", command: file, args: ["--version"] },
    { name: "dist/ctx get, 10 entries", command: file, args: ["get", idOf(work, "small")] },
    { name: `dist/ctx get, ${rows} entries`, command: file, args: ["get", idOf(work, "large")] },
    {
      name: `dist/ctx search, one word, ${rows} entries`,
      command: file,
      args: ["search", "deadlock", "--mode", "lexical"],
    },
    {
      name: `dist/ctx search, a question, ${rows} entries`,
      command: file,
      args: ["search", question, "--mode", "lexical"],
    },
    {
      name: `dist/ctx search, a question, hybrid, ${rows} entries`,
      command: file,
      args: ["search", question],
    },
  ].map((contender) => ({
    ...contender,
    env,
    cwd: `${work}/${contender.name.includes(", 10 ") ? "small" : "large"}`,
  }));
  const times = await raceProcesses(contenders, rounds);
  return {
    title: `Start-up, whole process (median of ${rounds}, interleaved)`,
    head: ["process", "ms", "ratio to empty script"],
    rows: contenders.map(({ name }, i) => [
      name,
      round(times[i], 1),
      round(times[i] / times[0]),
    ]),
  };
}

/** The id of a row in the middle of the log. */
function idOf(work: string, name: string): string {
  const lines = Deno.readTextFileSync(`${work}/${name}/.contextfs/history.ndjson`).split("\n");
  return JSON.parse(lines[Math.floor(lines.length / 2)]).id;
}
