// The tools that are compared: how each is installed, given sessions, and asked, by its own README and
// with its own defaults.

import { McpPipe } from "../support/mcp_pipe.ts";
import { type ChatSession, textOf } from "./chat_sessions.ts";
import type { Installed } from "./installed.ts";

/** A call of a tool over MCP. */
export type Call = readonly [tool: string, input: object];

/** Where a tool runs. */
export interface ToolWorld {
  installed: Installed;
  workspace: string;
  /** Whether only the hosts that it asks for are of interest, and not how long it takes. */
  isTraced: boolean;
  /** Runs a program to its end; throws when it fails. */
  run(program: string, ...args: string[]): Promise<string>;
  /** Starts a program that goes on. */
  start(program: string, ...args: string[]): void;
  /** Starts a server on standard input and output. */
  serve(program: string, ...args: string[]): McpPipe;
}

/** A tool that runs. */
export interface RunningTool {
  pipe: McpPipe;
  /** Gives it the sessions; done when all of them can be found. */
  feed(sessions: readonly ChatSession[]): Promise<void>;
  /** What has to be known to read its answers. */
  learn?(sessions: readonly ChatSession[]): Promise<void>;
  /** How a question is asked as it stands. */
  ask(question: string): Call[];
  /** How it is asked by its words: in one call where the tool has a way, else one by one. */
  askWords(words: readonly string[]): Call[];
  /** The sessions that an answer names, first ones first. */
  findSessions(answer: string): string[];
}

/** A tool that is compared. */
export interface MemoryTool {
  name: string;
  /** What a reader has to know of how it was run. */
  about: string;
  /** Where npm has it; ctx is the built file. */
  npm?: { name: string; version: string; beside: readonly string[] };
  open(world: ToolWorld): Promise<RunningTool>;
}

const namesIn = (answer: string): string[] => [...new Set(answer.match(/conv-\d+-\d+/g) ?? [])];

/** ctx, by a built file. */
export function ctxTool(file: string): MemoryTool {
  return {
    name: "ctx",
    about: "the weights of its ranking were chosen on several sets, these chats among them",
    async open(world) {
      const sessionOf = new Map<string, string>();
      await world.run(file, "init");
      return {
        pipe: world.serve(file, "mcp"),
        async feed(sessions) {
          const lines = toLines(sessions);
          const path = `${world.workspace}/chats.ndjson`;
          Deno.writeTextFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
          await world.run(file, "import", "ndjson", "--root", path);
          await world.run(file, "reindex");
        },
        async learn(sessions) {
          const keyOf = ({ ts, text }: { ts: string; text: string }): string =>
            `${Date.parse(ts)} ${text}`;
          const names = new Map(toLines(sessions).map((line) => [keyOf(line), line.session]));
          for (const row of (await world.run(file, "export")).trim().split("\n")) {
            const entry = JSON.parse(row);
            const name = typeof entry.text === "string" ? names.get(keyOf(entry)) : undefined;
            if (name !== undefined) sessionOf.set(entry.id, name);
          }
        },
        ask: (query) => [["search", { query }]],
        askWords: (words) => [["search", { query: words.join(" ") }]],
        findSessions: (answer) => [
          ...new Set((answer.match(/H-\w+/g) ?? []).flatMap((id) => sessionOf.get(id) ?? [])),
        ],
      };
    },
  };
}

function toLines(sessions: readonly ChatSession[]) {
  return sessions.flatMap(({ name, turns }) => turns.map((turn) => ({ session: name, ...turn })));
}

const qmd: MemoryTool = {
  name: "qmd",
  about:
    "BM25 alone: vectors, query expansion and reranking need models of 2 GB from a host that " +
    "could not be reached; its words are sub-queries of one call",
  // It needs Node 22, which not every machine has.
  npm: { name: "@tobilu/qmd", version: "2.8.3", beside: ["node@22"] },
  async open(world) {
    const lexical = (queries: readonly string[]): Call => {
      const searches = queries.slice(0, 10).map((query) => ({ type: "lex", query }));
      return ["query", { searches, rerank: false }];
    };
    await world.run("qmd", "--help");
    return {
      pipe: world.serve("qmd", "mcp"),
      async feed(sessions) {
        const folder = `${world.workspace}/chats`;
        Deno.mkdirSync(folder);
        for (const session of sessions) {
          Deno.writeTextFileSync(`${folder}/${session.name}.md`, textOf(session));
        }
        await world.run("qmd", "collection", "add", folder, "--name", "chats");
        // Its vectors come from a model that it downloads, which fails here.
        if (world.isTraced) await world.run("timeout", "60", "qmd", "embed").catch(() => {});
      },
      ask: (question) => [lexical([question])],
      askWords: (words) => [lexical(words)],
      findSessions: namesIn,
    };
  },
};

