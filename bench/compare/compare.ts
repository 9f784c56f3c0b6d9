// ctx beside other memories for agents: the same chats, the same questions, each tool through its own
// MCP server as an agent would ask it. A session counts as found when the answer names it.
// CTX_BINARY names a built ctx; without it, one is built. CTX_COMPARE_TOOLS=qmd,ctx asks only those.

import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { shared } from "../quality/judged_sets.ts";
import { buildFile } from "../support/built_file.ts";
import { McpPipe } from "../support/mcp_pipe.ts";
import { type BenchTable, medianOf, round } from "../support/table.ts";
import { type ChatQuestion, type ChatSession, loadChats } from "./chat_sessions.ts";
import { install, type Installed, run as runProgram, sizeOf } from "./installed.ts";
import { MarkedProcesses } from "./marked_processes.ts";
import {
  type Call,
  callTool,
  ctxTool,
  type MemoryTool,
  otherTools,
  type RunningTool,
  type ToolWorld,
} from "./memory_tools.ts";
import { hasStrace, readHosts, tracedBy } from "./traced_hosts.ts";

/** What one manner of asking gave. */
interface Asked {
  first: number;
  five: number;
  none: number;
  tokens: number;
  calls: number;
  ms: number;
}

/** What was measured of a tool. */
interface Measured {
  tool: MemoryTool;
  installed: Installed;
  listTokens: number;
  feed: { wallS: number; cpuS: number; peakMb: number };
  storeMb: number;
  question: Asked;
  words: Asked;
  answering: { cpuS: number; peakMb: number };
  hosts?: string[];
}

/** Compares them. */
export async function run(): Promise<BenchTable[]> {
  const { sessions, questions } = loadChats(`${shared}/bench`);
  if (sessions.length === 0) {
    return [{ title: "No chats in ../shared/bench: nothing is measured", head: [], rows: [] }];
  }
  const work = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "ctx-bench-compare-" }));
  const only = Deno.env.get("CTX_COMPARE_TOOLS")?.split(",");
  const failed: string[][] = [];
  const measured: Measured[] = [];
  try {
    const file = Deno.env.get("CTX_BINARY") ??
      (await buildFile(`${work}/built`, { gzip: false })).path;
    const tools = [ctxTool(Deno.realPathSync(file)), ...otherTools];
    for (const tool of tools.filter(({ name }) => only?.includes(name) ?? true)) {
      try {
        const directory = `${work}/${tool.name}`;
        measured.push(await measure(tool, { directory, file, sessions, questions }));
      } catch (error) {
        failed.push([tool.name, String(error).split("\n")[0].slice(0, 200)]);
      }
    }
  } finally {
    Deno.removeSync(work, { recursive: true });
  }
  return toTables(measured, { failed, about: `${sessions.length} sessions` });
}

interface Task {
  directory: string;
  file: string;
  sessions: readonly ChatSession[];
  questions: readonly ChatQuestion[];
}

async function measure(tool: MemoryTool, task: Task): Promise<Measured> {
  const { directory, file, sessions, questions } = task;
  const mark = crypto.randomUUID();
  const installed = tool.npm === undefined
    ? await placeCtx(directory, { file, mark })
    : await install(directory, { ...tool.npm, mark });
  const hosts = await hasStrace()
    ? await traceHosts(tool, { installed, directory, sessions, questions })
    : undefined;
  const processes = new MarkedProcesses(mark);
  const children: Deno.ChildProcess[] = [];
  try {
    const world = openWorld(installed, { workspace: `${directory}/work`, children });
    const running = await tool.open(world);
    const listTokens = await initialize(running.pipe);
    const places = [installed.home, world.workspace, `${installed.directory}/dist`];
    const before = await sizesOf(places);
    processes.begin();
    const start = performance.now();
    await running.feed(sessions);
    const wallS = (performance.now() - start) / 1000;
    const feed = { wallS, ...processes.read() };
    const storeMb = await sizesOf(places) - before;
    await running.learn?.(sessions);
    processes.begin();
    const question = await askAll(running, questions, ({ text }) => running.ask(text));
    const answering = processes.read();
    const words = await askAll(running, questions, (item) => running.askWords(item.words));
    return {
      ...{ tool, installed, listTokens, feed, storeMb, question, words, answering },
      ...(hosts === undefined ? {} : { hosts }),
    };
  } finally {
    processes.end();
    for (const child of children) await child.status;
  }
}

