// `ctx setup`: connects an agent to this memory by editing its settings, and takes it out again. It
// ends with what an agent's first start would show: whether the server that was entered answers.

import { fromFileUrl, homeOf } from "../../core/platform_path.ts";
import { CtxError } from "../../core/errors.ts";
import { findWorkspace } from "../../disk/layout.ts";
import {
  checkQuery,
  checkServer,
  type ServerCheck,
  serverCheck,
} from "../../setup/check_server.ts";
import type { PlannedEdit, SetupWish } from "../../setup/client_edits.ts";
import { type SetupTodo, setupTodo } from "../../setup/codex_trust.ts";
import {
  type ClientState,
  clientState,
  findClients,
  findServerWords,
} from "../../setup/find_clients.ts";
import { layoutOf } from "../../disk/layout.ts";
import { findOwnExecutable } from "../../setup/other_ctx.ts";
import {
  applyChange,
  findBackup,
  findText,
  isThere,
  planChange,
  readingTools,
  savingTool,
} from "../../setup/plan_change.ts";
import { findPlugin } from "../../setup/plugin_presence.ts";
import {
  planSetup,
  type SetupClient,
  setupClientNames,
  setupClients,
} from "../../setup/setup_clients.ts";
import { type Context, define } from "../../command/command.ts";
import { execute } from "../../command/execute.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";
import type { View } from "../../command/view.ts";
import { versionInfo } from "../../version.ts";

const change = s.object({
  ...s.each(s.text(), "path", "diff"),
  action: s.oneOf(["create", "edit", "remove", "none"]),
  backup: s.optional(s.text()),
  remarks: s.optional(s.listOf(s.text())),
});

const output = {
  client: s.text(),
  ...s.each(s.boolean(), "dry_run", "removed", "changed"),
  changes: s.listOf(change),
  check: s.optional(serverCheck),
  todo: s.optional(setupTodo),
  /** Without an agent: all that ctx knows. */
  clients: s.optional(s.listOf(clientState)),
};

