// How many files of src/ a search loads and runs, on the command line and as one MCP call, by room.
// Read from V8's coverage of runs from source: loaded is in the coverage, run is any function beyond
// the module itself that was called. CTX_BENCH_TREE names another checkout to measure.

import { repository } from "../test/support/repository.ts";
import type { BenchTable } from "./support/table.ts";

/** Files of one room. */
interface RoomCount {
  loaded: number;
  run: number;
}

/** Counts the files of `ctx search` and of one `search` over `ctx mcp`. */
export async function run(): Promise<BenchTable[]> {
  const tree = Deno.env.get("CTX_BENCH_TREE") ?? repository;
  const tables: BenchTable[] = [];
  for (const [title, words, input] of searches) {
    const rooms = await countFiles(tree, { words, input });
    const rows = [...rooms].sort(([a], [b]) => a < b ? -1 : 1)
      .map(([room, { loaded, run }]) => [room, loaded, run]);
    const sum = (key: keyof RoomCount): number =>
      rooms.values().reduce((total, count) => total + count[key], 0);
    rows.unshift(["all of src/", sum("loaded"), sum("run")]);
    tables.push({ title, head: ["room", "files loaded", "of them run"], rows });
  }
  return tables;
}

const messages = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
  {
    id: 3,
    method: "tools/call",
    params: { name: "search", arguments: { query: "refresh tokens" } },
  },
].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join("");

const searches: [title: string, words: string[], input: string][] = [
  ["`ctx search refresh tokens`", ["search", "refresh tokens"], ""],
  ["`ctx mcp`: list the tools, then one `search`", ["mcp"], messages],
];

async function countFiles(
  tree: string,
  { words, input }: { words: string[]; input: string },
): Promise<Map<string, RoomCount>> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    await Deno.mkdir(`${work}/.contextfs`);
    for (const name of ["history.ndjson", "history.archive.ndjson", "state.json"]) {
      await Deno.copyFile(`${tree}/.contextfs-example/${name}`, `${work}/.contextfs/${name}`);
    }
    // Scoped permissions, so that the server takes itself for confined and starts no other process.
    const rights = ["--no-prompt", "--allow-read=/", `--allow-write=${work}`];
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--cached-only", ...rights, "--allow-env=HOME,XDG_CONFIG_HOME,CTX_*"],
        ...[
          `--coverage=${work}/coverage`,
          `--config=${tree}/deno.json`,
          `${tree}/mod.ts`,
          ...words,
        ],
      ],
      cwd: work,
      env: {
        HOME: work,
        DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
      },
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
    const { success, stdout } = await child.output();
    const said = new TextDecoder().decode(stdout);
    if (!success || !said.includes("H-")) throw new Error(`ctx ${words.join(" ")} found nothing`);
    return countRooms(`${work}/coverage`, `file://${tree}/src/`);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

function countRooms(directory: string, prefix: string): Map<string, RoomCount> {
  const rooms = new Map<string, RoomCount>();
  for (const { name } of Deno.readDirSync(directory)) {
    if (!name.endsWith(".json")) continue;
    const script: Script = JSON.parse(Deno.readTextFileSync(`${directory}/${name}`));
    if (!script.url.startsWith(prefix)) continue;
    const [room] = script.url.slice(prefix.length).split("/");
    const count = rooms.get(room) ?? { loaded: 0, run: 0 };
    rooms.set(room, count);
    count.loaded++;
    const isRun = script.functions.slice(1).some(({ ranges }) => ranges[0].count > 0);
    if (isRun) count.run++;
  }
  return rooms;
}

interface Script {
  url: string;
  functions: { ranges: { count: number }[] }[];
}
