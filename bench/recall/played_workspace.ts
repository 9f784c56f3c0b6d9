// A workspace in which Claude Code seems to work: its hooks are called with the messages that it sends,
// its transcript is written in its form before `Stop`, and its calls of ctx go over MCP and stand in the
// transcript with what they gave. Everything runs as real processes.

import { isObject } from "../../src/core/json.ts";
import type { PlayedExchange, PlayedSession } from "./loop_script.ts";
import { McpPipe } from "../support/mcp_pipe.ts";

/** How ctx is started, and where. */
export interface PlayOptions {
  program: readonly string[];
  workspace: string;
  home: string;
  env?: Record<string, string>;
}

/** What an agent was given, and when it was asked for. */
export interface Injected {
  /** The text at the session's start; empty when there was none. */
  start: string;
  /** The text at each prompt. */
  prompts: string[];
}

type Line = Record<string, unknown>;

/** Plays sessions, one after the other. */
export class PlayedWorkspace {
  readonly #options: PlayOptions;
  #count = 0;

  constructor(options: PlayOptions) {
    this.#options = options;
    Deno.mkdirSync(this.#projects, { recursive: true });
  }

  /** Where the transcripts are. */
  get root(): string {
    return `${this.#options.home}/.claude`;
  }

  get #projects(): string {
    return `${this.root}/projects/${this.#options.workspace.replace(/[^a-zA-Z0-9]/g, "-")}`;
  }

  /** Runs `ctx WORDS…`; throws when it fails. */
  async run(words: readonly string[], stdin = ""): Promise<string> {
    const { program: [path, ...args], workspace, home, env } = this.#options;
    const child = new Deno.Command(path, {
      args: [...args, ...words],
      cwd: workspace,
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "", HOME: home, ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
    await writer.close().catch(() => {});
    const { code, stdout, stderr } = await child.output();
    const [out, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    if (code !== 0) throw new Error(`ctx ${words.join(" ")}: exit ${code}: ${said}`);
    return out;
  }

  /** Plays one session from its start to its end. */
  async play(session: PlayedSession, startMs: number): Promise<Injected> {
    const id = this.#nextId();
    const transcript = new Transcript(`${this.#projects}/${id}.jsonl`, {
      session: id,
      cwd: this.#options.workspace,
      startMs,
    });
    const start = await this.#hook(id, "SessionStart", { source: "startup" });
    const prompts: string[] = [];
    await using server = new McpClient(this.#options);
    for (const exchange of session.exchanges) {
      const { prompt, answer } = exchange;
      const context = await this.#hook(id, "UserPromptSubmit", { prompt });
      transcript.user(prompt);
      if (prompts.length === 0) transcript.context("SessionStart", start);
      transcript.context("UserPromptSubmit", context);
      prompts.push(context);
      await playExchange(exchange, { transcript, server });
      await this.#hook(id, "Stop", { stop_hook_active: false, last_assistant_message: answer });
    }
    await this.#hook(id, "SessionEnd", { reason: "other" });
    return { start, prompts };
  }

  /** What a session that starts now is given; nothing is said in it. */
  async start(): Promise<string> {
    return await this.#hook(this.#nextId(), "SessionStart", { source: "startup" });
  }

  #nextId(): string {
    return `00000000-0000-4000-8000-${String(++this.#count).padStart(12, "0")}`;
  }

  async #hook(id: string, event: string, more: object): Promise<string> {
    const message = {
      session_id: id,
      transcript_path: `${this.#projects}/${id}.jsonl`,
      cwd: this.#options.workspace,
      hook_event_name: event,
      ...more,
    };
    return contextOf(await this.run(["hook", "claude-code"], JSON.stringify(message)));
  }

  /** Searches as an agent does. */
  async search(query: string): Promise<Line[]> {
    await using server = new McpClient(this.#options);
    return rowsOf(await server.call("search", { query }));
  }
}

async function playExchange(
  exchange: PlayedExchange,
  { transcript, server }: { transcript: Transcript; server: McpClient },
): Promise<void> {
  const { search, read, edit, run, save, answer } = exchange;
  const ask = async (tool: string, input: Line): Promise<Line> => {
    const data = await server.call(tool, input);
    // Claude Code gives the model the structured form.
    transcript.tool({ name: `mcp__ctx__${tool}`, input, result: JSON.stringify(data) });
    return data;
  };
  if (search !== undefined) {
    const rows = rowsOf(await ask("search", { query: search }));
    const ids = rows.slice(0, 2).map(({ id }) => id);
    if (ids.length > 0) await ask("timeline", { id: ids[0] });
    if (ids.length > 0) await ask("get", { ids });
  }
  if (read !== undefined) {
    transcript.tool({ name: "Read", input: { file_path: read }, result: `     1→// ${read}\n` });
  }
  if (edit !== undefined) {
    const input = { file_path: edit.file, old_string: edit.from, new_string: edit.to };
    transcript.tool({ name: "Edit", input, result: `The file ${edit.file} has been updated.` });
  }
  if (run !== undefined) {
    const input = { command: run.command, description: "Run the tests" };
    transcript.tool({ name: "Bash", input, result: run.output });
  }
  if (save !== undefined) {
    const [older] = rowsOf(await ask("search", { query: save.title, type: "decision", k: 3 }));
    const corrected = older === undefined ? {} : { supersedes: older.id };
    await ask("save_memory", { ...save, type: "decision", ...corrected });
  }
  transcript.assistant([{ type: "text", text: answer }], "end_turn");
}

/** Writes lines as Claude Code does. */
class Transcript {
  readonly path: string;
  readonly #common: Line;
  #atMs: number;
  #parent: string | null = null;
  #count = 0;

  constructor(path: string, options: { session: string; cwd: string; startMs: number }) {
    this.path = path;
    this.#atMs = options.startMs;
    this.#common = {
      isSidechain: false,
      userType: "external",
      entrypoint: "cli",
      cwd: options.cwd,
      sessionId: options.session,
      version: "2.1.325",
      gitBranch: "main",
    };
  }

  user(text: string): void {
    this.#write({
      type: "user",
      message: { role: "user", content: text },
      permissionMode: "default",
    });
  }

