// The picker of the built file: from its start to the first painted screen, and from a typed word to
// its rows, over 100,000 entries. On a pseudo-terminal of `script`, against an empty Deno script there.

import { buildFile } from "../support/built_file.ts";
import { writeHistory } from "../support/generate.ts";
import { type BenchTable, medianOf, round } from "../support/table.ts";

const rows = 100_000;
const rounds = 15;
/** The end of a painted screen. */
const painted = "\x1b[?2026l";

/** Builds, fills a store, and measures. */
export async function run(): Promise<BenchTable[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const built = await buildFile(`${work}/built`, { gzip: true });
    const env = { HOME: work, XDG_CACHE_HOME: `${work}/cache`, XDG_CONFIG_HOME: work };
    await Deno.writeTextFile(`${work}/empty.ts`, 'console.log("ctx");\n');
    for (const [name, count] of [["small", 10], ["large", rows]] as const) {
      const workspace = `${work}/${name}`;
      await Deno.mkdir(`${workspace}/.contextfs`, { recursive: true });
      writeHistory(`${workspace}/.contextfs/history.ndjson`, { rows: count });
      const args = ["reindex", "--full", "--workspace", workspace];
      const { success } = await new Deno.Command(built.path, { args, env }).output();
      if (!success) throw new Error("Cannot index");
    }
    const contenders: Contender[] = [
      { name: "empty Deno script", words: [Deno.execPath(), "run", `${work}/empty.ts`], cwd: work },
      { name: "ctx, 10 entries", words: [built.path], cwd: `${work}/small`, mark: painted },
      { name: "ctx, 100,000 entries", words: [built.path], cwd: `${work}/large`, mark: painted },
    ];
    const times = contenders.map((): Figures[] => []);
    for (let i = 0; i < rounds + 3; i++) {
      for (const [at, contender] of contenders.entries()) {
        const figures = await measure(contender, env);
        // The first starts compile.
        if (i >= 3) times[at].push(figures);
      }
    }
    const first = times.map((runs) => medianOf(runs.map((run) => run.firstMs)));
    return [{
      title: `The picker on a terminal (median of ${rounds}, interleaved)`,
      head: ["process", "first screen ms", "ratio to empty script", "typed word to rows ms"],
      rows: contenders.map(({ name, mark }, i) => [
        name,
        round(first[i], 1),
        round(first[i] / first[0]),
        mark ? round(medianOf(times[i].map((run) => run.foundMs)), 1) : "",
      ]),
    }];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

interface Contender {
  name: string;
  words: string[];
  cwd: string;
  /** What ends its first screen; else its end does. */
  mark?: string;
}

interface Figures {
  firstMs: number;
  foundMs: number;
}

/** Starts it on a terminal of 120 columns, types a word into it where it is one to type into. */
async function measure(
  { words, cwd, mark }: Contender,
  env: Record<string, string>,
): Promise<Figures> {
  const line = `stty cols 120 rows 40; exec ${words.join(" ")}`;
  const startMs = performance.now();
  const child = new Deno.Command("script", {
    args: ["-qfec", line, "/dev/null"],
    cwd,
    env: { ...env, TERM: "xterm" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const shown = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const typed = child.stdin.getWriter();
  const until = async (wanted: string): Promise<number> => {
    for (let text = ""; !text.includes(wanted);) {
      const { value, done } = await shown.read();
      if (done) throw new Error(`${words[0]} never showed ${JSON.stringify(wanted)}:\n${text}`);
      text += value;
    }
    return performance.now();
  };
  const send = (text: string): Promise<void> => typed.write(new TextEncoder().encode(text));
  const firstMs = await until(mark ?? "ctx") - startMs;
  let foundMs = 0;
  if (mark !== undefined) {
    // Whatever it loads after its first screen is loaded when it shows what is typed.
    await send("a");
    await until("❯ a");
    const typedMs = performance.now();
    await send("\x15deadlock");
    foundMs = await until(" found") - typedMs;
    await send("\x03");
  }
  await typed.close().catch(() => {});
  while (!(await shown.read()).done);
  await child.status;
  return { firstMs, foundMs };
}
