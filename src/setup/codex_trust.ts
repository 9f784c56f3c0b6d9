// Whether Codex runs the hooks that setup wrote. It runs no hook before its user has trusted it in
// `/hooks`, and says nothing of those it passes over. What was trusted is in its config.toml, by the
// hook's place: a fingerprint of event, matcher and command. Reads only; never gives trust itself.

import { JsonEditor } from "../config/edit_json.ts";
import { parseToml } from "../config/check_toml.ts";
import { CtxError } from "../core/errors.ts";
import { isObject, toFields, toList } from "../core/json.ts";
import * as s from "../command/shape.ts";
import { countOf } from "../command/view.ts";
import { isOurCommand } from "./own_entries.ts";
import { findText } from "./plan_change.ts";

/** What only an agent's user can do before ctx works there. */
export const setupTodo = s.object(s.each(s.text(), "problem", "next"));
/** One of them. */
export type SetupTodo = s.ValueOf<typeof setupTodo>;

/** What Codex's user still has to do before its hooks run, or undefined. */
export async function findCodexTodo(
  { home, workspace }: { home: string; workspace: string },
): Promise<SetupTodo | undefined> {
  try {
    const states = await readStates(`${home}/.codex/config.toml`);
    const hooks = [
      ...await readOurHooks(`${home}/.codex/hooks.json`),
      ...await readOurHooks(`${workspace}/.codex/hooks.json`),
    ];
    const waiting = hooks.filter(({ keys, hash }) =>
      !keys.some((key) => states[key]?.trusted_hash === hash)
    );
    const off = hooks.filter(({ keys }) => keys.some((key) => states[key]?.enabled === false));
    const next = "start codex, type /hooks and trust them";
    if (waiting.length > 0) {
      const which = countOf(hooks.length, "hook");
      const some = waiting.length === hooks.length
        ? `its ${which}`
        : `${waiting.length} of its ${which}`;
      return { problem: `Codex does not run ${some} until you trust them`, next };
    }
    if (off.length === 0) return undefined;
    const problem = `${off.length} of ${countOf(hooks.length, "hook")} are turned off in Codex`;
    return { problem, next: "start codex, type /hooks and turn them on" };
  } catch (error) {
    // Settings that cannot be read are their agent's to tell of.
    if (error instanceof CtxError) return undefined;
    throw error;
  }
}

interface OurHook {
  /** Its place, with the file's path as it was given and as it is behind links. */
  keys: string[];
  hash: string;
}

type HookStates = Record<string, { trusted_hash?: unknown; enabled?: unknown } | undefined>;

async function readStates(path: string): Promise<HookStates> {
  const { hooks } = await parseToml(findText(path) ?? "", path);
  const states = toFields(toFields(hooks).state);
  return Object.fromEntries(
    Object.entries(states).map(([key, state]) => [key, isObject(state) ? state : undefined]),
  );
}

/** The hooks of ours in a file, each with the fingerprint that Codex makes of it. */
async function readOurHooks(path: string): Promise<OurHook[]> {
  const text = findText(path);
  if (!text?.trim()) return [];
  const events = (await JsonEditor.open(text, path)).find(["hooks"]);
  const paths = [...new Set([path, Deno.realPathSync(path)])];
  const found: OurHook[] = [];
  for (const [event, groups] of Object.entries(toFields(events))) {
    const label = event.replaceAll(/\B[A-Z]/g, "_$&").toLowerCase();
    for (const [i, group] of toList(groups).map(toFields).entries()) {
      for (const [j, hook] of toList(group.hooks).map(toFields).entries()) {
        if (!isOurCommand(hook)) continue;
        const matcher = takesMatcher(event) ? group.matcher : undefined;
        found.push({
          keys: paths.map((one) => `${one}:${label}:${i}:${j}`),
          hash: await hashOf({ event_name: label, hooks: [toIdentity(hook)], matcher }),
        });
      }
    }
  }
  return found;
}

function takesMatcher(event: string): boolean {
  return event !== "UserPromptSubmit" && event !== "Stop";
}

/** A hook as it is fingerprinted: with what it does not say, and its names in order. */
function toIdentity(
  { command, timeout, async: isAsync, statusMessage }: Record<string, unknown>,
): object {
  const seconds = typeof timeout === "number" ? Math.max(1, timeout) : 600;
  return { async: isAsync === true, command, statusMessage, timeout: seconds, type: "command" };
}

async function hashOf(identity: object): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(identity));
  return `sha256:${new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex()}`;
}