  /** What a hook added to the context. */
  context(event: string, text: string): void {
    if (text === "") return;
    this.#write({
      type: "attachment",
      attachment: {
        type: "hook_additional_context",
        content: [text],
        hookName: event,
        hookEvent: event,
      },
      rendered: [{
        content: `<system-reminder>\n${event} hook additional context: ${text}\n</system-reminder>`,
      }],
    });
  }

  assistant(content: Line[], stop = "tool_use"): void {
    const message = {
      id: `msg_${this.#common.sessionId}_${this.#count}`,
      type: "message",
      role: "assistant",
      model: "played-model",
      content,
      stop_reason: stop,
      usage: { input_tokens: 10, output_tokens: 5 },
    };
    this.#write({ type: "assistant", message });
  }

  /** A call and its result. */
  tool({ name, input, result }: { name: string; input: Line; result: string }): void {
    const id = `toolu_${String(this.#common.sessionId).slice(-4)}_${this.#count}`;
    this.assistant([{ type: "tool_use", id, name, input }]);
    const content = [{ tool_use_id: id, type: "tool_result", content: result }];
    this.#write({ type: "user", message: { role: "user", content }, toolUseResult: result });
  }

  #write(line: Line): void {
    const session = String(this.#common.sessionId);
    const uuid = `${session.slice(0, 24)}${session.slice(-4)}${
      String(++this.#count).padStart(8, "0")
    }`;
    this.#atMs += 20_000;
    const timestamp = new Date(this.#atMs).toISOString();
    const whole = { parentUuid: this.#parent, ...line, uuid, timestamp, ...this.#common };
    Deno.writeTextFileSync(this.path, JSON.stringify(whole) + "\n", { append: true });
    this.#parent = uuid;
  }
}

/** Speaks the protocol of 2026 with `ctx mcp`, as Claude Code does: every request says who sends it. */
class McpClient extends McpPipe {
  constructor({ program: [path, ...args], workspace, home, env }: PlayOptions) {
    super(path, {
      args: [...args, "mcp"],
      cwd: workspace,
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "", HOME: home, ...env },
    });
  }

  /** Calls a tool; gives the structured form. */
  async call(name: string, input: Line): Promise<Line> {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "2.1.325" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const line = await this.ask("tools/call", { name, arguments: input, _meta });
    const answer: unknown = JSON.parse(line);
    const result = isObject(answer) ? answer.result : undefined;
    if (!isObject(result) || result.isError === true || !isObject(result.structuredContent)) {
      throw new Error(`${name}: ${line.slice(0, 500)}`);
    }
    return result.structuredContent;
  }
}

/** What a hook's answer puts into the context. */
function contextOf(answer: string): string {
  if (answer.trim() === "") return "";
  const told: unknown = JSON.parse(answer);
  const output = isObject(told) ? told.hookSpecificOutput : undefined;
  return isObject(output) && typeof output.additionalContext === "string"
    ? output.additionalContext
    : "";
}

function rowsOf({ results }: Line): Line[] {
  return Array.isArray(results) ? results : [];
}
