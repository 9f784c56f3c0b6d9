// `ctx start`: the first minutes in one command: a store, what agents recorded, the agents connected,
// the first pack. Each step says what it found, asks, and says how to take it back. Doing it again
// does what is new. It has no logic of its own: the steps are commands of the table.

import { CtxError } from "../../core/errors.ts";
import type { ClientState } from "../../setup/find_clients.ts";
import { findWorkspace } from "../../store/files/layout.ts";
import { type AnyCommand, type Context, define } from "../../table/command.ts";
import { execute } from "../../table/execute.ts";
import * as s from "../../table/shape.ts";
import { countOf, type View } from "../../table/view.ts";

const states = ["done", "already", "declined", "nothing", "failed"] as const;
const step = s.object({
  ...s.each(s.text(), "step", "found"),
  state: s.oneOf(states),
  /** What was done, and how it is taken back. */
  ...s.each(s.optional(s.text()), "did", "undo"),
});
type Step = s.ValueOf<typeof step>;

/** Starts the memory of a workspace. */
export const start = define({
  name: "start",
  group: "Setup",
  summary: "Begin here: make the store, import what agents recorded, connect them, show the pack.",
  description:
    "Says what it found and asks before each step; --yes takes them all, and is needed where nobody can be asked. Each step is undone by the command beside it. Running it again does only what is new.",
  input: {
    no_import: s.flag("Import nothing."),
    no_setup: s.flag("Connect no agent."),
  },
  output: {
    workspace: s.text(),
    steps: s.listOf(step),
    /** What a session is given at its start now. */
    pack: s.optional(s.text()),
  },
  effect: "write",
  local: true,
  examples: [{ argv: ["start", "--yes"], about: "All of it, unasked." }],
  async run(input, context) {
    const agrees = toConsent(context);
    const steps: Step[] = [];
    const isThere = findWorkspace(context) !== undefined;
    const workspace = findWorkspace(context) ?? context.workspace ?? Deno.realPathSync(context.cwd);
    steps.push(await makeStore(context, { agrees, isThere, workspace }));
    if (steps[0].state === "declined") return { workspace, steps };
    const inside: Context = { ...context, workspace };
    const agents: string[] = [];
    if (!input.no_import) {
      steps.push(await takeHistory(inside, { agrees, isNew: !isThere, agents }));
    }
    if (!input.no_setup) {
      steps.push(...await connect(inside, { agrees, workspace }), ...byHand(agents));
    }
    const pack = await callCommand(inside, "pack", {});
    return { workspace, steps, pack: String(pack.text ?? "") };
  },
  render(data, view) {
    const rows = data.steps.map((one) => [
      `${markOf(one, view)} ${one.step}`,
      one.did ?? one.found,
      one.undo === undefined ? "" : view.dim(`undo: ${one.undo}`),
    ]);
    const pack = data.pack === undefined ? "" : renderPack(data.pack, view);
    return `${toStepLines(rows, view)}\n${pack}`;
  },
  note: ({ steps }) =>
    steps.some(({ step, state }) => step.startsWith("connect") && state === "done")
      ? "restart the agents that were connected; ctx status shows whether they are heard"
      : undefined,
  failure: ({ steps }) => steps.some(({ state }) => state === "failed") ? "INCOMPLETE" : undefined,
});

type Consent = (question: string) => boolean | Promise<boolean>;

/**
 * Whoever is at the terminal is asked, and agrees with an empty answer, because nothing is destroyed;
 * `--yes` agrees to all; otherwise nothing is begun.
 */
function toConsent(context: Context): Consent {
  if (context.consent === true) return () => true;
  if (context.confirm !== undefined) {
    return (question) => context.confirm?.(question, true) ?? false;
  }
  throw new CtxError("UNCONFIRMED", "Cannot start: nobody can be asked here; nothing was done", {
    hint: "ctx start --yes",
  });
}

async function makeStore(
  context: Context,
  { agrees, isThere, workspace }: { agrees: Consent; isThere: boolean; workspace: string },
): Promise<Step> {
  const base = { step: "store", found: `${workspace}/.contextfs` };
  if (isThere) return { ...base, state: "already", did: `${base.found} was there already` };
  if (!await agrees(`Make a memory for ${workspace}? It is kept in .contextfs/, out of git.`)) {
    return { ...base, state: "declined", did: "no store was made" };
  }
  await callCommand(context, "init", {});
  return { ...base, state: "done", did: `made ${base.found}`, undo: "rm -r .contextfs" };
}