export const setup = define({
  name: "setup",
  summary: "Connect an agent: add ctx's MCP server and hooks.",
  description:
    "Edits the agent's own settings, keeping comments and other entries; each edited file is backed up next to it as .ctx-backup. Every client except VS Code and Kiro also gets ctx-retrieval, a sub-agent that looks things up in past sessions; setup asks before overwriting one you changed. It then starts the server once as the agent would, and shows the answer. --dry-run only shows the changes. Running it again changes nothing. --remove undoes everything; with --agent, only that server. Without an agent, it changes nothing and lists the agents on this machine, how each is connected and what is missing.",
  input: {
    client: s.optional(
      s.oneOf(setupClientNames, "The agent (default: list agents and their status)."),
    ),
    scope: s.choice("Change your own settings or the project's.", ["user", "project"], "user"),
    allow_reads: s.choice(
      "Let the agent call ctx's read-only tools without asking.",
      ["ask", "yes", "no"],
      "ask",
    ),
    ask_agent: s.choice(
      "Let ctx ask the agent once per session to save notes (distil.ask_agent).",
      ["ask", "yes", "no"],
      "ask",
    ),
    agent: s.flag(
      "Add only the one-tool server (ctx mcp agent) as ctx-agent; leave the rest as it is.",
    ),
    no_hooks: s.flag("Add only the MCP server, no hooks."),
    no_pre_edit: s.flag("Capture turns, but give no hints before edits."),
    guard: s.flag("Also check the agent's commands and edits against your guards (ctx guard)."),
    no_retrieval: s.flag(
      "Do not add the ctx-retrieval sub-agent.",
    ),
    agents_md: s.flag(
      "Also add a section to AGENTS.md, for agents without hooks.",
    ),
    no_graph: s.flag("No effect; accepted for old scripts."),
    no_check: s.flag("Do not start the server to test it."),
    remove: s.flag("Remove ctx from the agent's settings."),
    dry_run: s.flag("Show the changes; write nothing."),
  },
  output,
  positional: ["client"],
  effect: "write",
  access: "self",
  local: true,
  destroys: ({ remove }) => remove,
  question({ client, remove }, planned) {
    if (!remove || planned?.changed !== true) return undefined;
    const files = planned.changes.filter(({ action }) => action !== "none").length;
    return `Remove ctx from ${client}, in ${countOf(files, "file")}?`;
  },
  examples: [
    { argv: ["setup"], about: "List the agents on this machine." },
    { argv: ["setup", "claude-code", "--dry-run"], about: "Show what would change." },
  ],
  async run(input, context) {
    const home = homeOf(context.env);
    if (!home) throw new CtxError("DENIED", "Cannot find your settings: your home is not set");
    const { client: name } = input;
    if (name === undefined) return await listClients(input, { home, context });
    const client = setupClients[name];
    const workspace = context.workspace ?? context.cwd;
    const plugin = input.remove || input.scope === "project"
      ? undefined
      : findPlugin(name, { home, workspace });
    if (plugin !== undefined) {
      const remark =
        `${client.title} already has ctx as a plugin; to use ctx setup instead, remove the plugin first: ${plugin}`;
      const none = { path: "", diff: "", action: "none" as const, remarks: [remark] };
      return { client: name, ...unchanged, dry_run: input.dry_run, changes: [none] };
    }
    const toPlan = (one: SetupWish): PlannedEdit[] => planSetup(name, one);
    const wish: SetupWish = {
      home,
      workspace,
      scope: input.scope,
      program: input.scope === "project" ? ["ctx"] : programWords(context),
      remove: input.remove,
      agent: input.agent,
      hooks: !input.no_hooks,
      preEdit: !input.no_pre_edit,
      guards: input.guard || isThere(layoutOf(workspace).guards),
      allowed: [],
      agentsMd: input.agents_md,
      noRetrieval: input.no_retrieval,
      exists: isThere,
    };
    const isQuiet = input.dry_run || input.remove;
    if (!input.remove && !input.agent) {
      const reads = await mayRead(input, { wish, toPlan, context, client });
      const saves = await isAuthor(input, { client, context });
      wish.allowed = [...(reads ? readingTools : []), ...(saves ? [savingTool] : [])];
      if (!input.dry_run) wish.overwrites = await mayOverwrite(toPlan(wish), context);
    }
    const plan = toPlan(wish);
    const edits = await Promise.all(plan.map((item) => planChange(item, wish, toPlan)));
    if (!input.dry_run) edits.forEach(applyChange);
    return {
      client: name,
      dry_run: input.dry_run,
      removed: input.remove,
      changed: edits.some(({ action }) => action !== "none"),
      changes: edits.map(({ path, action, diff, remarks }) => {
        const backup = input.dry_run || action === "none" ? undefined : findBackup(path);
        return {
          path,
          action,
          diff,
          ...(backup === undefined ? {} : { backup }),
          ...(remarks.length > 0 ? { remarks } : {}),
        };
      }),
      check: isQuiet || input.no_check
        ? undefined
        : await checkEntry(plan, client, { ...context, searches: !input.agent }),
      todo: isQuiet || input.agent ? undefined : await client.findTodo?.(wish),
    };
  },
  render(data, view) {
    if (data.clients !== undefined) return renderClients(data.clients, view);
    const { title, remark } = setupClients[data.client as keyof typeof setupClients];
    const remarks = data.changes.flatMap((item) => item.remarks ?? []);
    if (remark !== undefined && data.changed && !data.removed) remarks.push(remark);
    const verbs = { create: "Created", edit: "Edited", remove: "Removed", none: "" };
    const parts = data.changes.filter(({ action }) => action !== "none").map((item) => {
      const verb = data.dry_run ? `Would ${item.action}` : verbs[item.action];
      const backup = item.backup ? view.dim(` (before: ${item.backup})`) : "";
      return `${view.bold(`${verb} ${item.path}`)}${backup}\n${item.diff}`;
    });
    if (!data.changed) parts.push(`${data.client}: nothing to change\n`);
    else if (data.dry_run) parts.push("Nothing was written.\n");
    if (remarks.length > 0) parts.push(remarks.map((line) => `${line}\n`).join(""));
    if (data.check !== undefined) parts.push(renderCheck(data.check, title));
    if (data.todo !== undefined) parts.push(renderTodo(data.todo, view));
    return parts.join("\n");
  },
  note(data) {
    if (!data.changed || data.dry_run) return undefined;
    const { title } = setupClients[data.client as keyof typeof setupClients];
    return `restart ${title} to ${data.removed ? "finish removing ctx" : "use ctx"}`;
  },
  failure: ({ check }) => check?.ok === false ? "CHECK_FAILED" : undefined,
});

