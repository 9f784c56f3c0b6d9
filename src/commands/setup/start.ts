// `ctx start`: the first minutes in one command: a store, what agents recorded, the agents connected,
// the first pack. It looks at everything first, then asks all its questions, then works without
// asking. Each step says how to take it back. Doing it again does what is new. It has no logic of its
// own: the steps are commands of the table.

import { homeOf, realPath } from "../../core/platform_path.ts";
import { CtxError } from "../../core/errors.ts";
import type { FoundHistory } from "../../intake/import/find_history.ts";
import { type Answers, askForAll } from "../../setup/ask_for_all.ts";
import {
  connectClients,
  connectedStep,
  type StartStep as Step,
  startStep,
} from "../../setup/connect_clients.ts";
import { connectedByHand } from "../../setup/connected_by_hand.ts";
import { type ClientState, isFromNpx, keepLine } from "../../setup/find_clients.ts";
import { findOwnExecutable } from "../../setup/other_ctx.ts";
import { findWorkspace, holdsStore } from "../../disk/layout.ts";
import { Store } from "../../store/store.ts";
import { type AnyCommand, type Context, define } from "../../command/command.ts";
import { execute } from "../../command/execute.ts";
import * as s from "../../command/shape.ts";
import { countOf, type View } from "../../command/view.ts";

