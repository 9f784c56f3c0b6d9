// `ctx config get|set|unset|list|path`: settings of the workspace and of the user.

import { applyEnvironment, configFiles, invalid, loadConfig } from "../../config/load_config.ts";
import {
  type ConfigKey,
  configKeys,
  type ConfigName,
  findConfigFault,
  isConfigName,
  listConfigNames,
  parseConfigValue,
  removedNote,
} from "../../config/config_keys.ts";
import type { Config } from "../../config/merged_config.ts";
import { findSwitches, withholdUntrusted } from "../../config/trusted.ts";
import { CtxError } from "../../core/errors.ts";
import { guessAt } from "../../core/text.ts";
import { decodeExact } from "../../core/utf8.ts";
import { findWorkspace, layoutOf } from "../../disk/layout.ts";
import { type Context, define } from "../../command/command.ts";
import { recordConsent } from "../../command/consent.ts";
import * as s from "../../command/shape.ts";
import { toTable } from "../../command/view.ts";
import { writeSetting } from "../../command/write_setting.ts";

const setting = {
  key: s.text(),
  value: s.anyOf(s.text(), s.number(), s.boolean()),
  origin: s.oneOf(["default", "user", "workspace", "environment"]),
};
type Setting = s.ObjectOf<typeof setting>;

export const configGet = define({
  name: "config get",
  summary: "Print the value of a setting.",
  input: { key: s.text("The setting's name.", 1) },
  output: setting,
  positional: ["key"],
  effect: "read",
  paged: false,
  examples: [{ argv: ["config", "get", "redact"], about: "Check that secrets are redacted." }],
  async run({ key }, context) {
    return await readSetting(await getKeyName(key), context);
  },
  render: (data) => `${data.value}\n`,
});

export const configSet = define({
  name: "config set",
  summary: "Change a setting; comments in the file are kept.",
  input: {
    key: s.text("The setting's name.", 1),
    value: s.text("The new value; - reads a secret from standard input."),
    user: s.flag("Change your own file, not the workspace's."),
  },
  output: { ...setting, path: s.text() },
  positional: ["key", "value"],
  local: true,
  effect: "write",
  examples: [{
    argv: ["config", "set", "lock_timeout_ms", "20000"],
    about: "Wait longer for other writers.",
  }],
  async run(input, context) {
    const name = await getKeyName(input.key);
    const key: ConfigKey = configKeys[name];
    const user = input.user || key.userOnly === true;
    const said = key.secret && input.value === "-"
      ? decodeExact(await context.readInput()).trim()
      : input.value;
    const { findOwnValue } = await import("../../config/other_keys.ts");
    const value = findOwnValue(name, said) ?? parseConfigValue(key, said);
    const fault = findConfigFault(key, value);
    if (fault) {
      throw invalid(
        `config set`,
        name,
        key.secret || key.kind === "url" ? fault : `${fault}, not "${said}"`,
      );
    }
    const { path } = await writeSetting({ key: name, user, value }, context);
    if (context.surface === "cli") await approveSwitch(name, context);
    if (!user) await tellIgnored(name, context);
    if (key.removed) context.warn(removedNote(name, key.removed));
    return {
      key: name,
      value: key.secret ? "(set)" : value as Setting["value"],
      origin: user ? "user" as const : "workspace" as const,
      path,
    };
  },
  render: (data) => `${data.key} = ${data.value} (${data.path})\n`,
});

export const configUnset = define({
  name: "config unset",
  summary: "Reset a setting to its default; comments are kept.",
  input: {
    key: s.text("The setting's name.", 1),
    user: s.flag("Change your own file, not the workspace's."),
  },
  output: { ...setting, path: s.text(), removed: s.boolean() },
  positional: ["key"],
  local: true,
  effect: "write",
  examples: [{
    argv: ["config", "unset", "lock_timeout_ms"],
    about: "Go back to the default.",
    after: [["config", "set", "lock_timeout_ms", "20000"]],
  }],
  async run(input, context) {
    const key = await getKeyName(input.key);
    const user = input.user || (configKeys[key] as ConfigKey).userOnly === true;
    const { path, before } = await writeSetting({ key, user, value: undefined }, context);
    const config = await loadNow(context);
    return {
      ...await readSetting(key, { readConfig: () => Promise.resolve(config) }),
      path,
      removed: before !== undefined,
    };
  },
  render(data) {
    const now = `${data.key} = ${data.value} (${data.origin})`;
    return data.removed ? `${now}\n` : `${data.key} was not set in ${data.path}: ${now}\n`;
  },
});