/** Imports what agents recorded of this project, and notes which they are. */
async function takeHistory(
  context: Context,
  { agrees, isNew, agents }: { agrees: Consent; isNew: boolean; agents: string[] },
): Promise<Step> {
  context.progress("looking for what agents recorded here");
  const { findHistory } = await import("../../import/find_history.ts");
  const history = await findHistory(context);
  context.progress("");
  agents.push(...history.map(({ source }) => source));
  const known = history.reduce((sum, one) => sum + one.known, 0);
  const fresh = history.filter(({ sessions }) => sessions > 0);
  const found = fresh.map((one) => countOf(one.sessions, `${one.source} session`)).join(", ");
  if (fresh.length === 0) {
    const did = known > 0
      ? `${countOf(known, "session")} of this project, all imported`
      : "no agent recorded a session of this project";
    return { step: "import", found: did, state: known > 0 ? "already" : "nothing", did };
  }
  if (!await agrees(`Found ${found} of this project. Import them?`)) {
    return { step: "import", found, state: "declined", did: `not imported (ctx import): ${found}` };
  }
  const sources = fresh.map(({ source }) => source);
  const { entries, sessions, records } = await callCommand(context, "import", { sources });
  const empty = fresh.reduce((sum, one) => sum + one.sessions, 0) - Number(sessions);
  return {
    step: "import",
    found,
    state: Number(entries) > 0 ? "done" : "nothing",
    did: [
      `${countOf(Number(entries), "entry", "entries")} of ${countOf(Number(sessions), "session")}`,
      // Agents leave files in which nothing was said, and copies of what another file has.
      ...(empty > 0 ? [`${countOf(empty, "session")} held nothing new to keep`] : []),
      `${countOf(Number(records), "record")} derived`,
    ].join(", "),
    undo: isNew ? "rm -r .contextfs" : "ctx forget --session ID",
  };
}

/** Connects the agents on this machine that are not connected yet. */
async function connect(
  context: Context,
  { agrees, workspace }: { agrees: Consent; workspace: string },
): Promise<Step[]> {
  const home = context.env("HOME") || context.env("USERPROFILE");
  if (!home) return [];
  const { findClients } = await import("../../setup/find_clients.ts");
  const clients = await findClients({ home, workspace, path: context.env("PATH") });
  const here = clients.filter(({ found, connected }) => found !== undefined || connected);
  if (here.length === 0) {
    const did = "no agent was found on this machine (ctx setup lists those that ctx knows)";
    return [{ step: "connect", found: did, state: "nothing", did }];
  }
  const steps: Step[] = [];
  const chosen: ClientState[] = [];
  for (const one of here) {
    const { client, title, found = "", connected, missing } = one;
    const base = { step: `connect ${title}`, found };
    if (connected && missing.length === 0) {
      steps.push({ ...base, state: "already", did: "is connected", undo: undoOf(client) });
    } else if (!await agrees(`Found ${title} (${found}). Connect it?`)) {
      steps.push({ ...base, state: "declined", did: `not connected (ctx setup ${client})` });
    } else chosen.push(one);
  }
  const may = await askForAll(chosen, context);
  for (const [i, { client, title, found = "" }] of chosen.entries()) {
    // One server and one graph serve all agents: the first of them shows that they work.
    const how = { client, ...may, no_check: i > 0, no_graph: i > 0 };
    const { changes, check } = await callCommand(context, "setup", how);
    const paths = Array.isArray(changes) ? changes.map(({ path }) => String(path)) : [];
    const works = typeof check !== "object" || check === null || Reflect.get(check, "ok") === true;
    const edited = [...new Set(paths)].map((path) => path.replace(home, "~")).join(", ");
    steps.push({
      step: `connect ${title}`,
      found,
      state: works ? "done" : "failed",
      did: works ? `edited ${edited}` : `its server does not answer: ctx setup ${client}`,
      undo: undoOf(client),
    });
  }
  return steps;
}

