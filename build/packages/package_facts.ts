// What every package for an agent's own list of plugins says of ctx, and what it starts: the server and
// the hooks are those that `ctx setup` would write, so that plugin and setup never differ.

import manifest from "../../deno.json" with { type: "json" };
import { lookingWish } from "../../src/setup/connections.ts";
import { toHookLine, toHookWords } from "../../src/setup/hook_line.ts";
import { editTools, opencodePlugin } from "../../src/setup/opencode_plugin.ts";
import { type SetupClientName, setupClients } from "../../src/setup/setup_clients.ts";
import { description } from "../server_json.ts";

/** Where ctx is kept, and where its releases are. */
export const homepage = "https://github.com/ctx-memory/ctx";

/** The words about ctx that all manifests share. */
export const facts = {
  name: "ctx",
  version: manifest.version,
  description,
  author: { name: "The ctx authors", url: homepage },
  homepage,
  repository: homepage,
  license: "MIT",
  keywords: ["memory", "context", "history", "search", "agents"],
};

/** How each plugin is installed first, in Markdown. */
export const needsCtx =
  `It starts the \`ctx\` on your PATH: \`npm i -g ${manifest.name}\` installs it. Without ctx, hooks do nothing.`;

/** A group of hooks of an event, as agents have it in JSON. */
export interface HookGroup {
  matcher?: string;
  hooks: { command: string; [name: string]: unknown }[];
}

/** What setup writes for an agent: its hooks by event. They say that they come from a plugin. */
export async function hooksOf(
  client: SetupClientName,
  options: { hasBash?: boolean; namesWindows?: boolean } = {},
): Promise<Record<string, HookGroup[]>> {
  const { hooks } = await settingsOf(client, (value) => value.hooks !== undefined);
  const groups = hooks as Record<string, HookGroup[]>;
  for (const hook of Object.values(groups).flat().flatMap((group) => group.hooks)) {
    const caller = toHookWords(hook.command).at(-1) ?? "";
    const words = ["ctx", "hook", "plugin", client, ...(caller === client ? [] : [caller])];
    hook.command = toHookLine(words, { os: "linux" });
    if (options.namesWindows) hook.commandWindows = toHookLine(words, { os: "windows" });
  }
  return groups;
}

/** The servers that setup enters for an agent. */
export async function serversOf(client: SetupClientName): Promise<Record<string, unknown>> {
  const { mcpServers } = await settingsOf(client, (value) => value.mcpServers !== undefined);
  return mcpServers as Record<string, unknown>;
}

/** OpenCode's plugin as a module: with the server, which setup enters in its settings. */
export function opencodeModule(): string {
  const own = opencodePlugin(["ctx", "hook", "plugin", "opencode"], { tools: editTools });
  const server = { type: "local", command: ["ctx", "mcp"], enabled: true };
  return `${own.slice(own.indexOf("\n") + 1).replace("export const CtxPlugin", "const CtxPlugin")}
// OpenCode calls every export of a module.
export const CtxPackage = async (world) => ({
  ...await CtxPlugin(world),
  config: async (config) => {
    (config.mcp ??= {}).ctx ??= ${JSON.stringify(server)};
  },
});
`;
}

/** A JSON file of the settings that setup would make of nothing. */
async function settingsOf(
  client: SetupClientName,
  fits: (value: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  const place = { home: "", workspace: "", scope: "user", remove: false } as const;
  const wish = { ...lookingWish(place), guards: false, exists: () => false };
  for (const { path, edit } of setupClients[client].plan(wish)) {
    if (!path.endsWith(".json")) continue;
    const value = JSON.parse(await edit(undefined, () => {}) ?? "{}");
    if (fits(value)) return value;
  }
  throw new Error(`Cannot package ctx for ${client}: setup writes nothing that fits`);
}
