// What the MCP tests share: a workspace with a store, a stdio client that speaks raw lines, and the
// real server in the forms it is run in.

import { realPath } from "../../../src/core/platform_path.ts";
import { LineSplitter, OverlongLine } from "../../../src/serve/mcp/line_splitter.ts";
import { spawnCtx } from "../../support/processes/run_ctx.ts";

/** A directory that goes away with its user. */
export class TempWorkspace implements Disposable {
  readonly path: string;

  constructor(rows: object[] = exampleRows) {
    this.path = realPath(Deno.makeTempDirSync({ prefix: "ctx-mcp-" }));
    Deno.mkdirSync(`${this.path}/.contextfs`);
    this.write("history.ndjson", rows.map((row) => JSON.stringify(row) + "\n").join(""));
  }

  /** Writes a file of the store. */
  write(name: string, text: string): void {
    Deno.writeTextFileSync(`${this.path}/.contextfs/${name}`, text);
  }

  /** Reads a file of the store. */
  read(name: string): string {
    return Deno.readTextFileSync(`${this.path}/.contextfs/${name}`);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

/** One row of history. */
export function row(number: number, session: string, text: string, more: object = {}): object {
  const ts = new Date(Date.UTC(2026, 8, 1, 10, number)).toISOString();
  return { id: `H-${number}`, ts, role: "user", type: "turn", text, session_id: session, ...more };
}

/** A small store: two sessions. */
export const exampleRows: object[] = [
  row(1, "S-one", "Refresh tokens rotate on every use"),
  row(2, "S-one", "We revoke the family on reuse", { role: "assistant" }),
  row(3, "S-two", "The queue drops messages on restart"),
  row(4, "S-two", "Acknowledge after the handler", { type: "decision", role: "note" }),
];

/** An answer as it came over the wire. */
export interface RawAnswer {
  id?: number | null;
  method?: string;
  // deno-lint-ignore no-explicit-any
  result?: any;
  error?: { code: number; message: string };
}

/** A client that writes lines to `ctx mcp` and reads lines back. */
export class RawClient implements AsyncDisposable {
  readonly process: Deno.ChildProcess;
  readonly messages: RawAnswer[] = [];
  readonly stderr: Promise<string>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting: {
    wants: (answer: RawAnswer) => boolean;
    take: (answer: RawAnswer) => void;
  }[] = [];
  #id = 0;
  #closed = false;

  constructor(workspace: string, args: string[] = [], env: Record<string, string> = {}) {
    this.process = spawnCtx(["mcp", ...args], { cwd: workspace, env });
    this.#writer = this.process.stdin.getWriter();
    this.stderr = new Response(this.process.stderr).text();
    this.#read();
  }

  /** Opens the connection in the way of 2025. */
  async initialize(name = "test-client"): Promise<RawAnswer> {
    const answer = await this.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name, version: "1" },
    });
    await this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  /** Calls a tool. */
  async call(name: string, input: unknown = {}): Promise<RawAnswer> {
    return await this.request("tools/call", { name, arguments: input });
  }

  async request(method: string, params: object = {}): Promise<RawAnswer> {
    const id = ++this.#id;
    const answer = this.next((message) => message.id === id);
    await this.send({ jsonrpc: "2.0", id, method, params });
    return await answer;
  }

  async send(message: unknown): Promise<void> {
    await this.write(JSON.stringify(message) + "\n");
  }

  async write(text: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(text));
  }

  /** The next message that fits. */
  next(wants: (answer: RawAnswer) => boolean): Promise<RawAnswer> {
    return new Promise((take) => this.#waiting.push({ wants, take }));
  }

  /** Ends the input and waits for the process. */
  async close(): Promise<Deno.CommandStatus> {
    if (!this.#closed) await this.#writer.close().catch(() => {});
    this.#closed = true;
    return await this.process.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    await this.stderr;
  }

  async #read(): Promise<void> {
    const lines = new LineSplitter(1 << 28);
    for await (const chunk of this.process.stdout) {
      for (const line of lines.push(chunk)) {
        if (line instanceof OverlongLine) continue;
        const answer: RawAnswer = JSON.parse(new TextDecoder().decode(line));
        this.messages.push(answer);
        const at = this.#waiting.findIndex(({ wants }) => wants(answer));
        if (at >= 0) this.#waiting.splice(at, 1)[0].take(answer);
      }
    }
  }
}
