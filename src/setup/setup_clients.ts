// The agents that `ctx setup` knows: where each keeps its settings, what an MCP entry looks like
// there, which of its hooks capture turns and tell what is known, and what it needs to call ctx's
// tools without asking. Plans edits of texts; writes nothing.

import { JsonEditor } from "../config/edit_json.ts";
import { agentFiles } from "./agent_file.ts";
import { agentsSection } from "./agents_section.ts";
import {
  type EventHook,
  inOneFile,
  jsonEntry,
  jsonHooks,
  jsonWords,
  type PlannedEdit,
  readableJson,
  serverOf,
  type SetupWish,
  toLine,
} from "./client_edits.ts";
import { editCodexSettings, findCodexServer } from "./codex_settings.ts";
import { findCodexTodo, type SetupTodo } from "./codex_trust.ts";
import { editTools, isOpencodePlugin, opencodePlugin } from "./opencode_plugin.ts";

/** An agent: its plan, and what it does with what ctx may say to it. */
export interface SetupClient {
  title: string;
  plan(wish: SetupWish): PlannedEdit[];
  /** It asks before it calls a tool unless its settings say otherwise. */
  asksForTools?: boolean;
  /** Its hooks can ask it, at the end of a turn, to save what its work came to. */
  canAuthor?: boolean;
  /** It starts the server with a home, a PATH and nothing else. */
  stripsEnvironment?: boolean;
  /** It has no hooks that ctx knows: nothing is captured when a turn ends. */
  isServerOnly?: true;
  /** What to say after something was written. */
  remark?: string;
  /** Finds what only its user can do before ctx works there. */
  findTodo?(place: Pick<SetupWish, "home" | "workspace">): Promise<SetupTodo | undefined>;
}

export const setupClientNames = [
  "claude-code",
  "codex",
  "opencode",
  "cursor",
  "gemini",
  "vscode",
  "kiro",
  "qwen",
] as const;

export type SetupClientName = typeof setupClientNames[number];

export const setupClients: Record<SetupClientName, SetupClient> = {
  "claude-code": {
    title: "Claude Code",
    plan: planClaudeCode,
    asksForTools: true,
    canAuthor: true,
  },
  "codex": {
    title: "Codex",
    plan: planCodex,
    canAuthor: true,
    stripsEnvironment: true,
    findTodo: findCodexTodo,
  },
  "opencode": { title: "OpenCode", plan: planOpencode },
  "cursor": { title: "Cursor", plan: planCursor },
  "gemini": { title: "Gemini CLI", plan: planGemini, asksForTools: true, canAuthor: true },
  "vscode": { title: "VS Code", plan: planVscode, isServerOnly: true },
  "kiro": {
    title: "Kiro",
    plan: (wish) => planServer(wish, ".kiro/settings/mcp.json"),
    isServerOnly: true,
    remark: "Kiro has no hooks for ctx; ctx import imports its sessions",
  },
  "qwen": { title: "Qwen Code", plan: planQwen, asksForTools: true, canAuthor: true },
};

/**
 * The plan of a client, with the agent that looks things up, and the section of AGENTS.md. What is taken
 * out is all of it, and the server with one tool.
 */
export function planSetup(client: SetupClientName, wish: SetupWish): PlannedEdit[] {
  const entries = setupClients[client].plan(wish);
  if (wish.agent) return entries;
  const plan = [...entries, ...agentFiles(client, wish)];
  if (!wish.remove) return wish.agentsMd ? [...plan, agentsSection(wish)] : plan;
  const own = setupClients[client].plan({ ...wish, agent: true });
  const joined = plan.map((item) => {
    const same = own.filter(({ path }) => path === item.path);
    return same.length === 0 ? item : inOneFile(item.path, [item, ...same]);
  });
  return [...joined, agentsSection(wish)];
}

