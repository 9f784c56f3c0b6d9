// The plugin for OpenCode, loaded and driven as OpenCode does it, with a program in ctx's place that
// writes down what it is told.

import assert from "node:assert/strict";
import { realPath, toFileUrl } from "../../src/core/platform_path.ts";
import { notOnWindows } from "../support/not_on_windows.ts";
import { isOpencodePlugin, opencodePlugin } from "../../src/setup/opencode_plugin.ts";
import { removeTree } from "../support/remove_tree.ts";

interface Part {
  id: string;
  type: string;
  text: string;
  synthetic?: boolean;
}
interface Hooks {
  "experimental.session.compacting"(input: { sessionID: string }): Promise<void>;
  event(input: { event: { type: string; properties: object } }): Promise<void>;
  "chat.message"(
    input: { sessionID: string },
    output: { message: { id: string }; parts: Part[] },
  ): Promise<void>;
  "experimental.chat.system.transform"(
    input: { sessionID: string },
    output: { system: string[] },
  ): Promise<void>;
  dispose(): Promise<void>;
}

Deno.test("the plugin tells the start of a session once, each prompt, and the end of each turn", async () => {
  const answer = "{ hookEventName: event, additionalContext: `known: ${event}` }";
  await using plugin = await Plugin.load(
    `console.log(JSON.stringify({ hookSpecificOutput: ${answer} }));`,
  );
  const { hooks } = plugin;
  await hooks.event(created("s"));
  const parts = await plugin.prompt("s", "Which queue?");
  assert.deepEqual(parts.map(({ text, synthetic }) => [text, synthetic]), [
    ["Which queue?", undefined],
    ["known: UserPromptSubmit", true],
  ]);
  assert.ok(parts[1].id > parts[0].id, "it stands after what the user said");
  assert.deepEqual(await plugin.system("s", "You are opencode"), [
    "You are opencode",
    "known: SessionStart",
  ]);
  assert.deepEqual(await plugin.system("s", "You are a title generator."), [
    "You are a title generator.",
  ], "a title needs no memory");
  assert.deepEqual(await plugin.system("other", "You are opencode"), ["You are opencode"]);
  await plugin.prompt("s", "And now?");
  await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
  await hooks.dispose();
  const cwd = plugin.directory;
  const of = { session_id: "s", cwd };
  assert.deepEqual(plugin.told(), [
    { hook_event_name: "SessionStart", ...of, source: "startup" },
    { hook_event_name: "UserPromptSubmit", ...of, prompt: "Which queue?" },
    { hook_event_name: "UserPromptSubmit", ...of, prompt: "And now?" },
    { hook_event_name: "Stop", ...of },
    { hook_event_name: "SessionEnd", ...of },
  ]);
  assert.deepEqual(plugin.logged, []);
});

Deno.test("a session that was there before is a resumed one, and one of a subagent is told nothing", async () => {
  await using plugin = await Plugin.load("");
  const parent = { type: "session.created", properties: { info: { id: "c", parentID: "s" } } };
  await plugin.hooks.event({ event: parent });
  assert.equal((await plugin.prompt("c", "look it up")).length, 1);
  assert.equal((await plugin.prompt("s", "go on")).length, 1, "nothing known, nothing added");
  assert.deepEqual(await plugin.system("s", "You are opencode"), ["You are opencode"]);
  assert.deepEqual(plugin.told().map((one) => [one.session_id, one.source]), [
    ["s", "resume"],
    ["s", undefined],
  ]);
});

Deno.test("after a compaction the session is told anew", async () => {
  await using plugin = await Plugin.load("console.log(event);");
  await plugin.hooks.event(created("s"));
  await plugin.prompt("s", "one");
  await plugin.hooks["experimental.session.compacting"]({ sessionID: "s" });
  await plugin.system("s", "You are a context summarization agent.");
  assert.deepEqual(await plugin.system("s", "x"), ["x", "SessionStart"], "before the event");
  const compacted = { type: "session.compacted", properties: { sessionID: "s" } };
  await plugin.hooks.event({ event: compacted });
  assert.deepEqual(
    plugin.told().flatMap(({ source }) => source ?? []),
    ["startup", "compact"],
  );
});

Deno.test("what fails is in OpenCode's log once, and the session goes on", async () => {
  await using plugin = await Plugin.load(
    'console.error("ctx hook: the store is damaged"); Deno.exit(1);',
  );
  await plugin.hooks.event(created("s"));
  assert.equal((await plugin.prompt("s", "one")).length, 1);
  assert.deepEqual(await plugin.system("s", "x"), ["x"]);
  assert.deepEqual(plugin.logged, [{
    service: "ctx",
    level: "error",
    message: "ctx hook: the store is damaged",
  }]);
});

Deno.test("without ctx on the machine the session goes on, and nothing is logged", {
  ignore: notOnWindows("Deno reports no error code there for a missing program"),
}, async () => {
  await using plugin = await Plugin.load(undefined);
  assert.equal((await plugin.prompt("s", "one")).length, 1);
  assert.deepEqual(plugin.logged, []);
});

Deno.test("isOpencodePlugin() knows the plugin for any command, and no other file", () => {
  assert.ok(isOpencodePlugin(opencodePlugin(["/opt/it's/ctx", "hook", "opencode"])));
  assert.ok(!isOpencodePlugin("export const CtxPlugin = async () => ({});\n"));
});

function created(id: string): { event: { type: string; properties: object } } {
  return { event: { type: "session.created", properties: { info: { id } } } };
}

class Plugin implements AsyncDisposable {
  readonly logged: { message: unknown }[] = [];

  private constructor(readonly directory: string, public hooks: Hooks) {}

  /** With a script in ctx's place, that knows the `event`; undefined: with nothing there. */
  static async load(script: string | undefined): Promise<Plugin> {
    const directory = realPath(Deno.makeTempDirSync({ prefix: "ctx-plugin-" }));
    const told = JSON.stringify(`${directory}/told`);
    const lines = [
      "const line = (await new Response(Deno.stdin.readable).text()).trim();",
      "const event = JSON.parse(line).hook_event_name;",
      `Deno.writeTextFileSync(${told}, line + "\\n", { append: true });`,
      script,
    ];
    Deno.writeTextFileSync(`${directory}/told.mjs`, lines.join("\n"));
    const program = script === undefined
      ? ["/nowhere/ctx"]
      : [Deno.execPath(), "run", "-A", "--quiet", "--no-config", `${directory}/told.mjs`];
    const source = opencodePlugin([...program, "hook", "opencode"]);
    Deno.writeTextFileSync(`${directory}/ctx.js`, source);
    const { CtxPlugin } = await import(`${toFileUrl(directory)}/ctx.js`);
    const plugin = new Plugin(directory, {} as Hooks);
    const log = ({ body }: { body: { message: unknown } }): void => void plugin.logged.push(body);
    plugin.hooks = await CtxPlugin({ directory, client: { app: { log } } });
    return plugin;
  }

  async prompt(sessionID: string, text: string): Promise<Part[]> {
    const parts = [{ id: "prt_1", type: "text", text }];
    await this.hooks["chat.message"]({ sessionID }, { message: { id: "msg_1" }, parts });
    return parts;
  }

  async system(sessionID: string, first: string): Promise<string[]> {
    const system = [first];
    await this.hooks["experimental.chat.system.transform"]({ sessionID }, { system });
    return system;
  }

  told(): Record<string, string>[] {
    const lines = Deno.readTextFileSync(`${this.directory}/told`).split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return removeTree(this.directory);
  }
}
