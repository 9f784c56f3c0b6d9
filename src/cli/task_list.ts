// Everything that `ctx NAME` can be: the commands, and the processes, which have a lifetime instead of
// one result. Nothing is loaded before it is used. To add a process: a file with
// `defineProcess({...})`, and a line here.

import { aliases, commandLoaders } from "../commands/mod.ts";
import type { AnyCommand } from "../command/command.ts";
import type { AnyProcess } from "./line/process.ts";

/** What a name stands for, and how it is loaded. */
export type Task =
  | { kind: "command"; load: () => Promise<AnyCommand> }
  | { kind: "process"; load: () => Promise<AnyProcess> };

const processLoaders: Record<string, () => Promise<AnyProcess>> = {
  "mcp": async () => (await import("./processes/mcp.ts")).mcp,
  "mcp agent": async () => (await import("./processes/mcp_agent.ts")).mcpAgent,
  "chat": async () => (await import("./processes/chat.ts")).chat,
  "review": async () => (await import("./processes/review.ts")).review,
  "pick": async () => (await import("./processes/pick.ts")).pick,
  "hook": async () => (await import("./processes/hook.ts")).hook,
  "isolation": async () => (await import("./processes/isolation.ts")).isolation,
  "serve": async () => (await import("./processes/serve.ts")).serve,
  "ui": async () => (await import("./processes/ui.ts")).ui,
  "watch": async () => (await import("./processes/watch.ts")).watch,
  "completions": async () => (await import("./completion/completions.ts")).completions,
};

const tasks = new Map<string, Task>();
for (const [name, load] of Object.entries(commandLoaders)) {
  tasks.set(name, { kind: "command", load });
}
for (const [name, load] of Object.entries(processLoaders)) {
  tasks.set(name, { kind: "process", load });
}

/** First words behind which there may be another command (line/doors.ts, which loads only then). */
export const doorNames: readonly string[] = [
  "show",
  "pin",
  "records",
  "pr",
  "forget",
  "context",
  "suggest",
  "team",
  "stats",
  "traces",
  "docs",
  "config",
  "guard",
];

/** All names, other names of commands included. */
export const taskNames: readonly string[] = [...tasks.keys()];

/** The task that words begin with, and the words after its name: `session start` before `session`. */
export function findTask(
  words: readonly string[],
): Task & { rest: readonly string[] } | undefined {
  for (const length of [2, 1]) {
    const task = tasks.get(words.slice(0, length).join(" "));
    if (task) return { ...task, rest: words.slice(length) };
  }
}

/** A task in the form of a command, for help, completions and documentation. */
export async function loadForm(task: Task): Promise<AnyCommand> {
  if (task.kind === "command") return await task.load();
  const { toCommandForm } = await import("./line/run_process.ts");
  return toCommandForm(await task.load());
}

export async function loadForms(names?: readonly string[]): Promise<AnyCommand[]> {
  const own = [...tasks].filter(([name]) =>
    names === undefined ? !Object.hasOwn(aliases, name) : names.includes(name)
  );
  return await Promise.all(own.map(([, task]) => loadForm(task)));
}