export const configList = define({
  name: "config list",
  summary: "List all settings, their values and where they come from.",
  input: {},
  output: {
    settings: s.listOf(s.object({ ...setting, about: s.text() })),
  },
  list: { of: "settings", columns: ["key", "value", "origin", "about"] },
  effect: "read",
  examples: [{ argv: ["config", "list"], about: "List all settings." }],
  async run(_input, context) {
    const settings = await Promise.all(
      listConfigNames().map(async (name) => ({
        ...await readSetting(name, context),
        about: configKeys[name].about,
      })),
    );
    return { settings };
  },
  render(data, view) {
    return toTable(data.settings.map((item) => [
      view.bold(item.key),
      String(item.value),
      item.origin,
      view.dim(item.about),
    ])) + "\n";
  },
});

export const configPath = define({
  name: "config path",
  summary: "Print the paths of the configuration files.",
  input: {},
  output: {
    files: s.listOf(s.object({ origin: s.text(), path: s.text(), exists: s.boolean() })),
  },
  effect: "read",
  paged: false,
  examples: [{ argv: ["config", "path"], about: "Show which files are read." }],
  run(_input, context) {
    const files = configFiles(findWorkspaceConfig(context), context.env).map((file) => ({
      ...file,
      exists: context.files.findSize(file.path) !== undefined,
    }));
    return Promise.resolve({ files });
  },
  render(data) {
    return data.files.map((file) =>
      `${file.origin}: ${file.path}${file.exists ? "" : " (absent)"}\n`
    ).join("");
  },
});

async function readSetting(
  name: ConfigName,
  context: Pick<Context, "readConfig">,
): Promise<Setting> {
  const config = await context.readConfig();
  const key: ConfigKey = configKeys[name];
  const value = config.get(name);
  return { key: name, value: key.secret && value ? "(set)" : value, origin: config.originOf(name) };
}

/** Whoever turns a provider on for the workspace approves of it, here and in no copy of it. */
async function approveSwitch(key: string, context: Context): Promise<void> {
  const config = await loadNow(context);
  const target = findSwitches(config).find(({ name }) => name === key)?.target ?? "";
  if (target === "") return;
  const { workspace } = (await context.openStore()).layout;
  await recordConsent(context, { workspace, target, trusted: true });
}

/** Says at once when what the workspace's file says now does not count. */
async function tellIgnored(key: ConfigName, context: Context): Promise<void> {
  const config = await loadNow(context);
  const { workspace } = (await context.openStore()).layout;
  withholdUntrusted(config, workspace, (message) => {
    if (message.includes(`"${key}"`)) context.warn(message);
  });
}

/** The settings as they are now: a context keeps those that it read before. */
async function loadNow(context: Context): Promise<Config> {
  const files = configFiles(findWorkspaceConfig(context), context.env);
  return applyEnvironment(await loadConfig(files, () => {}), context.env);
}

function findWorkspaceConfig(context: Context): string | undefined {
  const workspace = findWorkspace(context);
  return workspace === undefined ? undefined : layoutOf(workspace).config;
}

/** Our name of a key; its other names are loaded when it is not one of ours. */
async function getKeyName(name: string): Promise<ConfigName> {
  if (isConfigName(name)) return name;
  const own = (await import("../../config/other_keys.ts")).findOwnKey(name);
  if (own !== undefined) return own;
  const guess = guessAt(name, listConfigNames());
  throw new CtxError("NOT_FOUND", `Unknown setting "${name}"${guess}`, { hint: "ctx config list" });
}
