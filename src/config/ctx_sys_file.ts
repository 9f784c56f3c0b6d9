// The settings of `ctx-sys.yaml`, where ctx-sys keeps those of its suggestions, as ours. Pure.

import { toFields } from "../core/json.ts";
import { type ConfigKey, configKeys, type ConfigName, findConfigFault } from "./config_keys.ts";
import { findOwnKey } from "./other_keys.ts";

/** How the file is called, at the top of a project. */
export const ctxSysName = "ctx-sys.yaml";

/** What `agent.proactive` says in the parsed file; `faults` say what of it cannot be used. */
export function readCtxSys(
  parsed: unknown,
): { settings: [name: ConfigName, value: unknown][]; faults: string[] } {
  const settings: [ConfigName, unknown][] = [];
  const faults: string[] = [];
  const { proactive } = toFields(toFields(parsed).agent);
  for (const [said, value] of Object.entries(toFields(proactive))) {
    const name = findOwnKey(`agent.proactive.${said}`);
    if (name === undefined) {
      faults.push(`unknown key "${said}" is ignored`);
      continue;
    }
    const key: ConfigKey = configKeys[name];
    const fault = findConfigFault(key, value);
    if (fault) faults.push(`"${said}" is ignored: it ${fault}`);
    else settings.push([name, value]);
  }
  return { settings, faults };
}
