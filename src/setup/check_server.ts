// The check at the end of `ctx setup`: starts the server by the words that stand in the agent's
// settings and speaks MCP with it, as the agent will. Shows what it answered, or what went wrong.
// It also makes the agent's own first start a warm one.

import * as s from "../command/shape.ts";
import { findJson, isObject } from "../core/json.ts";
import { versionInfo } from "../version.ts";

/** What came of it: the words it was started with, and what a search answered in few words. */
export const serverCheck = s.object({
  ok: s.boolean(),
  started: s.text(),
  ms: s.number(),
  tools: s.optional(s.number()),
  ...s.each(s.optional(s.text()), "server", "answer", "problem", "hint"),
});
/** One of them. */
export type ServerCheck = s.ValueOf<typeof serverCheck>;

/** What to start, and where. */
export interface CheckOptions {
  words: string[];
  cwd: string;
  env: Record<string, string>;
  signal: AbortSignal;
  /** Whether a search is asked for too; not of a server that would ask a model. */
  searches: boolean;
  limitMs?: number;
}

/** What the search at the end asks for. */
export const checkQuery = "what was decided";

/** Starts the server, asks for its tools and for one search, and stops it again. */
export async function checkServer(options: CheckOptions): Promise<ServerCheck> {
  const { words, limitMs = 30_000 } = options;
  const started = words.join(" ");
  const begin = performance.now();
  const since = (): number => Math.round(performance.now() - begin);
  try {
    await using server = new ServerProcess(options);
    const late = AbortSignal.any([options.signal, AbortSignal.timeout(limitMs)]);
    const hello = await server.ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "ctx-setup", version: versionInfo().version },
    }, late);
    server.tell("notifications/initialized");
    const listed = await server.ask("tools/list", {}, late);
    const tools = Array.isArray(listed.tools) ? listed.tools.length : 0;
    const ms = since();
    const known = isObject(hello.serverInfo) ? hello.serverInfo : {};
    const about = { started, ms, server: `${known.name} ${known.version}`, tools };
    if (!options.searches) return { ok: true, ...about };
    const found = await server.ask(
      "tools/call",
      { name: "search", arguments: { query: checkQuery, k: 1 } },
      late,
    );
    const answer = firstWords(found);
    // A server answers everywhere; that this project has no memory yet is for `ctx init`.
    if (found.isError === true && !answer.startsWith("STORE_MISSING")) throw new Error(answer);
    const said = found.isError === true
      ? "no store here yet, so no tools are listed; run ctx init"
      : answer;
    return { ok: true, ...about, answer: said };
  } catch (error) {
    options.signal.throwIfAborted();
    const problem = error instanceof Error ? error.message : String(error);
    return { ok: false, started, ms: since(), problem, hint: hintFor(error, words) };
  }
}

function firstWords({ content, structuredContent: data }: Answer): string {
  if (isObject(data) && typeof data.total === "number") {
    return data.total === 0
      ? "no results yet"
      : `${data.total} ${data.total === 1 ? "result" : "results"}`;
  }
  const [first]: unknown[] = Array.isArray(content) ? content : [];
  const text = isObject(first) && typeof first.text === "string" ? first.text : "";
  const line = text.split("\n").find((one) => one.trim() !== "") ?? "";
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

function hintFor(error: unknown, [program]: string[]): string {
  if (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied) {
    return `"${program}" on the PATH is not this ctx: see ctx doctor, or use --scope user`;
  }
  // Windows has no error class for a missing program.
  const isMissing = error instanceof Deno.errors.NotFound ||
    (error instanceof Error && error.message.startsWith("Failed to spawn"));
  if (isMissing) {
    return program === "ctx"
      ? "put ctx on the PATH (install.sh does), or use --scope user"
      : "reinstall ctx, then run this again";
  }
  return "the settings were written; run the command above by hand to see more, then ctx doctor";
}

type Answer = Record<string, unknown>;

/** A server as a process; it is stopped when this is disposed of. */
class ServerProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncIterator<string>;
  readonly #stderr: Promise<string>;
  #count = 0;

  constructor({ words: [program, ...args], cwd, env }: CheckOptions) {
    this.#child = new Deno.Command(program, {
      args,
      cwd,
      env,
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#lines = readLines(this.#child.stdout);
    this.#stderr = new Response(this.#child.stderr).text();
  }

  tell(method: string, rest: object = {}): void {
    const message = JSON.stringify({ jsonrpc: "2.0", method, ...rest }) + "\n";
    // What it means when nobody reads is said by the end of the output.
    this.#input.write(new TextEncoder().encode(message)).catch(() => {});
  }

  /** The result of a request; throws what the server answers instead. */
  async ask(method: string, params: object, signal: AbortSignal): Promise<Answer> {
    const id = ++this.#count;
    this.tell(method, { id, params });
    const late = Promise.withResolvers<never>();
    const stop = (): void => late.reject(new Error(`no answer to ${method} in time`));
    signal.addEventListener("abort", stop, { once: true });
    try {
      for (;;) {
        const { value, done } = await Promise.race([this.#lines.next(), late.promise]);
        if (done) throw new Error(await this.#whyEnded(method));
        const message = findJson(value);
        if (!isObject(message) || message.id !== id) continue;
        if (isObject(message.result)) return message.result;
        throw new Error(`${method}: ${JSON.stringify(message.error)}`);
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #whyEnded(method: string): Promise<string> {
    const { code } = await this.#child.status;
    const [said = ""] = (await this.#stderr).trim().split("\n");
    return `the server exited with ${code} at ${method}${said === "" ? "" : `: ${said}`}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close().catch(() => {});
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 2000);
    await this.#child.status;
    clearTimeout(timer);
    await this.#lines.return?.();
    await this.#stderr;
  }
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
