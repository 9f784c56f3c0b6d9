// The code of a 5,000-file repository: reading it and the callers of a symbol; and `ctx hook pre-edit`
// in it as a whole process against an empty Deno script.

import { bundle, stampBundle } from "../../build/bundle.ts";
import { startFlags } from "../../src/serve/mcp/start_flags.ts";
import { readGraph } from "../../src/recall/edit/graph/code_graph.ts";
import { findCallers } from "../../src/recall/edit/graph/code_relations.ts";
import { raceProcesses } from "../support/processes.ts";
import { makeSourceTree, writeTree } from "./source_tree.ts";
import { type BenchTable, medianOf, round } from "../support/table.ts";

const count = 5000;

/** Measures the graph and the hook. */
export async function run(): Promise<BenchTable[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    writeTree(work, makeSourceTree(count));
    const read = await median(5, () => readGraph(work));
    const graph = await readGraph(work);
    const callers = await median(21, (i) => {
      findCallers(graph, `pkg_1/unit_${20 + i % 20}.ts`, `work_${20 + i % 20}_0`);
    });
    const graphTable: BenchTable = {
      title: `The code of ${count} files`,
      head: ["operation", "ms"],
      rows: [
        ["read all of it", round(read, 1)],
        ["find the callers of a symbol", round(callers, 2)],
      ],
    };
    return [graphTable, await raceHook(work, "pkg_1/unit_25.ts")];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function raceHook(work: string, edited: string): Promise<BenchTable> {
  await Deno.writeTextFile(`${work}/empty.ts`, 'console.log("ctx");\n');
  await bundle(`${work}/plain`);
  await stampBundle(`${work}/plain`, `${work}/bundle`, { form: "bundle" });
  const deno = Deno.execPath();
  const env = { HOME: work, XDG_CONFIG_HOME: work, CTX_SESSION: "" };
  const flags = ["run", "-A", ...startFlags];
  const ctx = (words: string[], input?: string) => ({
    name: words.join(" "),
    command: deno,
    args: [...flags, `${work}/bundle/mod.js`, ...words],
    env,
    cwd: work,
    input,
  });
  await new Deno.Command(deno, { ...ctx(["init"]) }).output();
  const decision = ["save", `unit_25.ts keeps work_25_0 pure`, "--type", "decision"];
  await new Deno.Command(deno, { ...ctx(decision) }).output();
  await new Deno.Command(deno, { ...ctx(["suggest", edited]) }).output();
  const hook = (session: string): string =>
    JSON.stringify({ session_id: session, cwd: work, tool_input: { file_path: edited } });
  const before = await Deno.readTextFile(`${work}/${edited}`);
  const content = before.replaceAll("work_", "task_");
  const writing = JSON.stringify({
    session_id: "two",
    cwd: work,
    tool_input: { file_path: edited, content },
  });
  const line = before.split("\n").find((text) => text.includes("work_")) ?? "";
  const changing = JSON.stringify({
    session_id: "three",
    cwd: work,
    tool_input: {
      file_path: edited,
      old_string: line,
      new_string: line.replaceAll("work_", "task_"),
    },
  });
  const config = `${work}/.contextfs/config.jsonc`;
  await Deno.writeTextFile(config, '{"suggest":{"cooldown_ms":0}}\n');
  const contenders = [
    {
      name: "empty Deno script",
      command: deno,
      args: ["run", "-A", `${work}/empty.ts`],
      cwd: work,
    },
    { ...ctx(["--version"]), name: "ctx --version" },
    { ...ctx(["hook", "pre-edit"], hook("one")), name: "ctx hook pre-edit, nothing new to say" },
    { ...ctx(["hook", "pre-edit"], changing), name: "the same, of a line changed" },
    { ...ctx(["hook", "pre-edit"], writing), name: "the same, of a whole file rewritten" },
  ];
  await new Deno.Command(deno, { ...ctx(["hook", "pre-edit"]) }).output();
  const times = await raceProcesses(contenders, 21);
  return {
    title: `ctx hook pre-edit on ${count} files, whole process (median of 21, interleaved)`,
    head: ["process", "ms", "ratio to empty script", "target"],
    rows: contenders.map(({ name }, i) => [
      name,
      round(times[i], 1),
      round(times[i] / times[0]),
      i >= 2 ? 3 : "",
    ]),
  };
}

async function time(action: () => unknown): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

async function median(times: number, action: (i: number) => unknown): Promise<number> {
  const found: number[] = [];
  for (let i = 0; i < times; i++) found.push(await time(() => action(i)));
  return medianOf(found);
}
