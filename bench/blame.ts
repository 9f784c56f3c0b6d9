// Who wrote a line: what it costs in a repository of 5,000 files and 10,000 commits, in a process and as
// `ctx why`, and how often the answer is that of `git blame`, on this repository or on the one that --repository names. Runs git.

import { type Blame, blameLines } from "../src/code/blame/blame_lines.ts";
import { keepHistory } from "../src/code/blame/keep_history.ts";
import { openHistory, type PathHistory } from "../src/code/blame/path_history.ts";
import { GitProblem } from "../src/code/git/git_problem.ts";
import { findRepository, type GitRepository } from "../src/code/git/git_repository.ts";
import { diskFiles } from "../src/disk/files.ts";
import { madePath, makeHistory } from "./support/made_history.ts";
import { seededRandom } from "./support/seeded_random.ts";
import { measureFreshness } from "./why/fresh_cost.ts";
import { measureQuestions } from "./why/line_cost.ts";
import { type BenchTable, medianOf, percentileOf, round } from "./support/table.ts";
import { fromFileUrl } from "../src/core/platform_path.ts";

const [files, commits, questions, compared] = [5000, 10_000, 200, 50];

/** Measures cost and agreement. */
export async function run(): Promise<BenchTable[]> {
  const work = await Deno.realPath(await Deno.makeTempDir({ prefix: "ctx-bench-" }));
  try {
    const given = Deno.env.get("CTX_BENCH_REPOSITORY");
    const root = given ?? fromFileUrl(new URL("..", import.meta.url)).replace(/\/$/, "");
    return [
      await compare(await Deno.realPath(root), `${work}/compared.bin`),
      await measure(work),
      await measureQuestions(`${work}/made`, work),
      await measureFreshness(`${work}/made`, work),
    ];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function compare(root: string, path: string): Promise<BenchTable> {
  const repository = findRepository(root);
  if (repository === undefined) throw new Error(`"${root}" is in no git repository`);
  await keepHistory(repository, { files: diskFiles, path });
  using history = openHistory(diskFiles, path);
  const random = seededRandom(22);
  const names = (await askGit(root, ["ls-files"])).split("\n").filter((name) => name !== "")
    .map((name) => ({ name, key: random() })).sort((a, b) => a.key - b.key);
  let [done, lines, same] = [0, 0, 0];
  for (const { name } of names) {
    if (done === compared) break;
    const blame = await blameLines(repository, name, { history });
    if (blame instanceof GitProblem) continue;
    const expected = await askGit(root, ["blame", "--porcelain", "--", name]);
    const pairs = [...expected.matchAll(/^([0-9a-f]{40,64}) (\d+) \d+(?: \d+)?$/gm)];
    done++;
    lines += blame.lines.length;
    same += blame.lines.filter(({ commit, commitLine }, i) =>
      (commit ?? "").replace(/^$/, "0".repeat(pairs[i][1].length)) === pairs[i][1] &&
      commitLine === Number(pairs[i][2])
    ).length;
  }
  return {
    title: "Lines that are blamed on the commit, and the line of it, that git blame names",
    head: ["files", "lines", "same", "share %"],
    rows: [[done, lines, same, round(100 * same / lines, 2)]],
  };
}

async function measure(work: string): Promise<BenchTable> {
  const root = `${work}/made`;
  await Deno.mkdir(root);
  await makeHistory(root, { files, commits, mergeEvery: 10 });
  const repository = findRepository(root)!;
  const path = `${work}/kept.bin`;
  const keep = () => keepHistory(repository, { files: diskFiles, path });
  const build = await time(keep);
  const again = await time(keep);
  await Deno.writeTextFile(`${root}/${madePath(1)}`, "one more\n", { append: true });
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  await askGit(root, [...who, "commit", "-qam", "one more"]);
  const more = await time(keep);
  using history = openHistory(diskFiles, path)!;
  const withIt = await askMany(repository, history);
  return {
    title:
      `A line of ${files} files after ${commits} commits, ${questions} questions in one process`,
    head: [
      "kept: build ms",
      "nothing new ms",
      "one commit ms",
      "MB",
      "a line: median ms",
      "95 % ms",
    ],
    rows: [[
      ...[build, again, more].map((value) => round(value, 1)),
      round((diskFiles.findSize(path) ?? 0) / 2 ** 20, 1),
      round(medianOf(withIt), 2),
      round(percentileOf(withIt, 95), 2),
    ]],
  };
}

async function askMany(repository: GitRepository, history: PathHistory): Promise<number[]> {
  const random = seededRandom(5);
  const times: number[] = [];
  for (let i = 0; i < questions; i++) {
    // As changes are: every third of any file, else of those that change often.
    const share = i % 3 === 0 ? 1 : 1 / 50;
    const name = madePath(Math.floor(random() * files * share));
    const from = 1 + Math.floor(random() * 30);
    let blame: Blame | GitProblem | undefined;
    times.push(
      await time(async () => {
        blame = await blameLines(repository, name, { from, to: from, history });
      }),
    );
    if (blame instanceof GitProblem) throw new Error(blame.message);
  }
  return times;
}

async function time(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

async function askGit(root: string, words: string[]): Promise<string> {
  const args = ["-C", root, "-c", "core.quotepath=off", ...words];
  const { success, stdout, stderr } = await new Deno.Command("git", { args }).output();
  if (!success) throw new Error(`git ${words[0]}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}