function planClaudeCode(wish: SetupWish): PlannedEdit[] {
  const entry = wish.scope === "user" ? `${wish.home}/.claude.json` : `${wish.workspace}/.mcp.json`;
  const path = `${baseOf(wish)}/.claude/settings.json`;
  const { name, command, args } = serverOf(wish);
  const server = jsonEntry(entry, ["mcpServers", name], { type: "stdio", command, args }, wish);
  if (wish.agent) return [server];
  const hasBash = true;
  const hook = { hooks: [toCommand(wish, "claude-code", { hasBash })] };
  // What a hook says reaches the model after its tool ran: so at the read, and at an edit without one.
  const preEdit = {
    matcher: `${wish.guards ? "Bash|" : ""}Read|Edit|MultiEdit|Write|NotebookEdit`,
    hooks: [toCommand(wish, beforeTool(wish), { hasBash })],
  };
  const events = ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"];
  const subagents = ["SubagentStart", "SubagentStop"];
  return [
    server,
    inOneFile(path, [
      readableJson(path, wish, { title: "Claude Code", comments: false, isSilent: true }),
      jsonHooks(path, wish, [
        ...toHooks([...events, ...subagents], hook),
        { event: "PreToolUse", hook: preEdit, isPreEdit: !wish.guards },
      ]),
      allowTools(path, wish),
    ]),
  ];
}

/** The tools that may be called without asking, in the list of permissions. */
function allowTools(path: string, wish: SetupWish): PlannedEdit {
  return jsonWords(path, ["permissions", "allow"], {
    wanted: wish.remove ? [] : wish.allowed.map((tool) => `mcp__ctx__${tool}`),
    isOurs: (word) => wish.remove && /^mcp__ctx__\w+$/.test(word),
  });
}

