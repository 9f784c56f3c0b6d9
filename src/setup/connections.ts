// Which agents' settings hold ctx: found by what `ctx setup --remove` would take out. Reads only.

import { CtxError } from "../core/errors.ts";
import type { SetupWish } from "./client_edits.ts";
import { findText, isThere } from "./plan_change.ts";
import { findPlugin } from "./plugin_presence.ts";
import { type SetupClientName, setupClientNames, setupClients } from "./setup_clients.ts";

export interface Connection {
  agent: SetupClientName;
  /** Whether it tells ctx of its turns, or only has the server. */
  hooks: boolean;
  /** Whether its commands, or commands and edits, are checked against guards; "none" where it cannot refuse. */
  guards: "yes" | "commands" | "no" | "none";
  /** How its plugin of ctx is removed, if it has one; `isPlugin` if nothing else connects it. */
  plugin?: string;
  isPlugin?: true;
}

/** The agents that are connected, for the user or in this workspace. */
export async function findConnections(
  place: Pick<SetupWish, "home" | "workspace">,
): Promise<Connection[]> {
  const found: Connection[] = [];
  for (const agent of setupClientNames) {
    const texts = [
      ...await findOurs(agent, { ...place, scope: "user" }),
      ...await findOurs(agent, { ...place, scope: "project" }),
    ];
    const hook = new RegExp(`\\bhook["', ]+${agent}\\b`);
    const plugin = findPlugin(agent, place);
    if (texts.length === 0) {
      if (plugin) found.push({ agent, hooks: true, guards: "no", plugin, isPlugin: true });
      continue;
    }
    const hooks = texts.some((text) => hook.test(text));
    found.push({ agent, hooks, guards: guardsOf(agent, texts), ...(plugin ? { plugin } : {}) });
  }
  return found;
}

/** What settings have where an agent asks ctx before its commands. */
const guardMarks: Partial<Record<SetupClientName, RegExp>> = {
  "claude-code": /"Bash\|Read\|Edit/,
  codex: /hook["', ]+(?:pre-edit|guard)/,
  opencode: /tool\.execute\.before/,
  gemini: /run_shell_command\|/,
  qwen: /run_shell_command\|/,
  cursor: /beforeShellExecution/,
};

function guardsOf(agent: SetupClientName, texts: readonly string[]): Connection["guards"] {
  const mark = guardMarks[agent];
  if (mark === undefined) return "none";
  if (!texts.some((text) => mark.test(text))) return "no";
  return agent === "cursor" ? "commands" : "yes";
}

/** A wish that is planned to look at settings, not to write them. */
export function lookingWish(
  place: Pick<SetupWish, "home" | "workspace" | "scope" | "remove">,
): SetupWish {
  const program = ["ctx"];
  const all = { hooks: true, preEdit: true, guards: true, allowed: [], agentsMd: false };
  return { ...place, ...all, program, exists: isThere };
}

/** The settings of an agent that have something of ours in them. */
async function findOurs(
  agent: SetupClientName,
  place: Pick<SetupWish, "home" | "workspace" | "scope">,
): Promise<string[]> {
  const texts: string[] = [];
  for (const { path, edit } of setupClients[agent].plan(lookingWish({ ...place, remove: true }))) {
    try {
      const text = findText(path);
      if (text !== undefined && await edit(text, () => {}) !== text) texts.push(text);
    } catch (error) {
      // Settings that cannot be read are their agent's to tell of.
      if (!(error instanceof CtxError) && !(error instanceof Deno.errors.PermissionDenied)) {
        throw error;
      }
    }
  }
  return texts;
}
