// The agents that `ctx setup` knows: where each keeps its settings, what an MCP entry looks like
// there, which hooks can capture turns, and which can say something before an edit. Plans edits of
// texts; writes nothing.

import { JsonEditor, type JsonPath } from "../config/edit_json.ts";
import { isObject } from "../core/json.ts";
import { editCodexSettings } from "./codex_settings.ts";
import { isOpencodePlugin, opencodePlugin } from "./opencode_plugin.ts";
import { foreignEntry, isOurEntry, isOurHook, toWords } from "./own_entries.ts";

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
  /** Whether to speak before edits, where the agent has a hook that can. */
  preEdit: boolean;
  /** Whether a file is there. */
  exists: (path: string) => boolean;
}

/** One file to edit; the result of undefined means that the file should not exist. */
export interface PlannedEdit {
  path: string;
  edit(text: string | undefined, say: Say): Promise<string | undefined> | string | undefined;
}

/** Takes what the user should know about an edit. */
export type Say = (remark: string) => void;

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
  const capture = { hooks: [toCommand(wish, "claude-code")] };
  const preEdit = {
    matcher: "Edit|MultiEdit|Write|NotebookEdit",
    hooks: [toCommand(wish, "pre-edit")],
  };
  return [
    jsonEntry(entry, ["mcpServers", "ctx"], { type: "stdio", command, args }, wish),
    jsonHooks(`${base}/.claude/settings.json`, wish, [
      { event: "UserPromptSubmit", hook: capture },
      { event: "Stop", hook: capture },
      { event: "SessionEnd", hook: capture },
      { event: "PreToolUse", hook: preEdit, isPreEdit: true },
    ]),
  ];
}

function planCursor(wish: SetupWish): PlannedEdit[] {
  const base = `${wish.scope === "user" ? wish.home : wish.workspace}/.cursor`;
  const [command, ...args] = [...wish.program, "mcp"];
  const hook = { command: toLine(wish, "cursor") };
  const hooks = jsonHooks(`${base}/hooks.json`, wish, [
    { event: "stop", hook },
    { event: "sessionEnd", hook },
  ]);
  return [
    jsonEntry(`${base}/mcp.json`, ["mcpServers", "ctx"], { command, args }, wish),
    {
      path: hooks.path,
      async edit(text, say) {
        const edited = await hooks.edit(text, say);
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
  const toHook = (agent: string): object => ({
    name: "ctx",
    type: "command",
    command: toLine(wish, agent),
  });
  const capture = { hooks: [toHook("gemini")] };
  // Before a tool, Gemini takes no context; after a file was read, it does.
  const preEdit = { matcher: "^read_file$", hooks: [toHook("pre-edit")] };
  const hooks = jsonHooks(path, wish, [
    { event: "AfterAgent", hook: capture },
    { event: "SessionEnd", hook: capture },
    { event: "AfterTool", hook: preEdit, isPreEdit: true },
  ]);
  return [{ path, edit: async (text, say) => await hooks.edit(await entry.edit(text, say), say) }];
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
      edit: (text, say) => {
        if (!wish.remove) {
          return wish.hooks ? opencodePlugin([...wish.program, "hook", "opencode"]) : text;
        }
        if (text === undefined || isOpencodePlugin(text)) return undefined;
        say(`${plugins}/ctx.js stays: ctx setup did not write it`);
        return text;
      },
    },
  ];
}

function planCodex(wish: SetupWish): PlannedEdit[] {
  const preEdit = { matcher: "^apply_patch$", hooks: [toCommand(wish, "pre-edit")] };
  const hooks = jsonHooks(`${wish.home}/.codex/hooks.json`, wish, [
    { event: "PreToolUse", hook: preEdit, isPreEdit: true },
  ]);
  const path = `${wish.home}/.codex/config.toml`;
  return [{ path, edit: (text, say) => editCodexSettings(text, { ...wish, path, say }) }, hooks];
}

function jsonEntry(
  path: string,
  at: JsonPath,
  value: object,
  wish: SetupWish,
): PlannedEdit {
  return {
    path,
    async edit(text, say) {
      if (wish.remove && text === undefined) return undefined;
      const json = await JsonEditor.open(text, path);
      const known = json.find(at);
      if (!wish.remove) json.set(at, value);
      else if (known === undefined) return text;
      else if (isOurEntry(known, wish.program)) json.remove(at);
      else say(foreignEntry(at.join("."), path));
      return json.text;
    },
  };
}

/** A hook of ours and the event whose list it belongs to. */
interface EventHook {
  event: string;
  hook: object;
  /** It speaks before edits; the others capture turns. */
  isPreEdit?: boolean;
}

/** Adds our hook to each event's list once; other hooks there stay. */
function jsonHooks(path: string, wish: SetupWish, hooks: EventHook[]): PlannedEdit {
  return {
    path,
    async edit(text) {
      const isWanted = ({ isPreEdit }: EventHook): boolean =>
        wish.hooks && !wish.remove && (wish.preEdit || !isPreEdit);
      if (!text?.trim() && !hooks.some(isWanted)) return text;
      const json = await JsonEditor.open(text, path);
      for (const item of hooks) {
        const at = ["hooks", item.event];
        const list = json.find(at);
        const known: unknown[] = Array.isArray(list) ? list : [];
        const wanted = isWanted(item) ? JSON.stringify(item.hook) : undefined;
        const isThere = known.some((one) => JSON.stringify(one) === wanted);
        for (const [i, one] of [...known.entries()].reverse()) {
          if (JSON.stringify(one) !== wanted) removeOurs(json, [...at, i], one);
        }
        if (wanted !== undefined && !isThere) json.add(at, item.hook);
      }
      return json.text;
    },
  };
}

/** Takes our commands out of a hook, and the hook with them when nothing else is in it. */
function removeOurs(json: JsonEditor, at: JsonPath, hook: unknown): void {
  const commands = isObject(hook) && Array.isArray(hook.hooks) ? hook.hooks : [hook];
  const ours = commands.map((one) =>
    isObject(one) && typeof one.command === "string" && isOurHook(toWords(one.command))
  );
  if (ours.every((own) => own)) {
    if (ours.length > 0) json.remove(at);
    return;
  }
  for (let i = ours.length - 1; i >= 0; i--) if (ours[i]) json.remove([...at, "hooks", i]);
}

function toCommand(wish: SetupWish, agent: string): object {
  return { type: "command", command: toLine(wish, agent), timeout: 10 };
}

/** The line that calls our hook, for a shell. */
function toLine({ program }: SetupWish, agent: string): string {
  return [...program, "hook", agent].map(quoteWord).join(" ");
}

function quoteWord(word: string): string {
  return /^[\w./:@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
