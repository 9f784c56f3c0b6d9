// The built file against an empty Deno script in one run: start-up of `get` and of `search` over
// 100,000 entries, the first start apart, and the size of the file in its forms.

import { compile } from "../build/compile.ts";
import { hostTarget } from "../build/target.ts";
import { raceProcesses } from "./processes.ts";
import { type BenchTable, round } from "./table.ts";

const rows = 100_000;
const rounds = 21;

/** Builds, fills a store, and measures. */
export async function run(): Promise<BenchTable[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const [plain] = await build(`${work}/plain`, false);
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
      const [small] = await build(`${work}/small`, true);
      const first = await ctx(small.path, ["--version"], { XDG_CACHE_HOME: `${work}/cache2` });
      sizes.push(["self-extracting, --gzip", round(small.sizeBytes / 1e6, 1), round(first, 0)]);
    }
    for (const name of ["small", "large"]) {
      await Deno.mkdir(`${work}/${name}`);
      await ctx(plain.path, ["init", "--workspace", `${work}/${name}`]);
    }
    await fill(`${work}/small/.contextfs/history.ndjson`, 10);
    await fill(`${work}/large/.contextfs/history.ndjson`, rows);
    await ctx(plain.path, ["reindex", "--workspace", `${work}/large`]).catch(() => {});
    await ctx(plain.path, ["search", "warm", "--workspace", `${work}/large`]);
    return [{
      title: "Size and first start",
      head: ["file", "MB", "first start ms"],
      rows: sizes,
    }, await startUp(plain.path, work, env)];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function build(out: string, gzip: boolean): ReturnType<typeof compile> {
  return await compile({ targets: [hostTarget()], form: "auto", gzip, out, say: () => {} });
}

async function startUp(
  file: string,
  work: string,
  env: Record<string, string>,
): Promise<BenchTable> {
  await Deno.writeTextFile(`${work}/empty.ts`, 'console.log("ctx");\n');
  const empty = { command: Deno.execPath(), args: ["run", "-A", "--no-check", `${work}/empty.ts`] };
  const contenders = [
    { name: "empty Deno script", ...empty },
    { name: "dist/ctx --version", command: file, args: ["--version"] },
    { name: "dist/ctx get, 10 entries", command: file, args: ["get", idOf(9)], cwd: "small" },
    { name: `dist/ctx get, ${rows} entries`, command: file, args: ["get", idOf(rows - 1)] },
    { name: `dist/ctx search, ${rows} entries`, command: file, args: ["search", "walrus77"] },
    {
      name: `dist/ctx search, a question, ${rows} entries`,
      command: file,
      args: ["search", "how do we rotate the walrus77 token in production"],
    },
  ].map((contender) => ({ cwd: "large", ...contender, env }))
    .map((contender) => ({ ...contender, cwd: `${work}/${contender.cwd}` }));
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

const words = "token rotate deploy index query cache shard retry queue build parse merge review"
  .split(" ");

/** Rows of about 200 characters, a rare word in each hundred. */
async function fill(path: string, count: number): Promise<void> {
  const start = Date.parse("2026-01-01T00:00:00Z");
  let text = "";
  for (let i = 0; i < count; i++) {
    const picked = Array.from({ length: 24 }, (_, at) => words[(i * 7 + at * at) % words.length]);
    const rare = i % 100 === 0 ? ` walrus${i / 100 % 100}` : "";
    const row = {
      id: idOf(i),
      ts: new Date(start + i * 1000).toISOString(),
      role: "note",
      type: "note",
      text: `${picked.join(" ")} item${i}${rare}`,
    };
    text += JSON.stringify(row) + "\n";
  }
  await Deno.writeTextFile(path, text);
}

function idOf(i: number): string {
  return `H-bench${String(i).padStart(8, "0")}`;
}
