// What commands and hooks load and read is a contract: per case the code, the bytes read from a store of
// 100,000 rows and the system calls, counted in the built file. The figures are the table in
// docs/BENCH.md; each may be exceeded by some per cent. CTX_LOADS=write writes the table anew.

import assert from "node:assert/strict";
import { generateRows, writeLines } from "../../bench/support/generate.ts";
import { canCountCalls, countCalls } from "../support/processes/count_calls.ts";
import { repository } from "../support/repository.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

/** One run whose price is held. */
interface Case {
  name: string;
  words: string[];
  /** The message that it reads from standard input; WORKSPACE stands for where it runs. */
  stdin?: string;
}

const hook = (name: string, event: object, words = ["hook", "claude-code"]): Case => ({
  name,
  words,
  stdin: JSON.stringify({ session_id: "a", cwd: "WORKSPACE", ...event }),
});

const question = "how do we retry the cache when the deploy fails";
const edit = { tool_name: "Edit", tool_input: { file_path: "WORKSPACE/a.ts" } };
const client = { capabilities: {}, clientInfo: { name: "test", version: "1" } };
const messages = [
  { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", ...client } },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join("");

/** In this order: those that write come last. ID is the first row, SESSION its session. */
const cases: readonly Case[] = [
  { name: "`ctx --version`", words: ["--version"] },
  { name: "`ctx --help`", words: ["--help"] },
  { name: "`ctx search`, one word", words: ["search", "deadlock", "--mode", "lexical"] },
  { name: "`ctx search`, a question", words: ["search", question] },
  { name: "`ctx get`", words: ["get", "ID"] },
  { name: "`ctx timeline`", words: ["timeline", "ID"] },
  { name: "`ctx sessions`", words: ["sessions"] },
  { name: "`ctx ls`", words: ["ls"] },
  { name: "`ctx mcp`, start and tools", words: ["mcp"], stdin: messages },
  hook("hook at a prompt", { hook_event_name: "UserPromptSubmit", prompt: question }),
  hook("hook before an edit", edit, ["hook", "pre-edit"]),
  { name: "`ctx save`", words: ["save", "We rotate tokens"] },
  hook("hook at the end of a turn", { hook_event_name: "Stop" }),
  hook("hook at a session start", { hook_event_name: "SessionStart", source: "startup" }),
];

const columns = ["code", "codeFiles", "read", "calls"] as const;

/** How much more than the table's figures may be. Code is the same everywhere; paths and times are not. */
const slack = { code: .01, codeFiles: 0, read: .03, calls: .03 };

Deno.test({
  name: "commands and hooks load and read no more than docs/BENCH.md says",
  ignore: !await canCountCalls(),
  async fn() {
    await using t = await tempStore();
    const id = await fillStore(t);
    const writes = Deno.env.get("CTX_LOADS") === "write";
    const table = readTable();
    const rows: string[][] = [];
    const found: string[] = [];
    const work = { workspace: t.workspace, agent: "claude-code", moment: "start" };
    const settle = ["hook", "follow", JSON.stringify(work)];
    for (const { name, words, stdin } of cases) {
      const count = await countCalls(words.map((word) => word === "ID" ? id : word), {
        workspace: t.workspace,
        stdin: stdin?.replaceAll("WORKSPACE", t.workspace),
        settle: words[0] === "hook" ? settle : [],
      });
      rows.push([name, ...columns.map((column) => count[column].toLocaleString("en"))]);
      const held = table.get(name);
      for (const [at, column] of columns.entries()) {
        const figure = held?.[at] ?? 0;
        if (count[column] > Math.ceil(figure * (1 + slack[column]))) {
          found.push(`${name}: ${column} is ${count[column]}, not ${figure}`);
        }
      }
    }
    await t.ctx(settle);
    if (writes) writeTable(rows);
    else assert.deepEqual(found, []);
  },
});

/** Fills a store with 100,000 made rows and indexes their words; returns the id of the first. */
async function fillStore(t: TempStore): Promise<string> {
  const path = `${t.root}/history.ndjson`;
  // Ids as long as ours, or they would be looked up as shortened ones. Most rows are of no session: what
  // comes of so many would take minutes to derive.
  const rows = [...generateRows({ rows: 100_000 })].map((line, i) =>
    line.replace(/"id":"H-\w+/, "$&00").replace(i < 1000 ? "" : /"session_id":"[^"]*",/, "")
  );
  writeLines(path, rows);
  for (const words of [["config", "set", "embedder.kind", "none"], ["reindex", "--full"]]) {
    const { code, stderr } = await t.ctx(words);
    assert.equal(code, 0, stderr);
  }
  using file = Deno.openSync(path);
  const start = new Uint8Array(200);
  file.readSync(start);
  return /"id":"([^"]+)"/.exec(new TextDecoder().decode(start))?.[1] ?? "";
}

const page = `${repository}/docs/BENCH.md`;
const [begin, end] = ["<!-- loads -->\n", "<!-- /loads -->"];

/** The figures of each case, from the page. */
function readTable(): Map<string, number[]> {
  const text = Deno.readTextFileSync(page);
  const lines = text.slice(text.indexOf(begin), text.indexOf(end)).split("\n");
  return new Map(
    lines.filter((line) => line.startsWith("| ")).map((line) => {
      const [name, ...figures] = line.split("|").slice(1, -1).map((cell) => cell.trim());
      return [name, figures.map((figure) => Number(figure.replaceAll(",", "")))];
    }),
  );
}

function writeTable(rows: string[][]): void {
  const head = ["", "bytes of code", "files of code", "bytes read from the store", "system calls"];
  const rule = head.map((_, at) => at === 0 ? "---" : "--:");
  const table = [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
  const text = Deno.readTextFileSync(page);
  const [before, rest] = text.split(begin);
  Deno.writeTextFileSync(page, `${before}${begin}\n${table}\n${end}${rest.split(end)[1]}`);
}
