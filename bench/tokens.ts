// What an agent pays for ctx over MCP: the tool list once, and each answer in both of its forms, by the
// tokenizer of a real model (o200k_base) and by ctx's own estimate. The store is made of transcripts'
// kinds of text: prose, Markdown, code, output.

import { countTokens as countExactly } from "gpt-tokenizer/encoding/o200k_base";
import { openContext } from "../src/app/app.ts";
import { loadCommands } from "../src/commands/mod.ts";
import { countTokens } from "../src/core/tokens.ts";
import { type Catalog, makeCatalog } from "../src/serve/mcp/catalog.ts";
import type { ToolAnswer } from "../src/serve/mcp/tool.ts";
import { type BenchTable, medianOf } from "./support/table.ts";

const subjects = [
  "refresh tokens",
  "the delivery queue",
  "label printers",
  "the search index",
  "session locks",
  "schema migrations",
  "retry backoff",
  "the build cache",
];

/** Counts the tool list and the answers. */
export async function run(): Promise<BenchTable[]> {
  const workspace = makeStore();
  try {
    const commands = (await loadCommands()).filter((command) => !command.local);
    using context = openContext({ workspace, env: () => undefined });
    const catalog = makeCatalog({ commands, context, tools: "all" });
    const core = makeCatalog({ commands, context });
    return [countLists({ core, all: catalog }), await countAnswers(catalog)];
  } finally {
    Deno.removeSync(workspace, { recursive: true });
  }
}

function countLists({ core, all }: { core: Catalog; all: Catalog }): BenchTable {
  const lists = {
    "core tools": core.listTools("codex"),
    "core tools, as Claude Code gets them": core.listTools("claude-code"),
    "of these always loaded": core.listTools("claude-code").filter(({ _meta }) => _meta),
    "all tools": all.listTools("codex"),
  };
  return {
    title: "The tool list, once per conversation (tokens)",
    head: ["list", "tools", "o200k", "ctx's estimate"],
    rows: Object.entries(lists).map(([name, tools]) => {
      const text = JSON.stringify({ tools });
      return [name, `${tools.length}`, `${countExactly(text)}`, `${countTokens(text)}`];
    }),
  };
}

async function countAnswers(catalog: Catalog): Promise<BenchTable> {
  const sizes: Record<string, ToolAnswer[]> = {};
  const call = async (name: string, about: string, input: object): Promise<ToolAnswer> => {
    const tool = catalog.tools.find(({ definition }) => definition.name === name);
    const answer = await tool?.call(input, { signal: new AbortController().signal });
    if (!answer || answer.isError) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    (sizes[`${name}, ${about}`] ??= []).push(answer);
    return answer;
  };
  for (const subject of subjects) {
    const found = await call("search", "five rows", { query: `what did we decide on ${subject}` });
    const ids = idsOf(found);
    await call("timeline", "seven rows", { id: ids[0] });
    await call("get", "two texts", { ids: ids.slice(0, 2) });
    await call("search", "nothing found", { query: `zyzzyva ${subject.length}` });
  }
  await call("list", "20 sessions", {});
  await call("scan", "a session", { session: "S-1m2few700s4d0k003" });
  await call("read", "five messages", { session: "S-1m2few700s4d0k003", ranges: "1-5" });
  await call("save_memory", "one", { text: "Retry five times.", type: "decision" });
  return {
    title: "Answers, each form with all its framing (tokens, median and most)",
    head: ["answer", "data, o200k", "text, o200k", "data, estimate", "text, estimate"],
    rows: Object.entries(sizes).map(([name, answers]) => {
      const data = answers.map(({ structuredContent }) => JSON.stringify(structuredContent));
      const texts = answers.map(({ content }) => content[0].text);
      const told = (forms: string[], count: (text: string) => number): string => {
        const counts = forms.map(count);
        return `${medianOf(counts)}, ${Math.max(...counts)}`;
      };
      return [
        name,
        told(data, countExactly),
        told(texts, countExactly),
        told(data, countTokens),
        told(texts, countTokens),
      ];
    }),
  };
}

function idsOf({ structuredContent }: ToolAnswer): string[] {
  const rows = structuredContent?.results;
  return Array.isArray(rows) ? rows.map(({ id }) => id) : [];
}

/** Sessions about each subject, with the kinds of text that transcripts have. */
function makeStore(): string {
  const workspace = Deno.makeTempDirSync({ prefix: "ctx-bench-tokens-" });
  Deno.mkdirSync(`${workspace}/.contextfs`);
  let log = "";
  let count = 0;
  const add = (session: number, fields: object): void => {
    const number = String(count++).padStart(3, "0");
    log += JSON.stringify({
      id: `H-1m2ff20hgvzrpr${number}`,
      ts: new Date(Date.UTC(2026, 8, 1) + count * 1_800_000).toISOString(),
      role: "assistant",
      type: "turn",
      session_id: `S-1m2few700s4d0k${String(session).padStart(3, "0")}`,
      source: { agent: "claude-code", conversation: "40ff2f49-95f2-453b-8b21-9f5d77937a83" },
      ...fields,
    }) + "\n";
  };
  for (let session = 0; session < 24; session++) {
    const subject = subjects[session % subjects.length];
    add(session, { role: "user", text: `What about ${subject}? It went wrong in run ${session}.` });
    add(session, {
      text: `## What happens with ${subject}\n\n${
        `**Option ${session}** keeps ${subject} as they are; \`handle()\` in src/part_${session}.ts waits, then tries again. `
          .repeat(6)
      }`,
    });
    add(session, {
      role: "tool",
      type: "tool_output",
      text: `src/part_${session}.ts:12: error TS2345 {"code":"E${session}","hash":"9f8e7d6c5b4a"}\n`
        .repeat(8),
    });
    add(session, {
      type: "decision",
      role: "note",
      title: `Decision on ${subject}`,
      text: `We decided on ${subject}: option ${session}, because the other lost data on restart.`,
    });
    add(session, {
      text: `Done: ${subject} follow option ${session} now; ${session + 9} tests pass.`,
    });
  }
  Deno.writeTextFileSync(`${workspace}/.contextfs/history.ndjson`, log);
  return workspace;
}
