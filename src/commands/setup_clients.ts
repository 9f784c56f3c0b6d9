// The agents that `ctx setup` knows: where each keeps its settings, what an MCP entry looks like
// there, and which hooks can capture turns. Plans edits of texts; writes nothing.

import { JsonEditor, type JsonPath } from "../config/edit_json.ts";
import {
  findTomlKey,
  removeTomlTable,
  setTomlKey,
  setTomlTable,
  toTomlString,
} from "../config/edit_toml.ts";
import { opencodePlugin } from "./opencode_plugin.ts";

/** What a plan is made from. */
export interface SetupWish {
  /** The user's home, and the workspace. */
  home: string;
  workspace: string;
  scope: "user" | "project";
  /** The words that start ctx. */
  program: string[];
  remove: boolean;
  hooks: boolean;
  /** Whether a file is there. */
  exists: (path: string) => boolean;
}

/** One file to edit; the result of undefined means that the file should not exist. */
export interface PlannedEdit {
  path: string;
  edit(text: string | undefined): Promise<string | undefined> | string | undefined;
}

/** The clients by name. */
export const setupClients = {
  "claude-code": planClaudeCode,
  "codex": planCodex,
  "opencode": planOpencode,
  "cursor": planCursor,
  "gemini": planGemini,
  "vscode": planVscode,
} as const satisfies Record<string, (wish: SetupWish) => PlannedEdit[]>;

/** The name of a client. */
export type SetupClient = keyof typeof setupClients;

/** The names of all clients. */
export const setupClientNames = Object.keys(setupClients) as [SetupClient, ...SetupClient[]];

function planClaudeCode(wish: SetupWish): PlannedEdit[] {
  const entry = wish.scope === "user" ? `${wish.home}/.claude.json` : `${wish.workspace}/.mcp.json`;
  const base = wish.scope === "user" ? wish.home : wish.workspace;
  const [command, ...args] = [...wish.program, "mcp"];
  const events = ["UserPromptSubmit", "Stop", "SessionEnd"];
  return [
    jsonEntry(entry, ["mcpServers", "ctx"], { type: "stdio", command, args }, wish),
    jsonHooks(`${base}/.claude/settings.json`, wish, events, (line) => ({
      hooks: [{ type: "command", command: line, timeout: 10 }],
    }), "claude-code"),
  ];
}

function planCursor(wish: SetupWish): PlannedEdit[] {
  const base = `${wish.scope === "user" ? wish.home : wish.workspace}/.cursor`;
  const [command, ...args] = [...wish.program, "mcp"];
  const hooks = jsonHooks(
    `${base}/hooks.json`,
    wish,
    ["stop", "sessionEnd"],
    (line) => ({ command: line }),
    "cursor",
  );
  return [
    jsonEntry(`${base}/mcp.json`, ["mcpServers", "ctx"], { command, args }, wish),
    {
      path: hooks.path,
      async edit(text) {
        const edited = await hooks.edit(text);
        if (wish.remove && edited !== text && /^\s*\{\s*"version": 1\s*\}\s*$/.test(edited ?? "")) {
          return undefined;
        }
        if (edited === undefined || edited === text || wish.remove) return edited;
        const json = await JsonEditor.open(edited, hooks.path);
        if (json.find(["version"]) === undefined) json.set(["version"], 1);
        return json.text;
      },
    },
  ];
}

function planGemini(wish: SetupWish): PlannedEdit[] {
  const base = wish.scope === "user" ? wish.home : wish.workspace;
  const [command, ...args] = [...wish.program, "mcp"];
  const path = `${base}/.gemini/settings.json`;
  const entry = jsonEntry(path, ["mcpServers", "ctx"], { command, args }, wish);
  const hooks = jsonHooks(path, wish, ["AfterAgent", "SessionEnd"], (line) => ({
    hooks: [{ name: "ctx", type: "command", command: line }],
  }), "gemini");
  return [{ path, edit: async (text) => await hooks.edit(await entry.edit(text)) }];
}