function renderTodo({ problem, next }: SetupTodo, view: View): string {
  return `${view.bold("Your turn")}: ${problem}. Next: ${next}\n`;
}

/** Every agent and its state, as a result that changed nothing. */
async function listClients(
  input: { remove: boolean },
  { home, context }: { home: string; context: Context },
): Promise<s.ObjectOf<typeof output>> {
  if (input.remove) {
    throw new CtxError("USAGE", "Cannot remove ctx: no agent was given", {
      hint: "ctx setup lists agents; then run: ctx setup AGENT --remove",
    });
  }
  const workspace = context.workspace ?? findWorkspace(context) ?? context.cwd;
  const clients = await findClients({ home, workspace, path: context.env("PATH") });
  return { client: "", ...unchanged, clients };
}

const unchanged = { dry_run: false, removed: false, changed: false, changes: [] };

/** The agents in a table: those on this machine first, each with what to do next. */
function renderClients(clients: readonly ClientState[], view: View): string {
  const here = clients.filter(({ found, connected }) => found !== undefined || connected);
  const rows = here.map((one) => [
    `${
      one.connected && one.missing.length === 0 && one.todo === undefined
        ? view.good("✓")
        : view.warning("·")
    } ${one.title}`,
    one.connected ? one.hooks ? "connected" : "MCP only" : "not connected",
    [...one.missing, ...(one.todo ? [`${one.todo.problem}: ${one.todo.next}`] : [])].join("; ") ||
    (one.connected ? view.dim(one.starts ?? "") : `ctx setup ${one.client}`),
  ]);
  const others = clients.filter((one) => !here.includes(one)).map(({ client }) => client);
  return [
    here.length === 0 ? "No agent found on this machine." : view.table(rows),
    ...(others.length === 0 ? [] : [view.dim(`not found here: ${others.join(", ")}`)]),
  ].join("\n") + "\n";
}

/** Whether reading needs no approval any more: as it is said, or as it is answered. */
async function mayRead(
  { allow_reads: said, dry_run }: { allow_reads: "ask" | "yes" | "no"; dry_run: boolean },
  { wish, toPlan, context, client }: {
    wish: SetupWish;
    toPlan: (wish: SetupWish) => PlannedEdit[];
    context: Context;
    client: SetupClient;
  },
): Promise<boolean> {
  if (!client.asksForTools || said !== "ask") return said === "yes";
  if (context.confirm === undefined) return false;
  const toTexts = (allowed: readonly string[]): Promise<(string | undefined)[]> =>
    Promise.all(
      toPlan({ ...wish, allowed }).map(({ path, edit }) => edit(findText(path), () => {})),
    );
  const [now, then] = [await toTexts([]), await toTexts(readingTools)];
  if (now.every((text, i) => text === then[i])) return true;
  if (dry_run) return false;
  return await context.confirm(
    `Let ${client.title} call ctx's read-only tools (${readingTools.join(", ")}) without ` +
      "asking you each time?",
  );
}

