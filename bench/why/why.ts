// Whose commits and lines are: a repository that carries the sessions behind its commits is read, its
// sessions are imported by the product's importer, and what `ctx why` says is held against the labels.
// The earlier half of the linked commits was there to choose weights on; the later half is measured with
// --late only, and so are lines.

import { open } from "../../mod.ts";
import { type LineTable, openLines } from "../../src/index/lines/line_table.ts";
import { attribute } from "../../src/code/why/attribute_change.ts";
import { attributeLine } from "../../src/code/why/attribute_line.ts";
import { openStore } from "../quality/open_store.ts";
import { seededRandom } from "../support/seeded_random.ts";
import { type BenchTable, round } from "../support/table.ts";
import {
  git,
  type LabelledCommit,
  readCommits,
  unpackSessions,
  withoutCopies,
} from "./labelled_repository.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

const sampledLines = 200;

/** Measures the attribution of commits and lines, and what the table costs. */
export async function run(): Promise<BenchTable[]> {
  const data = Deno.env.get("CTX_BENCH_DATA");
  if (data === undefined) throw new Error("say which repository: deno task bench why --data DIR");
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-why-" });
  try {
    return await measure(data, work);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function measure(data: string, work: string): Promise<BenchTable[]> {
  const { labels, sessions } = await unpackSessions(data, `${work}/projects/sessions`);
  const workspace = `${work}/workspace`;
  await Deno.mkdir(workspace);
  await importSessions(workspace, `${work}/projects`);
  using table = await openLines(openStore(workspace));
  const conversations = new Map(
    [...openStore(workspace).readSessions()].map((
      [id, { conversation }],
    ) => [id, String(conversation)]),
  );
  const all = await readCommits(data, labels);
  const commits = withoutCopies(all);
  const linked = commits.filter((one) => one.sessions.some((session) => sessions.has(session)));
  const half = Math.floor(linked.length / 2);
  const isLate = Deno.env.has("CTX_BENCH_LATE");
  const judge = { table, conversations };
  const early = linked.slice(0, half);
  const before = commits.filter(({ isLinked, change }) =>
    !isLinked && (isLate || change.authored < (linked[half]?.change.authored ?? 0))
  );
  return [
    {
      title: "Commits",
      head: ["commits", "number", "answered", "of them right", "answered %", "right %"],
      rows: [
        rowOf("linked, earlier half", early, judge),
        ...isLate ? [rowOf("linked, later half", linked.slice(half), judge)] : [],
        countAnswers("by bots", commits.filter(({ change }) => change.commit.isBot), judge),
        countAnswers("with no label", before.filter(({ change }) => !change.commit.isBot), judge),
      ],
    },
    ...isLate ? [await measureLines(data, { ...judge, commits: all, sessions })] : [],
    await measureTable(workspace),
  ];
}

interface Judge {
  table: LineTable;
  /** The agent's id of each session. */
  conversations: ReadonlyMap<string, string>;
}

function rowOf(name: string, commits: LabelledCommit[], judge: Judge): (string | number)[] {
  let [answered, right] = [0, 0];
  for (const { change, sessions } of commits) {
    const { best } = attribute(judge.table, change);
    if (best === undefined) continue;
    answered++;
    if (sessions.includes(judge.conversations.get(best.session) ?? "")) right++;
  }
  const percent = (part: number, of: number): number => round(100 * part / Math.max(1, of), 1);
  const shares = [percent(answered, commits.length), percent(right, answered)];
  return [name, commits.length, answered, right, ...shares];
}

function countAnswers(name: string, commits: LabelledCommit[], judge: Judge): (string | number)[] {
  const answered =
    commits.filter(({ change }) => attribute(judge.table, change).best !== undefined).length;
  return [name, commits.length, answered, "–", round(100 * answered / commits.length, 1), "–"];
}

/** Lines of the newest commit, chosen by a seed; those of commits with a known session are judged. */
async function measureLines(
  data: string,
  { table, conversations, commits, sessions }: Judge & {
    commits: LabelledCommit[];
    sessions: ReadonlySet<string>;
  },
): Promise<BenchTable> {
  const byOid = new Map(commits.map((one) => [one.change.commit.oid, one]));
  const lines = await sampleLines(data);
  const counts = {
    linked: 0,
    unlinked: 0,
    answered: 0,
    right: 0,
    very: 0,
    veryRight: 0,
    nobody: 0,
  };
  for (const { oid, path, text } of lines) {
    const commit = byOid.get(oid);
    const isKnown = commit?.sessions.some((session) => sessions.has(session)) === true;
    if (commit === undefined) {
      counts.unlinked++;
      continue;
    }
    const file = commit.change.files.find((one) => one.path === path) ?? { path };
    const whole = attribute(table, commit.change);
    const found = attributeLine(table, { text, file, change: commit.change }, whole);
    if (!isKnown) {
      counts.unlinked++;
      if (found.session === undefined) counts.nobody++;
      continue;
    }
    counts.linked++;
    if (found.session === undefined) continue;
    const isRight = commit.sessions.includes(conversations.get(found.session) ?? "");
    counts.answered++;
    if (isRight) counts.right++;
    if (found.by !== "line") continue;
    counts.very++;
    if (isRight) counts.veryRight++;
  }
  return {
    title: `${lines.length} random lines of HEAD (seed 22), by blame and then by session`,
    head: ["lines", "number"],
    rows: [
      ["their commit has a label and a session here", counts.linked],
      ["of those answered", counts.answered],
      ["of those right", counts.right],
      ["answered with the very edit", counts.very],
      ["of those right", counts.veryRight],
      ["no label, or no session of it here", counts.unlinked],
      ["of those answered with unknown", counts.nobody],
    ],
  };
}

interface SampledLine {
  oid: string;
  path: string;
  text: string;
}

async function sampleLines(data: string): Promise<SampledLine[]> {
  const random = seededRandom(22);
  const read = async (args: string[]): Promise<string> =>
    new TextDecoder().decode(await git(data, args));
  const paths = (await read(["ls-tree", "-r", "--name-only", "HEAD"])).trim().split("\n")
    .filter((path) => /\.(?:go|md|sh|ya?ml|json|toml)$/.test(path));
  const places: { path: string; line: number }[] = [];
  for (const path of paths) {
    const text = await read(["cat-file", "blob", `HEAD:${path}`]);
    text.split("\n").forEach((one, i) => {
      if (one.trim() !== "") places.push({ path, line: i + 1 });
    });
  }
  const found: SampledLine[] = [];
  while (found.length < sampledLines) {
    const { path, line } = places[Math.floor(random() * places.length)];
    const blamed = await read([
      "blame",
      "--porcelain",
      "-L",
      `${line},${line}`,
      "HEAD",
      "--",
      path,
    ]);
    const oid = /^[0-9a-f]{40}/.exec(blamed)?.[0];
    const name = /^filename (.*)$/m.exec(blamed)?.[1];
    const text = /^\t(.*)$/m.exec(blamed)?.[1];
    if (oid !== undefined && text !== undefined) found.push({ oid, path: name ?? path, text });
  }
  return found;
}

async function importSessions(workspace: string, root: string): Promise<void> {
  using ctx = open(workspace);
  await ctx.init({});
  await ctx.import({ sources: ["claude-code"], root, all_projects: true, no_distil: true });
}

async function measureTable(workspace: string): Promise<BenchTable> {
  const script = fromFileUrl(new URL("./table_cost.ts", import.meta.url));
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", script, workspace],
    stderr: "inherit",
  }).output();
  const { entries, build, open, more, size, peak_mb } = JSON.parse(
    new TextDecoder().decode(stdout),
  );
  return {
    title: `The table of lines, ${entries} entries`,
    head: ["what", "ms", "ms of the processor"],
    rows: [
      ["building it from nothing", build.ms, build.cpu_ms],
      ["opening it", open.ms, open.cpu_ms],
      ["working in 300 KB of new entries, median of seven", more.ms, more.cpu_ms],
      [`its size is ${round(size / 1e6, 1)} MB, the peak memory of building ${peak_mb} MB`, "", ""],
    ],
  };
}
