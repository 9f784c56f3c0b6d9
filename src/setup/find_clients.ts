// The agents on this machine and how each stands with ctx: whether it is here, connected, by what, and
// what is missing. Reads settings only; starts nothing.

import { isWholePath } from "../core/platform_path.ts";
import { findPrograms } from "./find_programs.ts";
import { findInfo } from "../disk/outside_files.ts";
import * as s from "../command/shape.ts";
import { isObject } from "../core/json.ts";
import type { PlannedEdit } from "./client_edits.ts";
import { type SetupTodo, setupTodo } from "./codex_trust.ts";
import { type Connection, findConnections, lookingWish } from "./connections.ts";
import { findText } from "./plan_change.ts";
import { type SetupClientName, setupClientNames, setupClients } from "./setup_clients.ts";

export const clientState = s.object({
  client: s.oneOf(setupClientNames),
  title: s.text(),
  /** What shows that it is on this machine; the command that it starts as the server, and the program of that when it is not there. */
  ...s.each(s.optional(s.text()), "found", "starts", "gone"),
  /** Whether its settings hold ctx, and whether it tells ctx of its turns, where it can. */
  ...s.each(s.boolean(), "connected", "hooks"),
  /** What keeps it from working, each with the next command. */
  missing: s.listOf(s.text()),
  /** What only its user can do; setting it up again does not help. */
  todo: s.optional(setupTodo),
});
/** One of them. */
export type ClientState = s.ValueOf<typeof clientState>;

/** Every agent that `ctx setup` knows. */
export async function findClients(
  place: { home: string; workspace: string; path?: string },
): Promise<ClientState[]> {
  const connections = await findConnections(place);
  return await Promise.all(setupClientNames.map(async (client) => {
    const connection = connections.find(({ agent }) => agent === client);
    const { title, isServerOnly, findTodo } = setupClients[client];
    const found = signsOf(client, place).find(findInfo) ?? findProgram(client, place.path);
    const words = connection === undefined || connection.isPlugin
      ? undefined
      : await findStart(client, place).catch(() => undefined);
    const starts = connection?.isPlugin ? "ctx mcp, as its plugin" : words?.join(" ");
    const hasHooks = isServerOnly !== true;
    const program = words?.[0] ?? "";
    const isGone = isWholePath(program) && findInfo(program) === undefined;
    const again = `ctx setup ${client}`;
    const todo = (connection?.hooks ? await findTodo?.(place) : undefined) ??
      twiceTodo(title, connection);
    return {
      client,
      title,
      ...(found === undefined ? {} : { found }),
      connected: connection !== undefined,
      hooks: connection?.hooks ?? false,
      ...(starts === undefined ? {} : { starts }),
      ...(isGone ? { gone: program } : {}),
      missing: connection === undefined ? [] : [
        ...(hasHooks && !connection.hooks ? [`no hooks, so nothing is captured: ${again}`] : []),
        ...(isGone
          ? [`it starts ${program}, which does not exist: ${again}`]
          : isFromNpx(program)
          ? [`it starts ctx from npx's cache, which npm may clear: ${keepLine} && ${again}`]
          : []),
      ],
      ...(todo === undefined ? {} : { todo }),
    };
  }));
}

/** What is left to do where an agent has ctx by setup and as a plugin. */
function twiceTodo(title: string, connection: Connection | undefined): SetupTodo | undefined {
  if (connection?.plugin === undefined || connection.isPlugin) return undefined;
  const { agent, plugin } = connection;
  return {
    problem: `${title} has ctx twice (ctx setup and a plugin), so the plugin's hooks stay silent`,
    next: `${plugin} (or ctx setup ${agent} --remove)`,
  };
}

/** Whether npx keeps a program only as long as its cache. */
export function isFromNpx(program = ""): boolean {
  return /[/\\]_npx[/\\]/.test(program);
}

/** What keeps ctx, and puts it on the PATH. */
export const keepLine = "npm i -g @ctx/ctx";

function signsOf(
  client: SetupClientName,
  { home, workspace }: { home: string; workspace: string },
): string[] {
  const signs: Record<SetupClientName, string[]> = {
    "claude-code": [`${home}/.claude`, `${home}/.claude.json`],
    codex: [`${home}/.codex`],
    opencode: [`${home}/.config/opencode`, `${home}/.local/share/opencode`],
    cursor: [`${home}/.cursor`, `${workspace}/.cursor`],
    gemini: [`${home}/.gemini`],
    vscode: [`${workspace}/.vscode`],
    kiro: [`${home}/.kiro`],
    qwen: [`${home}/.qwen`],
  };
  return signs[client];
}

const programs: Partial<Record<SetupClientName, string>> = {
  "claude-code": "claude",
  codex: "codex",
  opencode: "opencode",
  gemini: "gemini",
  kiro: "kiro-cli",
  qwen: "qwen",
};

function findProgram(client: SetupClientName, path: string | undefined): string | undefined {
  const name = programs[client];
  return name === undefined
    ? undefined
    : findPrograms(name, path).find((found) => isWholePath(found));
}

/** The words that start the server in an agent's settings, yours or the workspace's. */
async function findStart(
  client: SetupClientName,
  place: { home: string; workspace: string },
): Promise<string[] | undefined> {
  for (const scope of ["user", "project"] as const) {
    const plan = setupClients[client].plan(lookingWish({ ...place, scope, remove: false }));
    const words = await findServerWords(plan);
    if (words.length > 0) return words;
  }
  return undefined;
}

/** The words that start the server as the settings of a plan say now; none where they do not name it. */
export async function findServerWords(plan: readonly PlannedEdit[]): Promise<string[]> {
  const holder = plan.find(({ findServer }) => findServer !== undefined);
  const text = holder && findText(holder.path);
  const entry = text === undefined ? undefined : await holder?.findServer?.(text);
  if (!isObject(entry)) return [];
  return [entry.command, entry.args].flat().filter((word) => typeof word === "string");
}
