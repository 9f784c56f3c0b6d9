// Runs the real `ctx` as people do: the built file with its own permissions, an empty environment and
// a fresh home outside the workspace. Gives back everything it said. CTX_TEST_FROM=source runs the
// sources with every permission instead, for debugging only.

import { noteStart } from "./built_cases.ts";
import { type BuiltCtx, builtCtx, isFromSource } from "./built_ctx.ts";
import { toOwnPath } from "../../../src/core/platform_path.ts";
import { repository } from "../repository.ts";

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

/** The words that start ctx from its sources, with every permission. */
export const sourceCommand: readonly string[] = [
  Deno.execPath(),
  "run",
  "-A",
  "--cached-only",
  "--config",
  `${repository}/deno.json`,
  `${repository}/mod.ts`,
];

const built: BuiltCtx | undefined = isFromSource ? undefined : await builtCtx();

/** The words that start `ctx WORDS…`; the case that asks for them counts as one of the built file. */
export function ctxCommand(...words: string[]): string[] {
  if (built === undefined) return [...sourceCommand, ...words];
  noteStart();
  return [built.path, ...words];
}

/** Runs `ctx WORDS…` to its end. */
export async function runCtx(words: readonly string[], options: RunOptions): Promise<RunResult> {
  return await runProcess(ctxCommand(...words), options);
}

/** Starts `ctx WORDS…`, for tests that talk to it or stop it. All its streams are pipes. */
export function spawnCtx(
  words: readonly string[],
  options: { cwd: string; env?: Record<string, string>; stdin?: "piped" | "null" },
): Deno.ChildProcess {
  const [program, ...args] = ctxCommand(...words);
  return new Deno.Command(program, {
    args,
    cwd: options.cwd,
    clearEnv: true,
    env: { ...isolatedEnv(options.cwd), ...options.env },
    stdin: options.stdin ?? "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
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

/** The environment of a program that runs for a workspace: its home, and nothing of the user's. */
export function isolatedEnv(workspace: string): Record<string, string> {
  return {
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    TZ: "UTC",
    ...homeEnv(homeOf(workspace)),
    // Else what hooks leave for later would go on when a test has ended.
    CTX_HOOK_WAIT: "1",
    ...(built === undefined ? { DENO_DIR: denoDirectory() } : { XDG_CACHE_HOME: built.cache }),
  };
}

/** What names the home of a program; on Windows, also what no program there can start without. */
export function homeEnv(home: string): Record<string, string> {
  if (Deno.build.os !== "windows") return { HOME: home };
  const names = ["SystemRoot", "PATHEXT", "TEMP", "TMP"];
  const system = names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const data = { APPDATA: `${home}/AppData/Roaming`, LOCALAPPDATA: `${home}/AppData/Local` };
  return { ...Object.fromEntries(system), ...data, USERPROFILE: home };
}

/** The environment of a Deno program of the tests' own: it shares the module cache. */
export function denoEnv(workspace: string): Record<string, string> {
  return { ...isolatedEnv(workspace), DENO_DIR: denoDirectory(), DENO_NO_UPDATE_CHECK: "1" };
}

const homes = new Map<string, string>();

/** The home that belongs to a workspace: empty at first, and not inside it. */
export function homeOf(workspace: string): string {
  let home = homes.get(workspace);
  if (home === undefined) {
    home = toOwnPath(Deno.realPathSync(Deno.makeTempDirSync({ prefix: "ctx-home-" })));
    homes.set(workspace, home);
  }
  return home;
}

Deno.test.afterAll(() => {
  for (const home of homes.values()) Deno.removeSync(home, { recursive: true });
});

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
