// Whether others' logs cost a search anything: the same rows in one log of one's own, and as those of
// eight members that came in turns of a hundred. Both are indexed; the same questions in one run, as
// whole processes of the built file and, alternating, in one process.

import { search } from "../src/search/run_search.ts";
import { closeIndex } from "../src/search/use_index.ts";
import { appendTeam } from "../src/store/team/team_log.ts";
import { buildFile } from "./support/built_file.ts";
import { writeLines } from "./support/generate.ts";
import {
  commonQuestion,
  commonQuestions,
  commonWord,
  generateSessions,
} from "./support/generate_sessions.ts";
import { openStore } from "./quality/open_store.ts";
import {
  builtContender,
  type Contender,
  measureProcess,
  raceProcesses,
} from "./support/processes.ts";
import { type BenchTable, medianOf, percentileOf, round } from "./support/table.ts";

const members = 8;
/** Rows of a member that one sync brings. */
const syncRows = 100;
const rounds = 21;
const warmQuestions = 60;

/** Measures every size. */
export async function run(): Promise<BenchTable[]> {
  const sizes = (Deno.env.get("CTX_BENCH_ROWS") ?? "100000").split(",").map(Number);
  const home = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const { path: ctx } = await buildFile(`${home}/built`, { gzip: false });
    const tables: BenchTable[] = [];
    for (const rows of sizes) {
      const stores = {
        one: await makeStore(`${home}/one-${rows}`, rows, false),
        team: await makeStore(`${home}/team-${rows}`, rows, true),
      };
      const place = { ctx, home, ...stores, rows };
      for (const workspace of [place.one, place.team]) {
        await measureProcess(process(place, workspace, ["reindex", "--full"]));
      }
      tables.push(await coldTable(place), await warmTable(place));
    }
    return tables;
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

interface Place {
  /** The built file, and the home it runs in. */
  ctx: string;
  home: string;
  /** The store with one log, and that with a log of each member. */
  one: string;
  team: string;
  rows: number;
}

async function makeStore(workspace: string, rows: number, isTeam: boolean): Promise<string> {
  const history = `${workspace}/.contextfs/history.ndjson`;
  await Deno.mkdir(`${workspace}/.contextfs`, { recursive: true });
  writeLines(history, isTeam ? [] : generateSessions({ rows }));
  const store = openStore(workspace);
  await store.write("bench", (into) => {
    const held: string[][] = Array.from({ length: members }, () => []);
    const flush = (member: number): void => {
      const writer = `00000000-0000-4000-8000-00000000000${member}`;
      appendTeam(into, writer, held[member]);
      held[member] = [];
    };
    let seq = 0;
    for (const line of isTeam ? generateSessions({ rows }) : []) {
      const member = Math.floor(seq / syncRows) % members;
      const author = `member-${member}`;
      held[member].push(JSON.stringify({ ...JSON.parse(line), author, seq: ++seq }));
      if (held[member].length === syncRows) flush(member);
    }
    held.forEach((lines, member) => lines.length > 0 && flush(member));
  });
  return workspace;
}

function process({ ctx, home }: Place, workspace: string, args: string[]): Contender {
  return builtContender({ ctx, home, workspace }, { name: args.join(" "), args });
}

/** Whole processes, interleaved. */
async function coldTable(place: Place): Promise<BenchTable> {
  const questions = [
    ["one common word, words only", ["search", commonWord, "--mode", "lexical"]],
    ["seven common words, words only", ["search", commonQuestion, "--mode", "lexical"]],
    ["seven common words", ["search", commonQuestion]],
  ] as const;
  const contenders = questions.flatMap(([, args]) =>
    [place.one, place.team].map((workspace) => process(place, workspace, [...args]))
  );
  const times = await raceProcesses(contenders, rounds);
  return {
    title:
      `Search with the logs of ${members} members, ${place.rows} rows, whole process (median of ${rounds}, interleaved)`,
    head: ["question", "one log, ms", `${members} logs, ms`, "ratio"],
    rows: questions.map(([name], i) => {
      const [one, team] = [times[i * 2], times[i * 2 + 1]];
      return [name, round(one, 1), round(team, 1), round(team / one)];
    }),
  };
}

/** Many questions in one process, of both stores in turns; the first few only warm up. */
async function warmTable({ one, team, rows }: Place): Promise<BenchTable> {
  const stores = [openStore(one), openStore(team)];
  const questions = commonQuestions(warmQuestions);
  const modes = [["words only", "lexical"], ["words and vectors", "hybrid"]] as const;
  const lines: (string | number)[][] = [];
  for (const [name, mode] of modes) {
    const times: [number[], number[]] = [[], []];
    for (const query of [...questions.slice(0, 20), ...questions]) {
      for (const [i, store] of stores.entries()) {
        const start = performance.now();
        await search(store, { query, k: 5, offset: 0, scope: "all", mode });
        times[i].push(performance.now() - start);
      }
    }
    const told = [medianOf, (values: number[]) => percentileOf(values, 95)].map((of) =>
      times.map((values) => of(values.slice(-warmQuestions)))
    );
    lines.push([name, ...told.flatMap(([a, b]) => [round(a), round(b), round(b / a)])]);
  }
  for (const store of stores) closeIndex(store);
  return {
    title: `The same, ${rows} rows, in one process, ms (${warmQuestions} questions)`,
    head: ["mode", "one log, p50", `${members} logs, p50`, "ratio", "p95", "p95", "ratio"],
    rows: lines,
  };
}
