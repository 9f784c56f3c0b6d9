// A `ctx` that listens (`serve`, `watch --port`): started, asked over HTTP, ended with its user.

import { spawnCtx } from "./run_ctx.ts";

/** A process that said where it listens. */
export interface ListeningCtx extends AsyncDisposable {
  /** The one line that it printed at the start. */
  said: Record<string, string>;
  /** What it says on standard error until it ends. */
  stderr: Promise<string>;
}

/** Starts it and waits for its line. */
export async function startListening(
  words: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): Promise<ListeningCtx> {
  const child = spawnCtx(words, { ...options, stdin: "null" });
  const stderr = new Response(child.stderr).text();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`ctx ${words.join(" ")} ended: ${await stderr}`);
    text += value;
  }
  return {
    said: JSON.parse(text),
    stderr,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await reader.cancel();
      await stderr;
    },
  };
}

/** The status of a GET with any Host header at all, which `fetch` would not send. */
export async function rawStatus(url: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port, pathname, search } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const lines = Object.entries({ connection: "close", ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const request = `GET ${pathname}${search} HTTP/1.1\r\n${lines}\r\n`;
  await connection.write(new TextEncoder().encode(request));
  const buffer = new Uint8Array(64);
  const read = await connection.read(buffer) ?? 0;
  return Number(new TextDecoder().decode(buffer.subarray(0, read)).split(" ")[1]);
}