/** Whether a file of ours that the user changed is written anew: only if they say so. */
async function mayOverwrite(
  plan: readonly PlannedEdit[],
  { confirm }: Context,
): Promise<boolean> {
  const texts = plan.map(({ path, asks }) => {
    const text = asks && findText(path);
    return text === undefined ? undefined : asks?.(text);
  });
  const question = texts.find((text) => text !== undefined);
  return question !== undefined && (await confirm?.(question) ?? false);
}

/** Whether the agent is asked to save: as it is set, said, or answered; an answer is remembered. */
async function isAuthor(
  input: { ask_agent: "ask" | "yes" | "no"; dry_run: boolean; no_hooks: boolean },
  { client, context }: { client: SetupClient; context: Context },
): Promise<boolean> {
  if (!client.canAuthor || input.no_hooks) return false;
  const config = await context.readConfig();
  const known = config.get("distil.ask_agent");
  let wanted = input.ask_agent === "ask" ? known : input.ask_agent === "yes";
  const isOpen = input.ask_agent === "ask" && config.originOf("distil.ask_agent") === "default";
  if (isOpen && (context.confirm === undefined || input.dry_run)) return known;
  if (isOpen) {
    wanted = await context.confirm?.(
      `Let ctx ask ${client.title}, at most once per session, to save notes for next ` +
        "time? It costs some of its tokens (ctx context worth counts them).",
    ) ?? false;
  }
  if ((isOpen || wanted !== known) && !input.dry_run) {
    const command = await context.findCommand("config set");
    const setting = { key: "distil.ask_agent", value: String(wanted), user: true };
    if (command !== undefined) await execute(command, setting, context);
  }
  return wanted;
}

/** Starts the server as the settings now say, with what the agent gives it. */
async function checkEntry(
  plan: PlannedEdit[],
  client: SetupClient,
  context: Context & { searches: boolean },
): Promise<ServerCheck | undefined> {
  const words = await findServerWords(plan);
  // A binary of `deno compile` has its permissions baked in, and may start nothing.
  if (words.length === 0 || versionInfo().form === "compiled") return undefined;
  const passed = [
    ...(client.stripsEnvironment ? ["HOME", "PATH"] : passedVariables),
    ...systemVariables,
  ];
  const env = Object.fromEntries(passed.flatMap((name) => {
    const value = context.env(name);
    return value === undefined ? [] : [[name, value]];
  }));
  const cwd = context.workspace ?? context.cwd;
  context.progress(`starting ${words.join(" ")}`);
  return await checkServer({
    words,
    cwd,
    env,
    signal: context.signal,
    searches: context.searches,
  });
}

/** Programs on Windows may need these. We assume that every agent passes them. */
const systemVariables = ["USERPROFILE", "APPDATA", "LOCALAPPDATA", "SystemRoot", "PATHEXT", "TEMP"];

const passedVariables = [
  "HOME",
  "PATH",
  "TMPDIR",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
];

function renderCheck(done: ServerCheck, title: string): string {
  if (!done.ok) {
    return `Not working yet: ${done.started}: ${done.problem}\nhint: ${done.hint}\n`;
  }
  const search = done.answer === undefined
    ? ""
    : `; search "${checkQuery}": ${done.answer || "no answer"}`;
  return `Checked as ${title} will start it: ${done.started}\n` +
    `  ${done.server} answered in ${toSeconds(done.ms)} with ` +
    `${countOf(done.tools ?? 0, "tool")}${search}\n`;
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** The words that start this program, for other programs: absolute, because they may have no PATH. */
function programWords({ env }: Context): string[] {
  const own = findOwnExecutable(env) ?? env("CTX_EXECUTABLE");
  if (own !== undefined) return [own];
  const main = fromFileUrl(Deno.mainModule);
  return [Deno.execPath(), "run", "-A", "--quiet", main];
}
