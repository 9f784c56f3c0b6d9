// What a hook costs an agent, whole process, against an empty Deno script in one run: at a prompt that
// is told nothing, at one that is told something, and when a session starts.
// Run: deno task bench hook

import { buildFile } from "../support/built_file.ts";
import { writeHistory } from "../support/generate.ts";
import { type Contender, raceProcesses } from "../support/processes.ts";
import { type BenchTable, round } from "../support/table.ts";

const rounds = 21;
const sizes = [1000, 100_000];

/** Builds, fills stores, and measures. */
export async function run(): Promise<BenchTable[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const { path } = await buildFile(`${work}/built`, { gzip: true });
    await Deno.writeTextFile(`${work}/empty.ts`, 'console.log("ctx");\n');
    const env = { HOME: work, XDG_CACHE_HOME: `${work}/cache`, XDG_CONFIG_HOME: work };
    const contenders: Contender[] = [{
      name: "empty Deno script",
      command: Deno.execPath(),
      args: ["run", "-A", "--no-check", `${work}/empty.ts`],
    }];
    for (const rows of sizes) {
      const workspace = `${work}/${rows}`;
      await fill(path, { workspace, rows, env });
      contenders.push(...hooksOf(path, { workspace, rows }));
    }
    const times = await raceProcesses(
      contenders.map((contender) => ({ ...contender, env, cwd: work })),
      rounds,
    );
    return [{
      title: `Hooks, whole process (median of ${rounds}, interleaved)`,
      head: ["process", "ms", "ratio to empty script"],
      rows: contenders.map(({ name }, i) => [
        name,
        round(times[i], 1),
        round(times[i] / times[0]),
      ]),
    }];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

const decision = "Webhook signatures are checked with HMAC-SHA256 before the payload is parsed";

function hooksOf(
  command: string,
  { workspace, rows }: { workspace: string; rows: number },
): Contender[] {
  // A line is told once in a conversation: each run is another one.
  const make = (name: string, message: object): Contender => ({
    name: `${name}, ${rows} entries`,
    command,
    args: ["hook", "claude-code"],
    input: () => JSON.stringify({ cwd: workspace, session_id: crypto.randomUUID(), ...message }),
  });
  const prompt = { hook_event_name: "UserPromptSubmit" };
  return [
    make("prompt that says nothing (yes)", { ...prompt, prompt: "yes" }),
    make("prompt, nothing to tell", {
      ...prompt,
      prompt: "please make the export of the monthly figures faster and cover it with tests",
    }),
    make("prompt, a line to tell", {
      ...prompt,
      prompt: "how are webhook signatures checked before the payload is parsed?",
    }),
    ...(rows > 1000
      ? []
      : [make("session starts", { hook_event_name: "SessionStart", source: "startup" })]),
  ];
}

async function fill(
  path: string,
  { workspace, rows, env }: { workspace: string; rows: number; env: Record<string, string> },
): Promise<void> {
  const ctx = async (...args: string[]): Promise<void> => {
    const all = [...args, "--workspace", workspace];
    const { success, stderr } = await new Deno.Command(path, { args: all, env }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  };
  await Deno.mkdir(workspace);
  await ctx("init");
  writeHistory(`${workspace}/.contextfs/history.ndjson`, { rows });
  await ctx("save", decision, "--type", "decision");
  if (rows <= 1000) await ctx("distil");
  await ctx("reindex", "--full");
}
