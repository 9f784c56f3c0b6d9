// An MCP server on standard input and output: asks it one thing after the other.

/** A server as a process, ended when this is disposed of. */
export class McpPipe implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #rest = "";
  #id = 0;

  constructor(program: string, options: Deno.CommandOptions) {
    const pipes = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
    this.#child = new Deno.Command(program, { ...options, ...pipes }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reader = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Sends a request; gives the line that answers it. */
  async ask(method: string, params: object): Promise<string> {
    const id = ++this.#id;
    await this.send({ jsonrpc: "2.0", id, method, params });
    while (true) {
      const line = await this.#readLine(method);
      if (JSON.parse(line).id === id) return line;
    }
  }

  async #readLine(method: string): Promise<string> {
    while (!this.#rest.includes("\n")) {
      const { value, done } = await this.#reader.read();
      if (done) throw new Error(`the server ended before it answered ${method}`);
      this.#rest += value;
    }
    const end = this.#rest.indexOf("\n");
    const line = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end + 1);
    return line;
  }

  async send(message: object): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
    await this.#child.status;
  }
}
