// A store in which one text stands wherever ctx can put it: as an imported prompt, titles, a pin, a
// decision in the archive and its summary, traces, suggestions, a chat, the quarantine, the index. What is
// forgotten there must leave all of them, and stay away when its transcript is read again.

import { openContext } from "../../../src/app/app.ts";
import { findCommand, loadCommands } from "../../../src/commands/mod.ts";
import { execute } from "../../../src/command/execute.ts";
import type { Context } from "../../../src/command/command.ts";
import { makeCatalog } from "../../../src/serve/mcp/catalog.ts";
import { testIsolation } from "../isolation/try_isolation.ts";
import { diskFiles } from "../../../src/disk/files.ts";
import { appendChat } from "../../../src/store/chat_log.ts";
import { type TempStore, tempStore, testNow } from "./temp_store.ts";

type Say = (text: string) => void;

/** The conversation as Claude Code keeps it. */
export class Transcript {
  readonly id = "3c07f08f-e544-47b9-898a-f169f651788c";
  readonly path: string;
  readonly #cwd: string;
  #count = 0;

  constructor(workspace: string) {
    this.#cwd = workspace;
    this.path = `${workspace}/${this.id}.jsonl`;
  }

  /** Appends what somebody says. */
  say(type: "user" | "assistant", text: string, more: object = {}): void {
    const uuid = `u-${++this.#count}`;
    this.add({
      parentUuid: this.#count === 1 ? null : `u-${this.#count - 1}`,
      isSidechain: false,
      type,
      uuid,
      sessionId: this.id,
      cwd: this.#cwd,
      timestamp: `2026-01-01T10:00:${String(this.#count).padStart(2, "0")}.000Z`,
      message: { role: type, content: type === "user" ? text : [{ type: "text", text }] },
      ...more,
    });
  }

  /** Appends a line as it is. */
  add(line: object): void {
    Deno.writeTextFileSync(this.path, JSON.stringify(line) + "\n", { append: true });
  }
}

/** A store that holds a text everywhere. */
export class ForgottenStore implements AsyncDisposable {
  readonly store: TempStore;
  readonly canary: string;
  readonly transcript: Transcript;
  /** The imported prompt. */
  prompt = "";
  session = "";

  constructor(store: TempStore, canary: string) {
    this.store = store;
    this.canary = canary;
    this.transcript = new Transcript(store.workspace);
  }

  /** Reads the transcript, as the hook does. */
  async capture(): Promise<Record<string, unknown>> {
    return await this.store.run("import", {
      sources: ["claude-code"],
      root: this.transcript.path,
      all_projects: true,
    });
  }

  /** The ids of the entries that have the text. */
  ids(): string[] {
    return [...this.store.open().entries()].map(({ entry }) => entry)
      .filter((entry) => JSON.stringify(entry).includes(this.canary)).map(({ id }) => id);
  }

  /** The files of the store that hold the text, byte for byte or as JSON escapes it. */
  holders(): string[] {
    const { root } = this.store;
    const needles = [this.canary, JSON.stringify(this.canary).slice(1, -1), btoa(this.canary)];
    return diskFiles.listTree(root).filter((path) => {
      const text = new TextDecoder("latin1").decode(Deno.readFileSync(path));
      return needles.some((needle) => text.includes(needle));
    }).map((path) => path.slice(root.length + 1));
  }

  /** What shows the text: commands and MCP tools, each asked for what is nearest to it. */
  async showers(): Promise<string[]> {
    const { session, prompt } = this;
    const asked: [string, object][] = [
      ["search", { query: "rotate", session: "all" }],
      ["search", { query: "pin vaultphrase", session: "all", explain: true }],
      ["sessions", { limit: 100 }],
      ["scan", { session, budget: 5000 }],
      ["show", { sessions: [session, "S-live"] }],
      ["read", { session }],
      ["timeline", { id: prompt }],
      ["get", { ids: [prompt, "msg/42 é"] }],
      ["session current", {}],
      ["pack", { budget: 20_000 }],
      ["suggest", { file: "a.ts" }],
      ["traces", { tail: 200 }],
      ...["pins", "ls", "stats", "export", "doctor", "subscriptions"].map(
        (name): [string, object] => [name, {}],
      ),
      ...this.#traceIds().map((id): [string, object] => ["trace", { id }]),
    ];
    const shown: string[] = [];
    const context = this.#context((text) => shown.push(text));
    const catalog = makeCatalog({ commands: await loadCommands(), context, tools: "all" });
    const note = (name: string, said: unknown): void => {
      const text = JSON.stringify(said, (key, value) => key === "query" ? undefined : value);
      if (text.includes(JSON.stringify(this.canary).slice(1, -1))) shown.push(name);
    };
    for (const [name, input] of asked) {
      const command = await findCommand(name);
      if (command === undefined) throw new Error(`no command ${name}`);
      note(name, await execute(command, input, context).catch(String));
      const tool = catalog.tools.find(({ definition }) => definition.name === command.tool);
      note(`tool ${name}`, await tool?.call(input, { signal: context.signal }) ?? null);
    }
    note("instructions", await catalog.readInstructions());
    for (const { name, list } of catalog.resources) note(`resources ${name}`, await list?.() ?? 0);
    return shown;
  }

