// Whether Codex runs the hooks that setup wrote, or those of its plugin. It runs no hook before its user has trusted it in
// `/hooks`, and says nothing of those it passes over. What was trusted is in its config.toml, by the
// hook's place: a fingerprint of event, matcher and command. Reads only; never gives trust itself.

import { JsonEditor } from "../config/edit_json.ts";
import { parseToml } from "../config/check_toml.ts";
import { CtxError } from "../core/errors.ts";
import { toFields, toList } from "../core/json.ts";
import { diskFiles } from "../disk/files.ts";
import * as s from "../command/shape.ts";
import { countOf } from "../command/view.ts";
import { isOurCommand } from "./own_entries.ts";
import { findText } from "./plan_change.ts";
import { realPath, toOwnPath } from "../core/platform_path.ts";

/** What only an agent's user can do before ctx works there. */
export const setupTodo = s.object(s.each(s.text(), "problem", "next"));
/** One of them. */
export type SetupTodo = s.ValueOf<typeof setupTodo>;

/** What Codex's user still has to do before its hooks run, or undefined. */
export async function findCodexTodo(
  { home, workspace }: { home: string; workspace: string },
): Promise<SetupTodo | undefined> {
  try {
    const path = `${home}/.codex/config.toml`;
    const settings = await parseToml(findText(path) ?? "", path);
    const states = new Map(
      Object.entries(toFields(toFields(settings.hooks).state))
        .map(([key, state]) => [toOwnPath(key), toFields(state)]),
    );
    const own = [
      ...await readOurHooks(`${home}/.codex/hooks.json`),
      ...await readOurHooks(`${workspace}/.codex/hooks.json`),
    ];
    // Beside setup's, the plugin's do nothing.
    const hooks = own.length > 0 ? own : await readPluginHooks(settings.plugins, home);
    const waiting = hooks.filter(({ keys, hash }) =>
      !keys.some((key) => states.get(key)?.trusted_hash === hash)
    );
    const off = hooks.filter(({ keys }) => keys.some((key) => states.get(key)?.enabled === false));
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

/** The hooks of a plugin of ctx that is on, as Codex keeps and names them. */
async function readPluginHooks(plugins: unknown, home: string): Promise<OurHook[]> {
  const found: OurHook[] = [];
  for (const [id, plugin] of Object.entries(toFields(plugins))) {
    const [, market] = /^ctx@([\w-]+)$/.exec(id) ?? [];
    if (market === undefined || toFields(plugin).enabled !== true) continue;
    const directory = `${home}/.codex/plugins/cache/${market}/ctx`;
    const newest = diskFiles.list(directory).sort(byNumbers).at(-1);
    const path = `${directory}/${newest}/hooks/hooks.json`;
    found.push(...await readHooks(path, { places: [`${id}:hooks/hooks.json`] }));
  }
  return found;
}

/** 0.10 is newer than 0.9. */
const byNumbers = new Intl.Collator("en", { numeric: true }).compare;

async function readOurHooks(path: string): Promise<OurHook[]> {
  if (findText(path) === undefined) return [];
  const places = [...new Set([path, realPath(path)])];
  return await readHooks(path, { places, isOurs: isOurCommand });
}

/** The hooks of ours in a file, each with its names and the fingerprint that Codex makes of it. */
async function readHooks(
  path: string,
  { places, isOurs = () => true }: { places: string[]; isOurs?: typeof isOurCommand },
): Promise<OurHook[]> {
  const text = findText(path);
  if (!text?.trim()) return [];
  const events = (await JsonEditor.open(text, path)).find(["hooks"]);
  const found: OurHook[] = [];
  for (const [event, groups] of Object.entries(toFields(events))) {
    const label = event.replaceAll(/\B[A-Z]/g, "_$&").toLowerCase();
    for (const [i, group] of toList(groups).map(toFields).entries()) {
      for (const [j, hook] of toList(group.hooks).map(toFields).entries()) {
        if (!isOurs(hook)) continue;
        const matcher = takesMatcher(event) ? group.matcher : undefined;
        found.push({
          keys: places.map((one) => `${one}:${label}:${i}:${j}`),
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
