// What guards add to the hook before a tool runs, in processor time against an empty Deno script.

import { buildFile } from "../support/built_file.ts";
import { type Contender, raceProcessor } from "../support/processes.ts";
import { type BenchTable, round } from "../support/table.ts";

const rules = [
  "use pnpm, not npm",
  "never push to main",
  "never force push",
  "never run `rm -rf`",
  "never edit files in `dist/`",
  "don't touch migrations",
  "tests go in test/",
  "no default exports",
  "use snake_case for variable names",
  "run the tests before you finish",
];
const [rounds, batch] = [11, 20];

/** Hooks with and without ten guards, interleaved. */
export async function guardCost(): Promise<BenchTable> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const named = Deno.env.get("CTX_BINARY");
    const { path } = named === undefined
      ? await buildFile(`${work}/built`, { gzip: true })
      : { path: await Deno.realPath(named) };
    await Deno.writeTextFile(`${work}/empty.ts`, 'console.log("ctx");\n');
    const env = { HOME: work, XDG_CACHE_HOME: `${work}/cache`, XDG_CONFIG_HOME: work };
    const [plain, guarded] = [`${work}/plain`, `${work}/guarded`];
    for (const workspace of [plain, guarded]) await fill(path, { workspace, env });
    for (const rule of rules) await ctx(path, ["guard", "add", rule], { workspace: guarded, env });
    const hook = (name: string, cwd: string, tool: object): Contender => ({
      name,
      command: path,
      args: ["hook", "pre-edit"],
      input: JSON.stringify({ hook_event_name: "PreToolUse", cwd, ...tool }),
    });
    const bash = (command: string): object => ({ tool_name: "Bash", tool_input: { command } });
    const edit = (workspace: string): object => ({
      tool_name: "Edit",
      tool_input: {
        file_path: `${workspace}/src/a.py`,
        old_string: "a = 1",
        new_string: "a = 2\nb = 3",
      },
    });
    const pairs: [string, Contender, Contender][] = [
      ["a command that no guard is about", bash("ls -la src")],
      ["a command that is read, and obeys", bash("cd web && git push origin topic")],
      ["a command that breaks a rule", bash("cd web && npm install")],
    ].map(([name, tool]) => [
      String(name),
      hook("", plain, Object(tool)),
      hook("", guarded, Object(tool)),
    ]);
    pairs.push(["an edit", hook("", plain, edit(plain)), hook("", guarded, edit(guarded))]);
    const empty: Contender = {
      name: "empty",
      command: Deno.execPath(),
      args: ["run", "-A", "--no-check", `${work}/empty.ts`],
    };
    const all = [empty, ...pairs.flatMap(([, without, having]) => [without, having])];
    const times = await raceProcessor(
      all.map((one) => ({ ...one, env, cwd: work })),
      { rounds, batch },
    );
    const ratio = (ms: number): number => round(ms / times[0]);
    return {
      title:
        `Hook before a tool runs, processor time (median of ${rounds} × ${batch}, interleaved; an empty Deno script is 1: ${
          round(times[0], 1)
        } ms)`,
      head: ["hook", "no guards", `${rules.length} guards`, "added"],
      rows: pairs.map(([name], i) => {
        const [without, having] = times.slice(1 + 2 * i);
        return [name, ratio(without), ratio(having), ratio(having - without)];
      }),
    };
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

interface Place {
  workspace: string;
  env: Record<string, string>;
}

async function fill(path: string, place: Place): Promise<void> {
  await Deno.mkdir(`${place.workspace}/src`, { recursive: true });
  await Deno.writeTextFile(`${place.workspace}/src/a.py`, "a = 1\n");
  await ctx(path, ["init"], place);
}

async function ctx(path: string, words: string[], { workspace, env }: Place): Promise<void> {
  const args = [...words, "--workspace", workspace];
  const { success, stderr } = await new Deno.Command(path, { args, env }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
