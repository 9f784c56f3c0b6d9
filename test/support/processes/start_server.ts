// The built `ctx serve` as a process, for tests that talk to it over HTTP.

import { spawnCtx } from "./run_ctx.ts";

/** A server that listens; dispose of it. */
export interface StartedServer extends AsyncDisposable {
  process: Deno.ChildProcess;
  url: string;
  port: number;
  get(path: string, more?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
}

/** Starts `ctx serve --port 0 WORDS…` and waits until it listens. */
export async function startServer(
  workspace: string,
  options: { words?: string[]; env?: Record<string, string> } = {},
): Promise<StartedServer> {
  const words = ["serve", "--port", "0", ...options.words ?? []];
  const process = spawnCtx(words, { cwd: workspace, env: options.env, stdin: "null" });
  const stderr = new Response(process.stderr).text();
  const reader = process.stdout.getReader();
  const { value } = await reader.read();
  if (value === undefined) throw new Error(`ctx serve did not start: ${await stderr}`);
  const said: { url: string; token: string } = JSON.parse(new TextDecoder().decode(value));
  const headers = { authorization: `Bearer ${said.token}` };
  return {
    process,
    url: said.url,
    port: Number(new URL(said.url).port),
    get: (path, more) => fetch(said.url + path, { headers: { ...headers, ...more } }),
    post: (path, body) =>
      fetch(said.url + path, {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      try {
        process.kill("SIGTERM");
      } catch {
        // It has ended already.
      }
      await Promise.all([process.status, reader.cancel(), stderr]);
    },
  };
}

/** The process numbers of a process's children. */
export function childrenOf(pid: number): number[] {
  const text = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`);
  return text.split(" ").filter(Boolean).map(Number);
}

/** Whether a process is there, and not only waited for. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

/** Waits until something holds; the test's own time limit is the only one. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}
