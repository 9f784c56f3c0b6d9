// Two sessions of a client that has ctx as a plugin or extension, and nothing of `ctx setup`: the first
// decides something, the second must know it without asking. Then both at once: nothing is sent twice.

import { writePackages } from "../../build/packages/write_packages.ts";
import { type ClientCheck, ClientChecks } from "./client_checks.ts";
import { clientDrivers } from "./client_drivers.ts";
import { ClientHome } from "./client_home.ts";
import { type ClientWorld, fencesIn, holdSession } from "./client_session.ts";
import { listCodexHooks, trustCodexHooks } from "./codex_hooks.ts";
import { earlierWork } from "./earlier_work.ts";
import type { InstalledClient } from "./install_clients.ts";
import type { ModelStep } from "./model_step.ts";
import { ScriptedModel } from "./scripted_model.ts";

const asked = [
  "Which queue should the billing worker use? Decide.",
  "How should the billing worker queue retry a failed job?",
  "For how long are billing jobs kept after they are done?",
];
const saved = "Billing jobs are kept for thirty days after they are done.";

/** Drives a client through its plugin. */
export async function drivePlugin(client: InstalledClient, ctx: string): Promise<ClientCheck[]> {
  await using home = new ClientHome(ctx);
  await using model = new ScriptedModel();
  const run = new ClientChecks();
  const world: ClientWorld = { client, home, model, run };
  home.write("home", clientDrivers[client.name].files(model.url));
  await home.ctx("init");
  home.write("home", { "earlier.ndjson": earlierWork() });
  await home.ctx("import", "contextfs", "--root", `${home.root}/home/earlier.ndjson`);
  await writePackages(`${home.root}/packages`);
  if (!await install(world)) return run.checks;

  const prefix = client.name === "claude-code" ? "mcp__plugin_ctx_ctx__" : "";
  const scripts: ModelStep[][] = [
    [
      { tool: `${prefix}save_memory`, input: { text: saved, type: "decision" } },
      { text: "We decided to use Redis Streams." },
    ],
    [
      { tool: `${prefix}search`, input: { query: "billing jobs kept" } },
      { text: "At most five times." },
    ],
  ];
  const words = client.name === "claude-code"
    ? ["--allowedTools", `${prefix}save_memory,${prefix}search`]
    : client.name === "gemini"
    ? ["--allowed-tools", "mcp_ctx_save_memory,mcp_ctx_search"]
    : [];
  await holdSession(world, { prompt: asked[0], script: scripts[0], words }, "session 1");
  await home.waitForProcesses();
  const { requests } = await holdSession(
    world,
    { prompt: asked[1], script: scripts[1], words },
    "session 2",
  );
  await home.waitForProcesses();
  const given = requests[0]?.text ?? "";
  run.add("session 2 knows what was saved", given.includes(saved), "told", given.slice(0, 300));
  run.add("it was given once", fencesIn(given) === 1, `fences ${fencesIn(given)}`);
  const result = requests.at(-1)?.request.results.at(-1) ?? "";
  run.add("search finds it", result.includes("thirty days"), "found", result.slice(0, 300));
  const turns = home.log("history.ndjson").filter(({ role, type, source }) =>
    role === "user" && type === "turn" && source?.agent !== "aider"
  ).map(({ text }) => text);
  run.same("each prompt is stored once", turns, asked.slice(0, 2));

  await checkBoth(world);
  return run.checks;
}

/** With a plugin, setup changes nothing; once it wrote its own, the plugin is silent. */
async function checkBoth(world: ClientWorld): Promise<void> {
  const { client, home, run } = world;
  const { changes: [first], changed } = await home.ctx("setup", client.name, "--no-check");
  const remark = String(first?.remarks?.[0]);
  run.add("setup notices the plugin", !changed && /as a plugin/.test(remark), remark);
  const { clients: [listed] } = await listClient(world);
  run.add("and lists it as connected", listed.connected && listed.hooks, listed.starts);
  // Setup first, the plugin later: as if it had come after.
  await hidePlugin(world, () => home.ctx("setup", client.name, "--no-check"));
  await trust(world, "setup's hooks");
  const { clients: [both] } = await listClient(world);
  run.add("setup says that there are two", /twice/.test(both.todo?.problem ?? ""), both.todo?.next);
  const { requests } = await holdSession(
    world,
    { prompt: asked[2], script: [{ text: "Thirty days." }] },
    "a session with both",
  );
  await home.waitForProcesses();
  const given = requests[0]?.text ?? "";
  run.add("it is given once", fencesIn(given) === 1, `fences ${fencesIn(given)}`);
  const starts = home.log("injections.ndjson").filter(({ event }) => event === "SessionStart");
  const of = new Set(starts.map(({ conversation }) => conversation));
  run.add(
    "a start is told once per session",
    starts.length === of.size,
    `${starts.length} starts of ${of.size} sessions`,
  );
}