async function sizesOf(paths: readonly string[]): Promise<number> {
  let sum = 0;
  for (const path of paths) sum += await sizeOf(path);
  return sum;
}

async function placeCtx(
  directory: string,
  { file, mark }: { file: string; mark: string },
): Promise<Installed> {
  const home = `${directory}/home`;
  Deno.mkdirSync(home, { recursive: true });
  const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, CTX_COMPARE: mark };
  const { text } = await runProgram(file, ["--version"], { directory: home, env });
  // Its first start unpacks it.
  const megabytes = Deno.statSync(file).size / (1 << 20) + await sizeOf(home);
  return {
    directory,
    home,
    env,
    version: text.trim().split(" ").at(-1) ?? "",
    megabytes,
    notes: [],
  };
}

function openWorld(
  installed: Installed,
  { workspace, children, before = [] }: {
    workspace: string;
    children: Deno.ChildProcess[];
    /** Words before each command. */
    before?: readonly string[];
  },
): ToolWorld {
  Deno.mkdirSync(workspace);
  const options = { cwd: workspace, env: installed.env };
  const wrap = (program: string, args: string[]): [string, string[]] => {
    const [first, ...rest] = [...before, program, ...args];
    return [first, rest];
  };
  return {
    installed,
    workspace,
    isTraced: before.length > 0,
    async run(program, ...args) {
      const [first, rest] = wrap(program, args);
      const { success, text, fault } = await runProgram(first, rest, {
        directory: workspace,
        env: installed.env,
      });
      if (!success) throw new Error(`${program} ${args.join(" ")}: ${text}${fault}`);
      return text;
    },
    start(program, ...args) {
      const [first, rest] = wrap(program, args);
      const pipes = { stdin: "null", stdout: "null", stderr: "null" } as const;
      children.push(new Deno.Command(first, { args: rest, ...options, ...pipes }).spawn());
    },
    serve(program, ...args) {
      const [first, rest] = wrap(program, args);
      return new McpPipe(first, { args: rest, ...options });
    },
  };
}

/** Begins to speak with a server; tells what its tools cost an agent. */
async function initialize(pipe: McpPipe): Promise<number> {
  await pipe.ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  await pipe.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const { result } = JSON.parse(await pipe.ask("tools/list", {}));
  const shown = result.tools.map(({ name, description, inputSchema }: Record<string, unknown>) => ({
    ...{ name, description, inputSchema },
  }));
  return countTokens(JSON.stringify(shown));
}

async function askAll(
  { pipe, findSessions }: RunningTool,
  questions: readonly ChatQuestion[],
  toCalls: (question: ChatQuestion) => Call[],
): Promise<Asked> {
  const ranks: number[] = [];
  const [times, tokens, calls]: number[][] = [[], [], []];
  let none = 0;
  for (const question of questions) {
    const found = new Map<string, number>();
    let [ms, size] = [0, 0];
    const all = toCalls(question);
    for (const call of all) {
      const start = performance.now();
      const answer = await callTool(pipe, call);
      ms += performance.now() - start;
      size += countTokens(answer);
      for (const name of findSessions(answer)) found.set(name, (found.get(name) ?? 0) + 1);
    }
    // Where several calls were needed, sessions that more of them name come first.
    const names = [...found].sort(([, a], [, b]) => b - a).map(([name]) => name);
    ranks.push(names.findIndex((name) => question.sessions.has(name)));
    if (names.length === 0) none++;
    times.push(ms);
    tokens.push(size);
    calls.push(all.length);
  }
  const share = (count: number): number => count / questions.length;
  return {
    first: share(ranks.filter((rank) => rank === 0).length),
    five: share(ranks.filter((rank) => rank >= 0 && rank < 5).length),
    none: share(none),
    tokens: medianOf(tokens),
    calls: calls.reduce((sum, count) => sum + count, 0) / calls.length,
    ms: medianOf(times),
  };
}

