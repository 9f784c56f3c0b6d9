// The process table: what has a lifetime instead of one result (`mcp`, `serve`, `hook`, …). A
// process declares its flags like a command and runs until it is done; it runs commands inside.
// Loads nothing by itself. To add one: a file with `defineProcess({...})`, and a line in `loaders`.

import type { Group } from "../commands/command.ts";
import type { InputOf, Params } from "../commands/param.ts";

/** One process. */
export interface Process<I extends Params = Params> {
  name: string;
  group: Group;
  summary: string;
  /** A paragraph for `--help` and the documentation. */
  description?: string;
  /** Its fields are the flags. */
  input: I;
  /** Fields that stand without a flag, in order. */
  positional?: (keyof InputOf<I> & string)[];
  /** One-letter flags. */
  short?: Record<string, keyof InputOf<I> & string>;
  /** Flag names that differ from the field. */
  flags?: Partial<Record<keyof InputOf<I> & string, string>>;
  /** Calls to show; not run by tests. */
  examples: { argv: string[]; about: string }[];
  /** Runs until it is done and returns the exit code. */
  run(input: InputOf<I>, world: ProcessWorld): Promise<number>;
}

/** What a process is told beside its own flags. */
export interface ProcessWorld {
  /** `--workspace DIR`, as it was said. */
  workspace?: string;
  json: boolean;
  /** The words after the process's name, for starting it again. */
  words: readonly string[];
  /** Tells it to stop, where signals do not reach it (in a Worker). */
  signal?: AbortSignal;
}

/** Any process, where its types do not matter. */
export type AnyProcess = Process;

const loaders = {
  "mcp": async () => (await import("./mcp.ts")).mcp,
  "mcp agent": async () => (await import("./mcp_agent.ts")).mcpAgent,
  "chat": async () => (await import("./chat.ts")).chat,
  "hook": async () => (await import("./hook.ts")).hook,
  "isolation": async () => (await import("./isolation.ts")).isolation,
  "serve": async () => (await import("./serve.ts")).serve,
  "watch": async () => (await import("./watch.ts")).watch,
  "completions": async () => (await import("./completions.ts")).completions,
} satisfies Record<string, () => Promise<unknown>>;

/** The names of all processes. */
export const processNames: readonly string[] = Object.keys(loaders);

/** Declares a process; checks its types. */
export function defineProcess<const I extends Params>(process: Process<I>): Process<I> {
  return process;
}

/** Loads a process by name, or returns undefined. */
export async function findProcess(name: string): Promise<AnyProcess | undefined> {
  if (!Object.hasOwn(loaders, name)) return undefined;
  return await loaders[name as keyof typeof loaders]() as unknown as AnyProcess;
}

/** Loads all processes, for help and documentation. */
export async function loadProcesses(): Promise<AnyProcess[]> {
  const found = await Promise.all(processNames.map(findProcess));
  return found.filter((process) => process !== undefined);
}
