// What the shipped program may do, by sub-command; docs/BINARY.md shows it with the tests that prove
// it. The self-extracting form and the npm package start Deno with the set of the sub-command; the
// compiled form has the widest baked in, and its servers confine themselves in a Worker. Nothing ever
// gets ffi; nothing gets a program other than ctx itself, but `edit` the editor that the user named and
// `ui` what opens a link.

import { shownAs } from "../src/cli/line/doors.ts";
import { loadForms } from "../src/cli/task_list.ts";
import type { Access } from "../src/command/command.ts";
import { sandboxVariables } from "../src/serve/mcp/sandbox.ts";

export { startFlags, v8Flags } from "../src/serve/mcp/start_flags.ts";

/** Unstable features that the program uses: permissions of the sandbox's Worker, and what it serves. */
export const unstableFlags: readonly string[] = [
  "--unstable-worker-options",
  "--unstable-no-legacy-abort",
];

/** Files and environment: all that a local command needs. */
export const localFlags: readonly string[] = ["--allow-read", "--allow-write", "--allow-env"];

/** What a command adds that talks to a provider or a webhook; TLS asks which authorities count. */
export const netFlags: readonly string[] = [...localFlags, "--allow-net", "--allow-sys=ca"];

/** Words behind a door that are another command, with permissions that the door does not have. */
export const otherWords: Readonly<Record<string, string>> = { "suggest watch": "watch" };

/** Every command and process; what each may reach is told where it is defined. */
const forms = await loadForms();

/** First words of command lines by what their commands reach; those of a family share it. */
const reached = new Map<string, Access | undefined>();
for (const form of forms) {
  const shown = shownAs(form.name).name;
  for (const name of [form.name, ...form.aliases ?? [], ...shown in otherWords ? [] : [shown]]) {
    const word = firstWords(name, 1);
    reached.set(word, form.access ?? reached.get(word));
  }
}

/** Commands that never use the network. */
export const localCommands: readonly string[] = wordsWith(undefined);

/** Local commands that start ctx itself: to see that it answers as a server, or for background work. */
export const selfCommands: readonly string[] = wordsWith("self");

/** Local commands that start the user's editor, and nothing else. */
export const editorCommands: readonly string[] = wordsWith("editor");

/** Commands that ask a model or an embedder: they have a network only where one may be configured. */
export const providerCommands: readonly string[] = wordsWith("provider");

/** Commands that always have a network: webhooks and events; releases; a team's server. */
export const netCommands: readonly string[] = wordsWith("network");

/** Commands that start ctx again, confined. What is not named anywhere gets their permissions too. */
export const servers: readonly string[] = wordsWith("server");

/** Servers that also have their page opened, by the first of these programs that is there. */
export const pageServers: readonly string[] = wordsWith("page");

/** The first words of command lines whose commands reach this, and nothing else. */
function wordsWith(access: Access | undefined): string[] {
  return [...reached].flatMap(([word, one]) => one === access ? [word] : []);
}

function firstWords(name: string, count: number): string {
  return name.split(" ").slice(0, count).join(" ");
}

/** What opens a link in the browser, by system. */
export const openers: Partial<Record<string, readonly string[]>> = {
  linux: ["xdg-open", "wslview"],
  darwin: ["open"],
};

/** Commands that end in a moment, for which memory is not given back meanwhile. */
export const quickCommands: readonly string[] = ["get", "search", "timeline", "save", "hook"];

/** Commands that run until they are stopped. */
export const lastingCommands: readonly string[] = forms.flatMap((form) =>
  "lasting" in form ? [form.name] : []
);

/** Commands that print for people to read: on a terminal what is long goes through their pager. */
export const pagedCommands: readonly string[] = [
  ...new Set([
    "help",
    "context",
    ...forms.filter(({ effect, paged = effect === "read" }) => paged)
      .flatMap(({ name, aliases = [] }) => [name, firstWords(shownAs(name).name, 2), ...aliases]),
  ]),
];

/** What `ctx` without a word starts with: on a terminal it is `ctx pick`, else it shows the help. */
export const bareCommand = "pick";

/** Words after `mcp` that need more than a workspace: such a server confines itself. */
export const widerServers: readonly string[] = ["agent", "--http", "--port", "--host"];

/** The environment that a confined server may read. */
export const mcpVariables: readonly string[] = sandboxVariables;

/** Variables without which, and without a word in the user's file, no provider is configured. */
export const providerVariables: readonly string[] = [
  "CTX_EMBEDDER_KIND",
  "CTX_EMBEDDER_URL",
  "CTX_LLM_MODEL",
  "CTX_LLM_PROVIDER",
  "CTX_LLM_API_KEY",
];

/** Groups of settings that lead to a provider. */
export const providerSettings: readonly string[] = ["embedder", "llm"];
