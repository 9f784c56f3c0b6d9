// What `ctx start` asks once for all agents that it connects, where `ctx setup` asks for each.

import type { Context } from "../command/command.ts";
import type { ClientState } from "./find_clients.ts";

/** What was said of all of them; nothing where it was not asked. */
export interface Answers {
  allow_reads?: "yes" | "no";
  ask_agent?: "yes" | "no";
}

/** Asks what `setup` asks of each agent. */
export async function askForAll(
  chosen: readonly ClientState[],
  context: Context,
): Promise<Answers> {
  const { confirm } = context;
  if (chosen.length === 0 || confirm === undefined || context.consent === true) return {};
  const { setupClients } = await import("./setup_clients.ts");
  const { readingTools } = await import("./plan_change.ts");
  const clients = chosen.map(({ client }) => setupClients[client]);
  const reads = clients.some(({ asksForTools }) => asksForTools) && await confirm(
    `Let them call ctx's read-only tools (${readingTools.join(", ")}) without asking you ` +
      "each time?",
  );
  const isOpen = clients.some(({ canAuthor }) => canAuthor) &&
    (await context.readConfig()).originOf("distil.ask_agent") === "default";
  if (!isOpen) return { allow_reads: reads ? "yes" : "no" };
  const saves = await confirm(
    "Let ctx ask the agents, at most once per session, to save notes for next time? " +
      "It costs some of their tokens; ctx context worth counts them.",
  );
  return { allow_reads: reads ? "yes" : "no", ask_agent: saves ? "yes" : "no" };
}