// deno-lint-ignore no-explicit-any
async function listClient({ home, client }: ClientWorld): Promise<any> {
  const { clients } = await home.ctx("setup");
  return { clients: clients.filter((one: { client: string }) => one.client === client.name) };
}

/** The file that shows a client's plugin to setup is away for a moment. */
async function hidePlugin({ home, client }: ClientWorld, work: () => Promise<unknown>) {
  const base = `${home.root}/home`;
  const shown: Record<string, [string, RegExp]> = {
    "claude-code": [`${base}/.claude/settings.json`, /"ctx@ctx": true/],
    codex: [`${base}/.codex/config.toml`, /\[plugins\."ctx@ctx"\]\nenabled = true\n/],
    gemini: [`${base}/.gemini/extensions/ctx/gemini-extension.json`, /"name": "ctx"/],
    opencode: [`${base}/.config/opencode/opencode.json`, /,?\s*"plugin":\s*\[[^\]]*\]/],
  };
  const [path, mark] = shown[client.name];
  const text = Deno.readTextFileSync(path);
  const [found] = mark.exec(text) ?? [];
  if (found === undefined) throw new Error(`${path} does not show the plugin: ${text}`);
  const hidden: Record<string, string> = {
    "claude-code": '"ctx@ctx": false',
    gemini: '"name": "other", "was": 1',
  };
  Deno.writeTextFileSync(
    path,
    client.name === "gemini" ? "{}" : text.replace(found, hidden[client.name] ?? ""),
  );
  await work();
  const now = Deno.readTextFileSync(path);
  if (client.name === "gemini") Deno.writeTextFileSync(path, text);
  else if (client.name === "claude-code") {
    Deno.writeTextFileSync(path, now.replace('"ctx@ctx": false', found));
  } else if (client.name === "codex") Deno.writeTextFileSync(path, `${now}\n${found}`);
  else Deno.writeTextFileSync(path, now.replace(/\}\s*$/, `${found}}\n`));
}

/** Installs the plugin as its user would; says whether that went well. */
async function install(world: ClientWorld): Promise<boolean> {
  const { client, home, run, model } = world;
  const plugins = `${home.root}/packages/plugins`;
  const env = clientDrivers[client.name].env(model.url);
  const steps: Record<string, { words: string[]; stdin?: string }[]> = {
    "claude-code": [
      { words: ["plugin", "validate", "--strict", plugins] },
      { words: ["plugin", "validate", "--strict", `${plugins}/claude-code`] },
      { words: ["plugin", "marketplace", "add", plugins] },
      { words: ["plugin", "install", "ctx@ctx"] },
    ],
    codex: [
      { words: ["plugin", "marketplace", "add", plugins] },
      { words: ["plugin", "add", "ctx@ctx"] },
    ],
    gemini: [
      { words: ["extensions", "validate", plugins] },
      {
        words: ["extensions", "install", plugins, "--consent", "--skip-settings"],
        stdin: "y\ny\n",
      },
    ],
    opencode: [],
  };
  if (client.name === "opencode") {
    const path = `${home.root}/home/.config/opencode/opencode.json`;
    const config = JSON.parse(Deno.readTextFileSync(path));
    // From the packed directory: the registry has it from the first release on.
    Deno.renameSync(`${home.root}/packages/opencode`, `${home.root}/packages/ctx-opencode`);
    config.plugin = [`file://${home.root}/packages/ctx-opencode`];
    Deno.writeTextFileSync(path, JSON.stringify(config, null, 2));
  }
  for (const { words, stdin } of steps[client.name] ?? []) {
    const { code, stdout, stderr } = await home.run([...client.words, ...words], { env, stdin });
    run.add(words.slice(0, 2).join(" "), code === 0, `exit ${code}`, `${stdout}${stderr}`);
    if (code !== 0) return false;
  }
  await trust(world, "the plugin's hooks");
  return true;
}

/** Codex runs no hook that its user has not trusted: ctx says so until then. */
async function trust({ client, home, run }: ClientWorld, whose: string): Promise<void> {
  if (client.name !== "codex") return;
  const waiting = async () =>
    (await listCodexHooks(client, home)).filter(({ trustStatus }) => trustStatus !== "trusted");
  const says = async () => JSON.stringify((await home.ctx("status")).wrong).includes("trust them");
  const hooks = await waiting();
  run.add(`${whose} wait for trust`, hooks.length > 0 && await says(), `${hooks.length} hooks`);
  trustCodexHooks(home, hooks);
  const still = (await waiting()).length;
  run.add(`then Codex runs ${whose}`, still === 0 && !await says(), `${still} wait`);
}