  /** Everything that reads, with every bait in every field: commands, tools, resources, prompts. */
  async probe(): Promise<string[]> {
    const seen = {
      openContext: (say: Say) => this.#context(say),
      normalise: (text: string) => text,
    };
    const { leaks } = await testIsolation({
      commands: (await loadCommands()).filter(({ effect }) => effect === "read"),
      crowded: seen,
      alone: seen,
      secrets: [this.canary],
      bait: [this.session],
      inputs: [],
    });
    return leaks.filter(({ kind }) => kind === "secret").map(({ attempt }) => attempt);
  }

  #context(say: Say): Context {
    const { workspace } = this.store;
    const env = (): undefined => undefined;
    return openContext({ workspace, cwd: workspace, now: () => testNow, env, warn: say });
  }

  #traceIds(): string[] {
    return this.store.exists("retrieval.traces.ndjson")
      ? [...this.store.read("retrieval.traces.ndjson").matchAll(/"trace_id":"([^"]+)"/g)]
        .map(([, id]) => id)
      : [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store[Symbol.asyncDispose]();
  }
}

/** Makes the store. */
export async function forgottenStore(canary: string): Promise<ForgottenStore> {
  const store = await tempStore({
    archive: [{ id: "msg/42 é", text: canary, type: "decision", session_id: "S-live" }],
  });
  const f = new ForgottenStore(store, canary);
  const { transcript } = f;
  transcript.say("user", canary);
  transcript.say("assistant", "We rotate tokens on every use.");
  transcript.add({ type: "ai-title", aiTitle: `About: ${canary}`, sessionId: transcript.id });
  await f.capture();
  const rows = [...store.open().entries()].map(({ entry }) => entry);
  const prompt = rows.find(({ role, source }) => role === "user" && source !== undefined);
  f.prompt = prompt?.id ?? "";
  f.session = prompt?.session_id ?? "";
  const { session_id } = await store.run("session start", { title: canary });
  await store.run("save", { text: `note: ${canary}`, title: canary, summary: canary });
  for (const target of [f.prompt, "msg/42 é"]) await store.run("pin", { target });
  await store.run("compact", { keep: 0 });
  for (const input of [{ query: canary }, { query: canary, since: "2040-01-01" }]) {
    await store.run("search", input);
  }
  await store.run("search", { query: "rotate", session: "all" });
  await store.run("ask", { query: canary });
  await store.run("pack", {});
  await store.run("timeline", { id: f.prompt });
  await store.run("reindex", {});
  await appendChat(store.open(), "S-chat", [
    { ts: "2026-01-01T11:00:00.000Z", role: "user", type: "chat", text: canary },
    {
      ts: "2026-01-01T11:00:01.000Z",
      role: "assistant",
      type: "chat",
      text: `It says ${canary}`,
      evidence: [f.prompt],
    },
  ]);
  const item = { type: "decision", entity_id: "msg/42 é", title: canary, reason: canary };
  store.append(
    "suggestions.ndjson",
    JSON.stringify({
      event: "suggested",
      id: "G-1",
      ts: "2026-01-01T11:00:00.000Z",
      session_id,
      trigger: { type: "file", source: "a.ts" },
      items: [item],
      latency_ms: 1,
    }) + "\n",
  );
  store.write("manifest.md", `# Manifest\n\n- ${f.prompt}: ${canary}\n- other\n`);
  store.append("history.ndjson", JSON.stringify({ id: f.prompt, text: canary }).slice(0, -1));
  await store.run("save", { text: "moves the torn row to the quarantine" });
  return f;
}