/** A short run of its own, of which only the hosts are kept. */
async function traceHosts(
  tool: MemoryTool,
  { installed, directory, sessions, questions }: {
    installed: Installed;
    directory: string;
    sessions: readonly ChatSession[];
    questions: readonly ChatQuestion[];
  },
): Promise<string[]> {
  const mark = crypto.randomUUID();
  const home = `${directory}/traced-home`;
  Deno.mkdirSync(home);
  const env = Object.fromEntries(
    Object.entries({ ...installed.env, CTX_COMPARE: mark })
      .map(([name, value]) => [name, value === installed.home ? home : value]),
  );
  const traces = `${directory}/traces`;
  Deno.mkdirSync(traces);
  const before = ["sh", "-c", `exec ${tracedBy(`${traces}/$$`).join(" ")} "$@"`, "sh"];
  const processes = new MarkedProcesses(mark);
  const children: Deno.ChildProcess[] = [];
  try {
    const traced = { ...installed, home, env };
    const world = openWorld(traced, { workspace: `${directory}/traced`, children, before });
    const running = await tool.open(world);
    await initialize(running.pipe);
    await running.feed(sessions.slice(0, 5));
    for (const { text } of questions.slice(0, 5)) {
      for (const call of running.ask(text)) await callTool(running.pipe, call);
    }
    // What it says to others it may say a little later.
    await new Promise((resolve) => setTimeout(resolve, 15_000));
  } finally {
    processes.end();
    for (const child of children) await child.status;
  }
  const found = [...Deno.readDirSync(traces)].flatMap(({ name }) => readHosts(`${traces}/${name}`));
  return [...new Set(found)].sort();
}

function toTables(
  measured: readonly Measured[],
  { failed, about }: { failed: string[][]; about: string },
): BenchTable[] {
  const asked = (name: string, how: string, item: Asked): (string | number)[] => [
    ...[name, how, round(item.first, 3), round(item.five, 3), round(item.none, 3)],
    ...[item.tokens, round(item.calls, 1), round(item.ms, 0)],
  ];
  const tables: BenchTable[] = [{
    title: `The right session among the first, of ${about}`,
    head: [
      ...["tool", "asked", "first", "first five", "found nothing"],
      ...["tokens of the answers (median)", "calls", "ms (median)"],
    ],
    rows: measured.flatMap(({ tool: { name }, question, words }) => [
      asked(name, "the question", question),
      asked(name, "its words", words),
    ]),
  }, {
    title: "What it takes",
    head: [
      ...[
        "tool",
        "version",
        "installed, MB",
        "tool list, tokens",
        "storing, s",
        "of the processor",
      ],
      ...["peak, MB", "on disk, MB", "answering: processor, s", "peak, MB"],
    ],
    rows: measured.map(({ tool: { name }, installed, listTokens, feed, storeMb, answering }) => [
      ...[name, installed.version, round(installed.megabytes, 0), listTokens],
      ...[round(feed.wallS, 1), round(feed.cpuS, 1), feed.peakMb, round(storeMb, 1)],
      ...[round(answering.cpuS, 1), answering.peakMb],
    ]),
  }, {
    title: "Hosts that it tried to reach, and how it was run",
    head: ["tool", "hosts", "how"],
    rows: [
      ...measured.map(({ tool: { name, about }, hosts, installed }) => [
        ...[name, hosts === undefined ? "not traced" : hosts.join(", ") || "none"],
        [about, ...installed.notes].join("; "),
      ]),
      ...failed.map(([name, why]) => [name, "", `not measured: ${why}`]),
    ],
  }];
  return tables;
}
