// The built file against an empty Deno script in one run: start-up of `get` and of `search` over
// 100,000 entries; and what the file takes in its forms: bytes, unpacked and installed, and time.

import { repository } from "../build/repository.ts";
import { buildFile, type BuiltFile } from "./support/built_file.ts";
import { writeHistory } from "./support/generate.ts";
import { raceProcesses } from "./support/processes.ts";
import { type BenchTable, round } from "./support/table.ts";

const rows = 100_000;
const rounds = 41;

/** Builds, fills a store, and measures. */
export async function run(): Promise<BenchTable[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const built = await buildFile(`${work}/built`, { gzip: true });
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
    const sizes = [await measureInstall(built, { name: "as built", work })];
    if (built.form === "self-extracting") {
      const plain = await buildFile(`${work}/plain`, { gzip: false });
      sizes.push(await measureInstall(plain, { name: "--plain", work }));
    }
    for (const name of ["small", "large"]) {
      await Deno.mkdir(`${work}/${name}`);
      await ctx(built.path, ["init", "--workspace", `${work}/${name}`]);
    }
    for (const [name, count] of [["small", 10], ["large", rows]] as const) {
      writeHistory(`${work}/${name}/.contextfs/history.ndjson`, { rows: count });
      await ctx(built.path, ["save", "one more", "--workspace", `${work}/${name}`]);
      await ctx(built.path, ["reindex", "--full", "--workspace", `${work}/${name}`]);
    }
    return [{
      title: "Size and installation",
      head: [
        "file",
        "MB",
        "unpacked MB",
        "compiled code MB",
        "first start ms",
        "install.sh ms",
      ],
      rows: sizes,
    }, await startUp(built.path, work, env)];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** A row of the table: the first start of the file by itself, and install.sh in an empty home. */
async function measureInstall(
  built: BuiltFile,
  { name, work }: { name: string; work: string },
): Promise<(string | number)[]> {
  const time = async (words: string[], home: string): Promise<number> => {
    const start = performance.now();
    const { success, stderr } = await new Deno.Command(words[0], {
      args: words.slice(1),
      env: { HOME: home, XDG_CACHE_HOME: `${home}/cache`, XDG_CONFIG_HOME: home },
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return performance.now() - start;
  };
  const home = `${work}/home-${name}`;
  const first = await time([built.path, "--version"], `${home}-first`);
  const install = await time(["sh", `${repository}install.sh`, built.path], home);
  const names = built.form === "compiled" ? [] : [...Deno.readDirSync(`${home}/cache/ctx`)];
  const sizeOf = (code: boolean): number =>
    names.filter((item) => item.isDirectory && item.name.endsWith(".code") === code)
      .reduce((total, item) => total + treeBytes(`${home}/cache/ctx/${item.name}`), 0);
  const sizes = [built.sizeBytes, sizeOf(false), sizeOf(true)].map((size) => round(size / 1e6, 1));
  return [`${built.form}, ${name}`, ...sizes, round(first, 0), round(install, 0)];
}

function treeBytes(path: string): number {
  return [...Deno.readDirSync(path)].reduce((total, { name, isDirectory }) => {
    const inner = `${path}/${name}`;
    return total + (isDirectory ? treeBytes(inner) : Deno.statSync(inner).size);
  }, 0);
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