function planVscode(wish: SetupWish): PlannedEdit[] {
  const [command, ...args] = [...wish.program, "mcp"];
  const value = { type: "stdio", command, args };
  return [jsonEntry(`${wish.workspace}/.vscode/mcp.json`, ["servers", "ctx"], value, wish)];
}

function planOpencode(wish: SetupWish): PlannedEdit[] {
  const base = wish.scope === "user" ? `${wish.home}/.config/opencode` : wish.workspace;
  const plugins = wish.scope === "user" ? `${base}/plugin` : `${base}/.opencode/plugin`;
  const value = { type: "local", command: [...wish.program, "mcp"], enabled: true };
  const config = [`${base}/opencode.jsonc`].find(wish.exists) ?? `${base}/opencode.json`;
  return [
    jsonEntry(config, ["mcp", "ctx"], value, wish),
    {
      path: `${plugins}/ctx.js`,
      edit: (text) => {
        if (wish.remove) return undefined;
        return wish.hooks ? opencodePlugin([...wish.program, "hook", "opencode"]) : text;
      },
    },
  ];
}

function planCodex(wish: SetupWish): PlannedEdit[] {
  const [command, ...args] = [...wish.program, "mcp"];
  const list = (words: string[]): string => `[${words.map(toTomlString).join(", ")}]`;
  const notify = list([...wish.program, "hook", "codex"]);
  return [{
    path: `${wish.home}/.codex/config.toml`,
    edit(text) {
      const before = text ?? "";
      const known = findTomlKey(before, "notify");
      if (wish.remove) {
        const rest = removeTomlTable(before, "mcp_servers.ctx");
        return text === undefined
          ? undefined
          : known !== undefined && isOurs(known)
          ? setTomlKey(rest, "notify", undefined)
          : rest;
      }
      const lines = [`command = ${toTomlString(command)}`, `args = ${list(args)}`];
      const after = setTomlTable(before, "mcp_servers.ctx", lines);
      const free = known === undefined || isOurs(known);
      return wish.hooks && free ? setTomlKey(after, "notify", notify) : after;
    },
  }];
}

function jsonEntry(
  path: string,
  at: JsonPath,
  value: object,
  { remove }: SetupWish,
): PlannedEdit {
  return {
    path,
    async edit(text) {
      if (remove && text === undefined) return undefined;
      const json = await JsonEditor.open(text, path);
      if (remove) json.remove(at);
      else json.set(at, value);
      return remove && isEmptyObject(json.text) ? undefined : json.text;
    },
  };
}

/** Adds our command to each event's list once; other commands there stay. */
function jsonHooks(
  path: string,
  wish: SetupWish,
  events: string[],
  toHook: (line: string) => object,
  agent: string,
): PlannedEdit {
  const line = [...wish.program, "hook", agent].map(quoteWord).join(" ");
  return {
    path,
    async edit(text) {
      const wanted = wish.hooks && !wish.remove;
      if (!wanted && text === undefined) return undefined;
      const json = await JsonEditor.open(text, path);
      for (const event of events) {
        const list = json.find(["hooks", event]);
        const hooks: unknown[] = Array.isArray(list) ? list : [];
        const wantedText = JSON.stringify(toHook(line));
        const stale = hooks.map((hook, i) => ({ hook, i }))
          .filter(({ hook }) => isOurs(JSON.stringify(hook)))
          .filter(({ hook }) => !wanted || JSON.stringify(hook) !== wantedText);
        for (const { i } of stale.reverse()) json.remove(["hooks", event, i]);
        const there = hooks.some((hook) => JSON.stringify(hook) === wantedText);
        if (wanted && !there) json.add(["hooks", event], toHook(line));
      }
      return wish.remove && isEmptyObject(json.text) ? undefined : json.text;
    },
  };
}

/** Whether a command in someone's settings is one that we wrote. */
function isOurs(text: string): boolean {
  return /\bhook["',\s\\]+(?:claude-code|cursor|codex|gemini|opencode)\b/.test(text) &&
    /ctx|mod\.ts/.test(text);
}

function isEmptyObject(text: string): boolean {
  return /^\s*\{\s*\}\s*$/.test(text);
}

function quoteWord(word: string): string {
  return /^[\w./:@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
