// Connects the agents that `ctx start` was told to, one after the other, by `ctx setup`. Settings that
// cannot be edited are one agent's: the others are connected all the same, and each step says how it
// went and what is left to the agent's user.

import * as s from "../command/shape.ts";
import { CtxError } from "../core/errors.ts";
import { toTildePath } from "../core/home_directories.ts";
import type { Answers } from "./ask_for_all.ts";
import type { ClientState } from "./find_clients.ts";

/** How a step of `ctx start` went: what was found and done, and how it is taken back. */
export const startStep = s.object({
  ...s.each(s.text(), "step", "found"),
  state: s.oneOf(["done", "already", "declined", "nothing", "failed"]),
  ...s.each(s.optional(s.text()), "did", "undo"),
});
/** One of them. */
export type StartStep = s.ValueOf<typeof startStep>;

export function connectedStep({ client, title, found = "", todo }: ClientState): StartStep {
  const did = `is connected${toRest(todo)}`;
  return { step: `connect ${title}`, found, state: "already", did, undo: undoOf(client) };
}

/** Connects agents with what was answered for all of them. */
export async function connectClients(
  chosen: readonly ClientState[],
  may: Answers,
  { setup, home }: {
    /** Calls `ctx setup`. */
    setup: (how: Record<string, unknown>) => Promise<Record<string, unknown>>;
    home: string;
  },
): Promise<StartStep[]> {
  const steps: StartStep[] = [];
  for (const { client, title, found = "" } of chosen) {
    // One server serves all agents: the first that is set up shows that it works.
    const isChecked = steps.some(({ undo }) => undo !== undefined);
    const how = { client, ...may, no_check: isChecked };
    const base = { step: `connect ${title}`, found };
    try {
      const outcome = toOutcome(await setup(how), { client, home });
      steps.push({ ...base, ...outcome, undo: undoOf(client) });
    } catch (error) {
      if (!(error instanceof CtxError) || error.code === "INTERRUPTED") throw error;
      const did = `${error.message}: ${error.hint ?? "ctx doctor"}`;
      steps.push({ ...base, state: "failed", did });
    }
  }
  return steps;
}

function toOutcome(
  { changes, check, todo }: Record<string, unknown>,
  { client, home }: { client: string; home: string },
): Pick<StartStep, "state" | "did"> {
  const paths = Array.isArray(changes) ? changes.map(({ path }) => String(path)) : [];
  const works = typeof check !== "object" || check === null || Reflect.get(check, "ok") === true;
  const edited = [...new Set(paths)].map((path) => toTildePath(path, home)).join(", ");
  const did = works ? `edited ${edited}` : `its server does not respond: ctx setup ${client}`;
  return { state: works ? "done" : "failed", did: did + toRest(todo) };
}

/** What is left to the agent's user. */
function toRest(todo: unknown): string {
  if (typeof todo !== "object" || todo === null) return "";
  return `. ${Reflect.get(todo, "problem")}: ${Reflect.get(todo, "next")}`;
}

function undoOf(client: string): string {
  return `ctx setup ${client} --remove`;
}
