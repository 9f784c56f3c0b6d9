// MCP: from spawn to the answer of `initialize`, and warm calls over stdio on a store of 100,000
// entries, through the re-executed sandbox as clients run it.

import { type BenchTable, medianOf } from "./support/table.ts";
import { McpPipe } from "./support/mcp_pipe.ts";
import { fromFileUrl } from "../src/core/platform_path.ts";

const entries = 100_000;
const rounds = 9;
const calls = 150;
const main = fromFileUrl(new URL("../mod.ts", import.meta.url));

/** Times start-up and warm calls. */
export async function run(): Promise<BenchTable[]> {
  const small = makeStore(10);
  const large = makeStore(entries);
  const bundled = `${small}/bundle/mod.js`;
  try {
    await new Deno.Command(Deno.execPath(), {
      args: ["bundle", "-q", "--minify", "--code-splitting", "--outdir", `${small}/bundle`, main],
    }).output();
    for (const words of [["save", "a first entry"], ["reindex"]]) {
      for (const cwd of [small, large]) {
        await new Deno.Command(Deno.execPath(), { args: ["run", "-A", main, ...words], cwd })
          .output();
      }
    }
    return [await timeStart({ small, large, bundled }), await timeCalls(large)];
  } finally {
    for (const path of [small, large]) Deno.removeSync(path, { recursive: true });
  }
}

async function timeStart(
  { small, large, bundled }: { small: string; large: string; bundled: string },
): Promise<BenchTable> {
  const forms: [string, string, string][] = [
    ["bundle, 10 entries", bundled, small],
    [`bundle, ${entries} entries`, bundled, large],
    ["source, 10 entries", main, small],
  ];
  const empty = `${small}/empty.ts`;
  Deno.writeTextFileSync(empty, "");
  const times: Record<string, number[]> = {};
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await new Deno.Command(Deno.execPath(), { args: ["run", empty] }).output();
    (times["an empty Deno script"] ??= []).push(performance.now() - start);
    for (const [name, program, path] of forms) {
      (times[`ctx mcp, ${name}`] ??= []).push(await timeInitialize(path, program));
    }
  }
  const base = medianOf(times["an empty Deno script"]);
  return {
    title: "Spawn to the answer of initialize (median)",
    head: ["process", "ms", "ratio"],
    rows: Object.entries(times).map(([name, values]) => {
      const median = medianOf(values);
      return [name, median.toFixed(0), (median / base).toFixed(1)];
    }),
  };
}

async function timeInitialize(workspace: string, program: string): Promise<number> {
  const start = performance.now();
  await using server = new Server(workspace, program);
  await server.initialize();
  return performance.now() - start;
}

async function timeCalls(workspace: string): Promise<BenchTable> {
  await using server = new Server(workspace);
  await server.initialize();
  const rows: string[][] = [];
  const tools: Record<string, (i: number) => object> = {
    "search, lexical": (i) => ({ query: queryOf(i), mode: "lexical" }),
    "search, auto (with vectors)": (i) => ({ query: queryOf(i) }),
    get: (i) => ({ ids: [`H-${(i * 331) % entries}`] }),
    timeline: (i) => ({ id: `H-${(i * 331) % entries}` }),
    "workflow_guide (the wire alone)": () => ({}),
  };
  for (const [tool, input] of Object.entries(tools)) {
    const times: number[] = [];
    for (let i = 0; i < calls + 10; i++) {
      const start = performance.now();
      await server.call(tool.split(/[, ]/)[0], input(i));
      if (i >= 10) times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    const at = (share: number): string => times[Math.floor(times.length * share)].toFixed(1);
    rows.push([tool, at(0.5), at(0.95), at(0.99)]);
  }
  return {
    title: `Warm calls over stdio, ${entries} entries (ms)`,
    head: ["tool", "median", "p95", "p99"],
    rows,
  };
}

class Server extends McpPipe {
  constructor(workspace: string, program = main) {
    super(Deno.execPath(), { args: ["run", "-A", "--quiet", program, "mcp"], cwd: workspace });
  }

  async initialize(): Promise<void> {
    await this.ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    await this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  async call(name: string, input: object): Promise<void> {
    const answer = await this.ask("tools/call", { name, arguments: input });
    if (answer.includes('"isError":true')) throw new Error(answer.slice(0, 300));
  }
}

const words =
  "token refresh queue worker retry label parser index store search session agent budget cache lock build deploy schema route handler"
    .split(" ");

function queryOf(i: number): string {
  return `${words[i % words.length]} ${words[(i * 7) % words.length]}`;
}

function makeStore(count: number): string {
  const workspace = Deno.makeTempDirSync({ prefix: "ctx-bench-mcp-" });
  Deno.mkdirSync(`${workspace}/.contextfs`);
  let text = "";
  for (let i = 0; i < count; i++) {
    const ts = new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString();
    const pick = (n: number): string => words[(i * n + (i >> 4)) % words.length];
    const said = `We changed the ${pick(3)} so that the ${pick(7)} keeps its ${pick(11)}-${i}; ` +
      `the ${pick(13)} waits for the ${pick(17)} and the ${pick(19)} is tried again`;
    text += JSON.stringify({
      id: `H-${i}`,
      ts,
      role: i % 2 === 0 ? "user" : "assistant",
      type: "turn",
      text: said,
      session_id: `S-${i >> 6}`,
    }) + "\n";
  }
  Deno.writeTextFileSync(`${workspace}/.contextfs/history.ndjson`, text);
  return workspace;
}