function undoOf(client: string): string {
  return `ctx setup ${client} --remove`;
}

/** What `setup` asks of each agent, asked once for all that are connected. */
async function askForAll(
  chosen: readonly ClientState[],
  context: Context,
): Promise<{ allow_reads?: "yes" | "no"; ask_agent?: "yes" | "no" }> {
  const { confirm } = context;
  if (chosen.length === 0 || confirm === undefined || context.consent === true) return {};
  const { setupClients } = await import("../../setup/setup_clients.ts");
  const { readingTools } = await import("../../setup/plan_change.ts");
  const clients = chosen.map(({ client }) => setupClients[client]);
  const reads = clients.some(({ asksForTools }) => asksForTools) && await confirm(
    `May they call ctx's tools that only read (${readingTools.join(", ")}) without asking you ` +
      "each time?",
  );
  const isOpen = clients.some(({ canAuthor }) => canAuthor) &&
    (await context.readConfig()).originOf("distil.ask_agent") === "default";
  if (!isOpen) return { allow_reads: reads ? "yes" : "no" };
  const saves = await confirm(
    "May ctx ask them, once per session with real work, to save what a later session needs? It " +
      "costs some of their tokens (ctx worth counts them).",
  );
  // An answer is remembered, also a no.
  const setting = { key: "distil.ask_agent", value: String(saves), user: true };
  await callCommand(context, "config set", setting);
  return { allow_reads: reads ? "yes" : "no", ask_agent: saves ? "yes" : "no" };
}

/** Agents that can start the server and whose settings ctx does not edit, by their sources. */
const connectedByHand: Record<string, string> = {
  antigravity: "Antigravity",
  cline: "Cline",
  continue: "Continue",
  crush: "Crush",
  droid: "Factory Droid",
  goose: "Goose",
  kilo: "Kilo",
  kimi: "Kimi Code",
  openhands: "OpenHands",
  zed: "Zed",
};

/** Those that have worked here, and what is left to their owner. */
function byHand(agents: readonly string[]): Step[] {
  const titles = agents.flatMap((agent) => connectedByHand[agent] ?? []);
  if (titles.length === 0) return [];
  const found = titles.join(", ");
  const did = `${found}: enter the command "ctx mcp" as an MCP server in their settings`;
  return [{ step: "connect by hand", found, state: "nothing", did }];
}

/** Runs a command of the table and gives its result as plain data. */
async function callCommand(
  context: Context,
  name: string,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const command: AnyCommand | undefined = await context.findCommand(name);
  if (command === undefined) throw new CtxError("INTERNAL", `There is no command "${name}"`);
  return { ...await execute(command, input, context) };
}

/** The steps in columns; where those do not fit, what was done, and below it how to take it back. */
function toStepLines(rows: string[][], view: View): string {
  const widths = [0, 1, 2].map((i) => Math.max(...rows.map((row) => view.widthOf(row[i]))));
  if (!view.terminal || widths[0] + widths[1] + widths[2] + 4 <= view.width) {
    return view.table(rows);
  }
  const indent = " ".repeat(widths[0] + 2);
  return rows.map(([name, did, undo]) => {
    const first = name + " ".repeat(indent.length - view.widthOf(name));
    const lines = view.wrap(did, { first, indent });
    return undo === "" ? lines : `${lines}\n${indent}${undo}`;
  }).join("\n");
}

function markOf({ state }: Step, view: View): string {
  if (state === "done" || state === "already") return view.good("✓");
  return state === "failed" ? view.error("✗") : view.dim("·");
}

/** What a new session is told now: the first lines, and how long it is. */
function renderPack(text: string, view: View): string {
  const lines = text.split("\n").filter((line) => line.startsWith("- ") || /^\[/.test(line));
  if (lines.length === 0) {
    return "A new session is told nothing yet: ctx save and your agents' work fill it.\n";
  }
  const shown = lines.slice(0, 5).map((line) => `  ${view.cut(line, view.width - 2)}`).join("\n");
  const more = lines.length > 5 ? `\n  ${view.dim(`… ${lines.length - 5} more: ctx pack`)}` : "";
  return `\nA new session is told, without being asked:\n${shown}${more}\n`;
}