export const start = define({
  name: "start",
  summary: "Start here: create a store, import history, connect agents.",
  description:
    "Checks what is already set up, asks all its questions first, then runs without asking again. --yes accepts every step and is required in scripts. Next to each step, the output shows the command that undoes it. Running it again does only what is new.",
  input: {
    no_import: s.flag("Skip the import."),
    no_setup: s.flag("Skip connecting agents."),
  },
  output: {
    workspace: s.text(),
    steps: s.listOf(startStep),
    /** What a session is given at its start now. */
    pack: s.optional(s.text()),
    /** Lines that the user can accept or reject. */
    to_review: s.optional(s.number()),
  },
  effect: "write",
  access: "self",
  local: true,
  examples: [{ argv: ["start", "--yes"], about: "Accept every step." }],
  async run(input, context) {
    const agrees = toConsent(context);
    const workspace = findWorkspace(context) ?? realPath(context.cwd);
    const isThere = holdsStore(workspace);
    // What is asked comes first: nobody waits between two questions.
    const store = new Store({ ...context, workspace });
    const history = input.no_import ? undefined : await lookForHistory(context, store);
    const clients = input.no_setup ? undefined : await lookForClients(context, workspace);
    if (!isThere && !await agrees(makeQuestion(workspace))) {
      return { workspace, steps: [storeStep(workspace, "declined")] };
    }
    const imports = history && await askImport(history, agrees);
    const connects = clients && await askConnect(clients, agrees);
    const may = await askForAll(connects?.chosen ?? [], { ...context, workspace });
    const inside: Context = { ...context, workspace, confirm: undefined };
    if (!isThere) await callCommand(inside, "init", {});
    const steps = [
      storeStep(workspace, isThere ? "already" : "done"),
      ...isFromNpx(findOwnExecutable(context.env)) ? [keepStep] : [],
    ];
    if (imports !== undefined) {
      steps.push(imports.step ?? await takeHistory(inside, imports.fresh, !isThere));
    }
    if (connects !== undefined) {
      const made = [...connects.steps, ...await connect(inside, connects.chosen, may)];
      // In the order in which the agents were found, whatever became of each.
      const places = clients?.map(({ title }) => `connect ${title}`) ?? [];
      steps.push(...made.sort((a, b) => places.indexOf(a.step) - places.indexOf(b.step)));
      steps.push(...byHand(history?.map(({ source }) => source) ?? []));
    }
    const pack = await callCommand(inside, "pack", {});
    const { total } = await callCommand(inside, "review list", { limit: 1 });
    return { workspace, steps, pack: String(pack.text ?? ""), to_review: Number(total) };
  },
  render(data, view) {
    const rows = data.steps.map((one) => [
      `${markOf(one, view)} ${one.step}`,
      one.did ?? one.found,
      one.undo === undefined ? "" : view.dim(`undo: ${one.undo}`),
    ]);
    const pack = data.pack === undefined ? "" : renderPack(data.pack, view);
    const { to_review: count = 0 } = data;
    const review = count === 0 ? "" : `\n${countOf(count, "candidate")} to review: ctx review\n`;
    return `${toStepLines(rows, view)}\n${pack}${review}`;
  },
  note: ({ steps }) =>
    steps.some(({ step, state }) => step.startsWith("connect") && state === "done")
      ? "restart the agents that were connected; `ctx status` shows whether ctx has heard from them"
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
  throw new CtxError(
    "UNCONFIRMED",
    "Cannot start: there is no terminal to ask on; nothing was done",
    {
      hint: "ctx start --yes",
    },
  );
}

function makeQuestion(workspace: string): string {
  return `Create a memory store for ${workspace}? It is kept in .contextfs/, outside git.`;
}

function storeStep(workspace: string, state: "done" | "already" | "declined"): Step {
  const found = `${workspace}/.contextfs`;
  if (state === "done") {
    return { step: "store", found, state, did: `created ${found}`, undo: "rm -r .contextfs" };
  }
  const did = state === "already" ? `${found} already exists` : "no store was created";
  return { step: "store", found, state, did };
}

/** npx leaves ctx in its cache, where no PATH leads. */
const keepStep: Step = {
  step: "install",
  found: "npx's cache",
  state: "nothing",
  did: `ctx runs from npx's cache; to keep it and have it on your PATH: ${keepLine}`,
};

async function lookForHistory(context: Context, store: Store): Promise<FoundHistory[]> {
  context.progress("looking for agent history");
  const { findHistory } = await import("../../intake/import/find_history.ts");
  const history = await findHistory(context, store);
  context.progress("");
  return history;
}

/** What is to be imported, or the step where nothing is. */
async function askImport(
  history: readonly FoundHistory[],
  agrees: Consent,
): Promise<{ fresh: FoundHistory[]; step?: Step }> {
  const known = history.reduce((sum, one) => sum + one.known, 0);
  const fresh = history.filter(({ sessions }) => sessions > 0);
  const found = describeHistory(fresh);
  if (fresh.length === 0) {
    const did = known > 0
      ? `${countOf(known, "session")} of this project, all imported`
      : "no agent sessions of this project found";
    const state = known > 0 ? "already" : "nothing";
    return { fresh, step: { step: "import", found: did, state, did } };
  }
  if (await agrees(`Found ${found} of this project. Import them?`)) return { fresh };
  const did = `not imported (ctx import): ${found}`;
  return { fresh, step: { step: "import", found, state: "declined", did } };
}

function describeHistory(fresh: readonly FoundHistory[]): string {
  return fresh.map((one) => countOf(one.sessions, `${one.source} session`)).join(", ");
}

/** Imports what agents recorded of this project. */
async function takeHistory(
  context: Context,
  fresh: readonly FoundHistory[],
  isNew: boolean,
): Promise<Step> {
  const sources = fresh.map(({ source }) => source);
  // The pack that is shown at the end is made of the records.
  const given = { sources, wait: true };
  const { entries, sessions, records } = await callCommand(context, "import", given);
  const empty = fresh.reduce((sum, one) => sum + one.sessions, 0) - Number(sessions);
  return {
    step: "import",
    found: describeHistory(fresh),
    state: Number(entries) > 0 ? "done" : "nothing",
    did: [
      `${countOf(Number(entries), "entry", "entries")} of ${countOf(Number(sessions), "session")}`,
      // Agents leave files in which nothing was said, and copies of what another file has.
      ...(empty > 0 ? [`${countOf(empty, "session")} had nothing new`] : []),
      `${countOf(Number(records), "record")} derived`,
    ].join(", "),
    undo: isNew ? "rm -r .contextfs" : "ctx forget --session ID",
  };
}

/** The agents on this machine; undefined where there is no home to look in. */
async function lookForClients(
  context: Context,
  workspace: string,
): Promise<ClientState[] | undefined> {
  const home = homeOf(context.env);
  if (!home) return undefined;
  const { findClients } = await import("../../setup/find_clients.ts");
  const clients = await findClients({ home, workspace, path: context.env("PATH") });
  return clients.filter(({ found, connected }) => found !== undefined || connected);
}

/** Which agents are to be connected, and the steps of those that are not. */
async function askConnect(
  here: readonly ClientState[],
  agrees: Consent,
): Promise<{ chosen: ClientState[]; steps: Step[] }> {
  const steps: Step[] = [];
  const chosen: ClientState[] = [];
  if (here.length === 0) {
    const did = "no agent was found on this machine (ctx setup lists the supported ones)";
    steps.push({ step: "connect", found: did, state: "nothing", did });
  }
  for (const one of here) {
    const { client, title, found = "", connected, missing } = one;
    if (connected && missing.length === 0) steps.push(connectedStep(one));
    else if (!await agrees(`Found ${title} (${found}). Connect it?`)) {
      const did = `not connected (ctx setup ${client})`;
      steps.push({ step: `connect ${title}`, found, state: "declined", did });
    } else chosen.push(one);
  }
  return { chosen, steps };
}

async function connect(
  context: Context,
  chosen: readonly ClientState[],
  may: Answers,
): Promise<Step[]> {
  const { ask_agent } = may;
  if (ask_agent !== undefined) {
    // An answer is remembered, also a no.
    const setting = { key: "distil.ask_agent", value: String(ask_agent === "yes"), user: true };
    await callCommand(context, "config set", setting);
  }
  return await connectClients(chosen, may, {
    setup: (how) => callCommand(context, "setup", how),
    home: homeOf(context.env) ?? "",
  });
}

/** Those that have worked here, and what is left to their owner. */
function byHand(agents: readonly string[]): Step[] {
  const titles = agents.flatMap((agent) => connectedByHand[agent] ?? []);
  if (titles.length === 0) return [];
  const found = titles.join(", ");
  const did = `${found}: add the command "ctx mcp" as an MCP server in their settings`;
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
    return "A new session starts empty for now; ctx save and your agents' work will fill it.\n";
  }
  const shown = lines.slice(0, 5).map((line) => `  ${view.cut(line, view.width - 2)}`).join("\n");
  const more = lines.length > 5
    ? `\n  ${view.dim(`… ${lines.length - 5} more: ctx context now`)}`
    : "";
  return `\nA new session will start with:\n${shown}${more}\n`;
}
