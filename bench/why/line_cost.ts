// What `ctx why FILE:LINE` costs as a whole process, against an empty Deno script (`deno run`, no type
// check): the built file, in a made repository (`made_history.ts`) with the sessions that might have
// written it, on a built index, and with a few commits since as there are on any day.

import { buildFile } from "../support/built_file.ts";
import { madePath } from "../support/made_history.ts";
import type { Contender } from "../support/processes.ts";
import { type BenchTable, round } from "../support/table.ts";
import { madeSessions } from "./made_sessions.ts";
import { raceWithCpu } from "./race_with_cpu.ts";

const rounds = 15;
const commitsSince = 3;

/** Files that change often and one that never did: the newer a line, the fewer versions are read. */
const questions = [
  ["a line of a file with few versions since", `${madePath(2)}:30`],
  ["a newer line of a file with 137 versions", `${madePath(1)}:14`],
  ["its oldest line, from the first commit of 5,000 files", `${madePath(1)}:12`],
  ["a line of a file that never changed", `${madePath(4003)}:8`],
] as const;

/** Measures questions about a repository; what it needs is made below `work`. */
export async function measureQuestions(root: string, work: string): Promise<BenchTable> {
  const { path: built, form } = await buildFile(`${work}/built`, { gzip: true });
  await Deno.writeTextFile(`${work}/empty.ts`, 'console.log("ctx");\n');
  await Deno.mkdir(`${root}/.contextfs`);
  await Deno.writeTextFile(`${root}/.contextfs/history.ndjson`, await madeSessions(root));
  const env = { HOME: work, XDG_CACHE_HOME: `${work}/cache`, XDG_CONFIG_HOME: work };
  const ctx = (name: string, ...args: string[]): Contender => {
    return { name, command: built, args, cwd: root, env };
  };
  await raceWithCpu([ctx("reindex", "reindex")], 1);
  for (let i = 0; i < commitsSince; i++) await commit(root, `${madePath(7)}`);
  const empty = ["run", "-A", "--no-check", `${work}/empty.ts`];
  const contenders = [
    { name: "empty Deno script", command: Deno.execPath(), args: empty, cwd: root, env },
    ctx("ctx get", "get", "H-made4000"),
    ...questions.map(([name, target]) => ctx(name, "why", target)),
  ];
  const taken = await raceWithCpu(contenders, rounds);
  return {
    title: `\`ctx why FILE:LINE\`, whole process (${form}), median of ${rounds}, interleaved`,
    head: ["process", "ms", "to empty script", "ms of the processor", "to empty script"],
    rows: taken.map(({ wall, cpu }, at) => [
      contenders[at].name,
      round(wall, 0),
      round(wall / taken[0].wall, 1),
      round(cpu, 0),
      round(cpu / taken[0].cpu, 1),
    ]),
  };
}

async function commit(root: string, path: string): Promise<void> {
  await Deno.writeTextFile(`${root}/${path}`, "since\n", { append: true });
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  const args = ["-C", root, ...who, "commit", "-qam", "since"];
  const { success, stderr } = await new Deno.Command("git", { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
