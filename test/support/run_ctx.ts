// Runs the real `ctx` as a process of its own, cut off from the user's home, configuration and
// session, and gives back everything it said.

import { fromFileUrl } from "./from_file_url.ts";

/** What a process is started with. */
export interface RunOptions {
  cwd: string;
  stdin?: Uint8Array | string;
  env?: Record<string, string>;
}

/** What a process left behind. */
export interface RunResult {
  code: number;
  /** Standard output as bytes. */
  bytes: Uint8Array;
  /** Standard output as text. */
  stdout: string;
  stderr: string;
}

/** The root of the repository under test. */
export const repository = fromFileUrl(new URL("../../", import.meta.url)).replace(/\/$/, "");

/** The words that start ctx: `deno run …/mod.ts`. */
export const ctxCommand: readonly string[] = [
  Deno.execPath(),
  "run",
  "-A",
  "--cached-only",
  "--config",
  `${repository}/deno.json`,
  `${repository}/mod.ts`,
];

/** Runs `ctx WORDS…` to its end. */
export async function runCtx(words: readonly string[], options: RunOptions): Promise<RunResult> {
  return await runProcess([...ctxCommand, ...words], options);
}

/** Runs any program to its end in the same isolation. */
export async function runProcess(
  words: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const child = new Deno.Command(words[0], {
    args: words.slice(1),
    cwd: options.cwd,
    clearEnv: true,
    env: { ...isolatedEnv(options.cwd), ...options.env },
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const feeding = options.stdin === undefined ? undefined : feed(child.stdin, options.stdin);
  const { code, stdout, stderr } = await child.output();
  await feeding;
  return { code, bytes: stdout, stdout: decode(stdout), stderr: decode(stderr) };
}

/** An environment that knows nothing of the user; only the module cache is shared. */
export function isolatedEnv(home: string): Record<string, string> {
  return {
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    DENO_DIR: denoDirectory(),
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
  };
}

let knownDenoDirectory: string | undefined;

function denoDirectory(): string {
  if (knownDenoDirectory) return knownDenoDirectory;
  const { stdout } = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync();
  const directory: string = JSON.parse(decode(stdout)).denoDir;
  return knownDenoDirectory = directory;
}

/** A reader that stops early (an error before stdin is read) is not the test's failure. */
async function feed(
  target: WritableStream<Uint8Array>,
  data: Uint8Array | string,
): Promise<void> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  try {
    const writer = target.getWriter();
    await writer.write(bytes);
    await writer.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