function planCursor(wish: SetupWish): PlannedEdit[] {
  const base = `${baseOf(wish)}/.cursor`;
  const { name, command, args } = serverOf(wish);
  const server = jsonEntry(`${base}/mcp.json`, ["mcpServers", name], { command, args }, wish);
  if (wish.agent) return [server];
  const hook = { command: toLine(wish, "cursor") };
  const events = ["sessionStart", "beforeSubmitPrompt", "stop", "sessionEnd"];
  const guard = { command: toLine(wish, "pre-edit") };
  const hooks = jsonHooks(`${base}/hooks.json`, wish, [
    ...toHooks(events, hook),
    { event: "beforeShellExecution", hook: guard, isGuard: true },
  ]);
  return [
    server,
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
  const { name, command, args } = serverOf(wish);
  const path = `${baseOf(wish)}/.gemini/settings.json`;
  const trust = wish.allowed.includes("search") ? { trust: true } : {};
  const server = jsonEntry(path, ["mcpServers", name], { command, args, ...trust }, wish);
  if (wish.agent) return [server];
  const toHook = (agent: string): object => ({
    name: "ctx",
    type: "command",
    command: toLine(wish, agent),
    timeout: 10_000,
  });
  const hook = { hooks: [toHook("gemini")] };
  // Before a tool, Gemini takes no context, only a refusal; after a file was read, it takes context.
  const preEdit = { matcher: "^read_file$", hooks: [toHook("pre-edit")] };
  const edit = {
    matcher: `^(?:${wish.guards ? "run_shell_command|read_file|" : ""}replace|write_file)$`,
    hooks: [toHook(beforeTool(wish))],
  };
  return [inOneFile(path, [
    readableJson(path, wish, { title: "Gemini CLI", comments: true }),
    server,
    jsonHooks(path, wish, [
      // Not PreCompress: Gemini sends it before every request to the model, compressed or not.
      ...toHooks(["SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"], hook),
      { event: "AfterTool", hook: preEdit, isPreEdit: true },
      { event: "BeforeTool", hook: edit, isPreEdit: !wish.guards },
    ]),
  ])];
}

function planQwen(wish: SetupWish): PlannedEdit[] {
  const path = `${baseOf(wish)}/.qwen/settings.json`;
  const [server] = planServer(wish, ".qwen/settings.json");
  if (wish.agent) return [server];
  const hook = { hooks: [toCommand(wish, "qwen")] };
  // As in Gemini.
  const preEdit = { matcher: "^read_file$", hooks: [toCommand(wish, "pre-edit")] };
  const edit = {
    matcher: `^(?:${wish.guards ? "run_shell_command|read_file|" : ""}edit|replace|write_file)$`,
    hooks: [toCommand(wish, beforeTool(wish))],
  };
  const events = ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"];
  return [inOneFile(path, [
    readableJson(path, wish, { title: "Qwen Code", comments: true }),
    server,
    jsonHooks(path, wish, [
      ...toHooks(events, hook),
      { event: "PostToolUse", hook: preEdit, isPreEdit: true },
      { event: "PreToolUse", hook: edit, isPreEdit: !wish.guards },
    ]),
    allowTools(path, wish),
  ])];
}

/** An agent that has the usual table of servers in a file of the same name at home and in projects. */
function planServer(wish: SetupWish, file: string): PlannedEdit[] {
  const { name, command, args } = serverOf(wish);
  return [jsonEntry(`${baseOf(wish)}/${file}`, ["mcpServers", name], { command, args }, wish)];
}

function planVscode(wish: SetupWish): PlannedEdit[] {
  const { name, command, args } = serverOf(wish);
  const value = { type: "stdio", command, args };
  return [jsonEntry(`${wish.workspace}/.vscode/mcp.json`, ["servers", name], value, wish)];
}

function planOpencode(wish: SetupWish): PlannedEdit[] {
  const base = wish.scope === "user" ? `${wish.home}/.config/opencode` : wish.workspace;
  const plugins = wish.scope === "user" ? `${base}/plugin` : `${base}/.opencode/plugin`;
  const { name, command, args } = serverOf(wish);
  const value = { type: "local", command: [command, ...args], enabled: true };
  const config = [`${base}/opencode.jsonc`].find(wish.exists) ?? `${base}/opencode.json`;
  const server = jsonEntry(config, ["mcp", name], value, wish);
  if (wish.agent) return [server];
  return [
    server,
    {
      path: `${plugins}/ctx.js`,
      edit: (text, say) => {
        if (!wish.remove) {
          return wish.hooks
            ? opencodePlugin([...wish.program, "hook", "opencode"], {
              tools: [
                ...(wish.guards ? ["bash", "read"] : []),
                ...(wish.guards || wish.preEdit ? editTools : []),
              ],
            })
            : text;
        }
        if (text === undefined || isOpencodePlugin(text)) return undefined;
        say(`${plugins}/ctx.js was kept: ctx setup did not write it`);
        return text;
      },
    },
  ];
}

function planCodex(wish: SetupWish): PlannedEdit[] {
  const base = `${baseOf(wish)}/.codex`;
  const hook = { hooks: [toCommand(wish, "codex")] };
  // As in Claude Code; Codex reads files with its shell.
  const preEdit = { matcher: "^(?:Bash|apply_patch)$", hooks: [toCommand(wish, beforeTool(wish))] };
  const hooks = jsonHooks(`${base}/hooks.json`, wish, [
    ...toHooks([
      ...["SessionStart", "UserPromptSubmit", "Stop", "PreCompact"],
      ...["SubagentStart", "SubagentStop"],
    ], hook),
    // Codex gives the end of a session three seconds, and warns of more.
    { event: "SessionEnd", hook: { hooks: [toCommand(wish, "codex", { timeout: 3 })] } },
    { event: "PreToolUse", hook: preEdit, isPreEdit: !wish.guards },
  ]);
  const path = `${base}/config.toml`;
  // A project cannot set `notify`; yours works before the hooks are trusted.
  const notify = wish.hooks && wish.scope === "user" && !wish.agent;
  const server: PlannedEdit = {
    path,
    edit: (text, say) => editCodexSettings(text, { ...wish, notify, path, say }),
    findServer: (text) => findCodexServer(text, path, serverOf(wish).name),
  };
  return wish.agent ? [server] : [server, hooks];
}

/** The caller of a hook that gives hints and checks guards, or only checks them. */
function beforeTool({ preEdit, guards }: SetupWish): string {
  return guards && !preEdit ? "guard" : "pre-edit";
}

function baseOf(wish: SetupWish): string {
  return wish.scope === "user" ? wish.home : wish.workspace;
}

function toHooks(events: string[], hook: object): EventHook[] {
  return events.map((event) => ({ event, hook }));
}

function toCommand(
  wish: SetupWish,
  agent: string,
  { timeout = 10, hasBash }: { timeout?: number; hasBash?: boolean } = {},
): object {
  return { type: "command", command: toLine(wish, agent, { hasBash }), timeout };
}
