// The shell text that starts ctx, from its template: what every launcher knows (permissions, help,
// pager) and what one kind adds.

import { firstNames, renderOverview } from "../src/cli/line/help.ts";
import { loadForms } from "../src/cli/task_list.ts";
import { makeView } from "../src/command/view.ts";
import { storeNames } from "../src/disk/layout.ts";
import {
  bareCommand,
  editorCommands,
  lastingCommands,
  localCommands,
  localFlags,
  mcpVariables,
  netCommands,
  netFlags,
  openers,
  otherWords,
  pagedCommands,
  pageServers,
  providerCommands,
  providerSettings,
  providerVariables,
  quickCommands,
  selfCommands,
  startFlags,
  widerServers,
} from "./permissions.ts";
import type { Target } from "./target.ts";

/** What a launcher is made for. */
interface LauncherOptions {
  os: Target["os"];
  version: string;
  /** What only this kind of launcher has, by the names in its template. */
  values: Record<string, string>;
}

/** A launcher: its template of `build/`, filled. */
export async function fillLauncher(
  template: string,
  { os, version, values }: LauncherOptions,
): Promise<string> {
  const read = (name: string): Promise<string> =>
    Deno.readTextFile(new URL(`./${name}`, import.meta.url));
  const all: Record<string, string> = {
    ...await sharedValues(os),
    VERSION: version,
    START_CTX: (await read("launcher_start.sh")).trimEnd(),
    ...values,
  };
  const fill = (text: string): string =>
    text.replace(/@([A-Z0-9_]+)@/g, (_all, name) => {
      if (all[name] === undefined) throw new Error(`Cannot fill ${template}: no value for ${name}`);
      return name === "START_CTX" ? fill(all[name]) : all[name];
    });
  return fill(await read(template));
}

async function sharedValues(os: Target["os"]): Promise<Record<string, string>> {
  return {
    HOME_CACHE: os === "darwin" ? "/Library/Caches/ctx" : "/.cache/ctx",
    HELP: toShell(renderOverview(await loadForms(firstNames), makeView({})).trimEnd()),
    LOCAL: localCommands.join(" | "),
    EDITOR: editorCommands.join(" | "),
    SELF: selfCommands.join(" | "),
    PAGE: pageServers.join(" | "),
    OPENERS: (openers[os] ?? []).join(" "),
    LASTING: toPattern(lastingCommands),
    PAGED: pagedCommands.map((name) => `"${name} "*`).join(" | "),
    OTHER_WORDS: Object.entries(otherWords)
      .map(([words, name]) => `"${words}") task=${name} ;;`).join("\n    "),
    QUICK: quickCommands.join(" | "),
    WIDER: widerServers.flatMap((word) => word.startsWith("-") ? [word, `${word}=*`] : [word])
      .join(" | "),
    STORE_NAMES: storeNames.join(" "),
    MCP_ENV: `"${mcpVariables.join(",")}"`,
    START: startFlags.join(" "),
    LOCAL_FLAGS: localFlags.join(" "),
    PROVIDER: toPattern(providerCommands),
    NET: netCommands.join(" | "),
    NET_FLAGS: netFlags.join(" "),
    PROVIDER_ENV: providerVariables.map((name) => `$${name}`).join(""),
    PROVIDER_WORDS: providerSettings.map((name) => `*${name}*`).join(" | "),
  };
}

/** A text as one word of the shell. */
function toShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A pattern of the shell for some commands; no word at all stands for one of them. */
function toPattern(commands: readonly string[]): string {
  return commands.map((name) => name === bareCommand ? `'' | ${name}` : name).join(" | ");
}