const memorix: MemoryTool = {
  name: "memorix",
  about: "vectors are off by default; each session has a topic key, without which it discards " +
    "nearly all of them as duplicates; answers are titles",
  npm: { name: "memorix", version: "1.0.7", beside: [] },
  async open(world) {
    await world.run("git", "init", "-q");
    const pipe = world.serve("memorix", "serve");
    return {
      pipe,
      async feed(sessions) {
        for (const session of sessions) {
          const { name } = session;
          const topicKey = `session/${name}`;
          const input = { entityName: name, type: "discovery", title: name, topicKey };
          await callTool(pipe, ["memorix_store", { ...input, narrative: textOf(session) }]);
        }
      },
      ask: (query) => [["memorix_search", { query }]],
      askWords: (words) => [["memorix_search", { query: words.join(" ") }]],
      findSessions: namesIn,
    };
  },
};

const serverMemory: MemoryTool = {
  name: "server-memory",
  about: "finds a word or phrase as it stands, and answers with whole entities",
  npm: { name: "@modelcontextprotocol/server-memory", version: "2026.8.31", beside: [] },
  // deno-lint-ignore require-await -- others have to be prepared
  async open(world) {
    const pipe = world.serve("mcp-server-memory");
    const find = (query: string): Call => ["search_nodes", { query }];
    return {
      pipe,
      async feed(sessions) {
        for (const { name, turns } of sessions) {
          const observations = [`on ${turns[0].ts.slice(0, 10)}`, ...turns.map(({ text }) => text)];
          const entities = [{ name, entityType: "session", observations }];
          await callTool(pipe, ["create_entities", { entities }]);
        }
      },
      ask: (question) => [find(question)],
      askWords: (words) => words.map(find),
      findSessions: namesIn,
    };
  },
};

const claudeMem: MemoryTool = {
  name: "claude-mem",
  about: "it records through a model account; here each session is saved as a memory of its own. " +
    "Its vector search (Chroma) needs uv and Python packages that could not be reached: this is " +
    "its keyword search, to which it falls back by itself; answers are titles",
  // Its worker runs in Bun; zod is what it loads of the dependencies of its plugin.
  npm: { name: "claude-mem", version: "13.25.3", beside: ["bun", "zod@4"] },
  async open(world) {
    const scripts = `${world.installed.directory}/plugin/scripts`;
    world.start("bun", `${scripts}/worker-service.cjs`, "--daemon");
    const port = await findPort(world.installed.home);
    const find = (query: string): Call => ["search", { query }];
    return {
      pipe: world.serve("node", `${scripts}/mcp-server.cjs`),
      async feed(sessions) {
        for (const session of sessions) {
          const body = { title: session.name, text: textOf(session), project: "chats" };
          const answer = await fetch(`http://127.0.0.1:${port}/api/memory/save`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          });
          const text = await answer.text();
          if (!answer.ok) throw new Error(`claude-mem: ${text}`);
        }
      },
      ask: (question) => [find(question)],
      askWords: (words) => words.map(find),
      findSessions: namesIn,
    };
  },
};

/** The tools besides ctx. */
export const otherTools: readonly MemoryTool[] = [claudeMem, qmd, memorix, serverMemory];

/** What a tool answers over MCP, as the text that an agent gets. */
export async function callTool(pipe: McpPipe, [name, input]: Call): Promise<string> {
  const { result, error } = JSON.parse(await pipe.ask("tools/call", { name, arguments: input }));
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result.content.map(({ text }: { text?: string }) => text ?? "").join("\n");
}

/** Waits until claude-mem's worker answers on the port that it chose. */
async function findPort(home: string): Promise<number> {
  for (let i = 0; i < 300; i++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    try {
      const settings = Deno.readTextFileSync(`${home}/.claude-mem/settings.json`);
      const port = Number(JSON.parse(settings).CLAUDE_MEM_WORKER_PORT);
      const url = `http://127.0.0.1:${port}/api/readiness`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(2000) });
      await answer.body?.cancel();
      if (answer.ok) return port;
    } catch {
      // It is still starting.
    }
  }
  throw new Error("claude-mem's worker does not answer");
}
