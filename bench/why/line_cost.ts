// What `ctx why FILE:LINE` costs as a whole process, against an empty Deno script: the bundle that ships, in
// a made repository (`made_history.ts`) with the sessions that might have written it, on a built index.

import { bundle, stampBundle } from "../../build/bundle.ts";
import { startFlags } from "../../build/permissions.ts";
import { madePath } from "../made_history.ts";
import { type Contender, measureProcess } from "../processes.ts";
import { type BenchTable, medianOf, round } from "../table.ts";
import { madeSessions } from "./made_sessions.ts";

const rounds = 11;

/** Files that change often and one that never did: the newer a line, the fewer versions are read. */
const questions = [
  ["a line of a file with few versions since", `${madePath(2)}:30`],
  ["a newer line of a file with 137 versions", `${madePath(1)}:14`],
  ["its oldest line, from the first commit of 5,000 files", `${madePath(1)}:12`],
  ["a line of a file that never changed", `${madePath(4003)}:8`],
] as const;

/** Measures questions about a repository; what it needs is made below `work`. */
export async function measureQuestions(root: string, work: string): Promise<BenchTable> {
  await Deno.writeTextFile(`${work}/empty.ts`, 'console.log("ctx");\n');
  await bundle(`${work}/plain`);
  await stampBundle(`${work}/plain`, `${work}/bundle`, { form: "bundle" });
  await Deno.mkdir(`${root}/.contextfs`);
  await Deno.writeTextFile(`${root}/.contextfs/history.ndjson`, await madeSessions(root));
  const env = { XDG_CONFIG_HOME: work, HOME: work };
  const start = (name: string, args: string[]): Contender => {
    return { name, command: Deno.execPath(), args: ["run", "-A", ...args], cwd: root, env };
  };
  const ctx = (name: string, ...words: string[]): Contender =>
    start(name, [...startFlags, `${work}/bundle/mod.js`, ...words]);
  await measureProcess(ctx("reindex", "reindex"));
  const contenders = [
    start("empty Deno script", ["--no-check", `${work}/empty.ts`]),
    ctx("ctx get", "get", "H-made4000"),
    ...questions.map(([name, target]) => ctx(name, "why", target)),
  ];
  const taken = contenders.map(() => ({ wall: [] as number[], cpu: [] as number[] }));
  for (let i = 0; i < rounds + 2; i++) {
    const order = contenders.map((_, at) => at);
    if (i % 2 === 1) order.reverse();
    for (const at of order) {
      const { wallS, cpuS } = await measureProcess(contenders[at]);
      if (i < 2) continue;
      taken[at].wall.push(wallS * 1000);
      taken[at].cpu.push(cpuS * 1000);
    }
  }
  const medians = taken.map(({ wall, cpu }) => ({ wall: medianOf(wall), cpu: medianOf(cpu) }));
  return {
    title: `\`ctx why FILE:LINE\`, whole process, median of ${rounds}, interleaved`,
    head: ["process", "ms", "to empty script", "ms of the processor", "to empty script"],
    rows: medians.map(({ wall, cpu }, at) => [
      contenders[at].name,
      round(wall, 0),
      round(wall / medians[0].wall, 1),
      round(cpu, 0),
      round(cpu / medians[0].cpu, 1),
    ]),
  };
}
