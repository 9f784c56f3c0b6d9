// Where memory may be sent for a workspace: the user's consent. It is kept under `trust` in the
// user's own file, by the real path of the workspace and the whole URL, so that a clone, a copy or a
// moved workspace needs it anew. A workspace's own files cannot give it.

import { CtxError } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import type { Config, Trust } from "./merged_config.ts";
import { type ConfigKey, configKeys, type ConfigName } from "./config_keys.ts";
import { realPath } from "../core/platform_path.ts";

/** Settings with which a workspace's file could turn the network on, and where that would lead. */
const switches: readonly {
  name: ConfigName;
  target: "llm.provider" | "embedder.url";
  isOn: (value: unknown) => boolean;
}[] = [
  { name: "llm.model", target: "llm.provider", isOn: (value) => value !== "" },
  { name: "embedder.kind", target: "embedder.url", isOn: (value) => value === "http" },
];

/** Settings that say how much leaves the machine: a workspace's file may let less leave, never more. */
const widths: readonly ConfigName[] = ["share.policy", "share.tool_output", "share.thinking"];

/** Reads `trust` of the user's file; throws CONFIG_INVALID when it is something else. */
export function parseTrust(value: unknown, path: string): Trust {
  const fault = new CtxError(
    "CONFIG_INVALID",
    `Cannot use "trust" in ${path}: it is not an object of lists`,
    {
      hint: '"trust": { "/path/of/workspace": ["https://…"] }; ctx trust writes it',
    },
  );
  if (!isObject(value)) throw fault;
  return new Map(
    Object.entries(value).map(([workspace, targets]) => {
      const isList = Array.isArray(targets) && targets.every((item) => typeof item === "string");
      if (!isList) throw fault;
      return [workspace, new Set(targets.map(toTarget))];
    }),
  );
}

/** Whether the user approved of a target for a workspace. */
export function isTrusted(trust: Trust, workspace: string, target: string): boolean {
  return trust.get(realWorkspace(workspace))?.has(toTarget(target)) ?? false;
}

/** The text of the user's file with a target approved, or no longer; comments are kept. */
export async function editTrustText(
  text: string,
  change: { workspace: string; target: string; trusted: boolean; before: Trust },
): Promise<string> {
  const workspace = realWorkspace(change.workspace);
  const targets = new Set(change.before.get(workspace));
  if (targets.has(toTarget(change.target)) === change.trusted) return text;
  if (change.trusted) targets.add(toTarget(change.target));
  else targets.delete(toTarget(change.target));
  const value = targets.size === 0 ? undefined : [...targets].sort();
  const { setJson } = await import("./set_json.ts");
  return setJson(text, ["trust", workspace], value);
}

/**
 * Takes back what a workspace's file alone would turn on: that memory goes to a provider, or more of
 * it to a team. Where the user's own settings have it on already, the workspace may choose the model.
 */
export function withholdUntrusted(
  config: Config,
  workspace: string,
  warn: (message: string) => void,
): Config {
  for (const { name, target } of findSwitches(config)) {
    if (isTrusted(config.trust, workspace, target)) continue;
    config.withhold(name);
    const next = target === "" ? "" : `; to allow it: ctx trust ${target}`;
    warn(`the workspace's "${name}" is ignored: it would send data to a provider${next}`);
  }
  for (const name of widths) {
    const value = config.get(name);
    if (
      config.originOf(name) !== "workspace" ||
      widthOf(name, value) <= widthOf(name, config.below(name))
    ) continue;
    config.withhold(name);
    warn(
      `the workspace's "${name}" is ignored: it would share more from this machine; to allow it: ctx config set --user ${name} ${value}`,
    );
  }
  return config;
}

/** How much a value lets leave; choices are listed from narrow to wide. */
function widthOf(name: ConfigName, value: unknown): number {
  const key: ConfigKey = configKeys[name];
  return key.kind === "choice" ? key.choices.indexOf(String(value)) : Number(value);
}

/** What the workspace's file turns on, and the provider that it leads to. */
export function findSwitches(config: Config): { name: ConfigName; target: string }[] {
  return switches.filter(({ name, isOn }) =>
    config.originOf(name) === "workspace" && isOn(config.get(name)) && !isOn(config.below(name))
  ).map(({ name, target }) => ({ name, target: config.get(target) }));
}

/** Normalised URL; text that is not a URL is returned unchanged. */
export function toTarget(text: string): string {
  return URL.parse(text)?.href ?? text;
}

/** The real path: consent does not depend on the links that lead to a directory. */
export function realWorkspace(workspace: string): string {
  try {
    return realPath(workspace);
  } catch {
    return workspace;
  }
}
