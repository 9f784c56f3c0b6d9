// ctx may reach an agent twice: by `ctx setup`, and as a plugin or extension. Then the plugin's hooks
// stay silent, so that nothing is sent twice, and `ctx setup` says what to remove. Reads settings only.

import { findText } from "./plan_change.ts";

/** Where an agent's settings are. */
interface Place {
  home: string;
  workspace: string;
}

/** How an agent shows each of the two, and how its plugin is removed. */
interface PluginKind {
  /** The files in which setup writes hooks: yours and the workspace's. */
  hookFiles(place: Place): string[];
  pluginFiles(place: Place): string[];
  mark: RegExp;
  remove: string;
}

const kinds: Record<string, PluginKind | undefined> = {
  "claude-code": {
    hookFiles: (place) => inBoth(place, ".claude/settings.json"),
    pluginFiles: (place) => [
      ...inBoth(place, ".claude/settings.json"),
      `${place.workspace}/.claude/settings.local.json`,
    ],
    mark: /"ctx@[\w-]+"\s*:\s*true/,
    remove: "claude plugin uninstall ctx@ctx",
  },
  codex: {
    hookFiles: (place) => inBoth(place, ".codex/hooks.json"),
    pluginFiles: ({ home }) => [`${home}/.codex/config.toml`],
    mark: /^\[plugins\."ctx@[\w-]+"\]\n(?:[^[\n].*\n|\n)*?enabled *= *true/m,
    remove: "codex plugin remove ctx@ctx",
  },
  gemini: {
    hookFiles: (place) => inBoth(place, ".gemini/settings.json"),
    pluginFiles: ({ home }) => [`${home}/.gemini/extensions/ctx/gemini-extension.json`],
    mark: /"ctx"/,
    remove: "gemini extensions uninstall ctx",
  },
  opencode: {
    hookFiles: ({ home, workspace }) => [
      `${home}/.config/opencode/plugin/ctx.js`,
      `${workspace}/.opencode/plugin/ctx.js`,
    ],
    pluginFiles: ({ home, workspace }) =>
      [`${home}/.config/opencode`, workspace].flatMap((base) =>
        ["json", "jsonc"].map((ending) => `${base}/opencode.${ending}`)
      ),
    mark: /"(?:@ctx\/opencode(?:@[^"]*)?|file:[^"]*\/ctx-opencode[^"]*)"/,
    remove: "remove @ctx/opencode from opencode.json",
  },
};

/** How ctx's plugin is removed from an agent that has it; undefined where there is none. */
export function findPlugin(agent: string, place: Place): string | undefined {
  const kind = kinds[agent];
  return kind?.pluginFiles(place).some((path) => kind.mark.test(readLines(path)))
    ? kind.remove
    : undefined;
}

/** Whether setup's own hooks reach the agent, so that a plugin's must not. */
export function isSetUp(agent: string, place: Place): boolean {
  return kinds[agent]?.hookFiles(place).some((path) => {
    return /\bhook["', ]+(?:claude-code|codex|gemini|opencode)\b/.test(readLines(path));
  }) ?? false;
}

function inBoth({ home, workspace }: Place, name: string): string[] {
  return [`${home}/${name}`, `${workspace}/${name}`];
}

/** The lines of a file that are not comments; none where it cannot be read. */
function readLines(path: string): string {
  try {
    return (findText(path) ?? "").replaceAll(/^\s*(?:\/\/|#).*$/gm, "").replaceAll("\r", "");
  } catch {
    return "";
  }
}
