// Codex passes over hooks that its user has not trusted, in silence: ctx says so wherever it tells
// how an agent stands. The fingerprints are those that Codex 0.166 lists for these very hooks.

import assert from "node:assert/strict";
import { realPath } from "../../src/core/platform_path.ts";
import { findClients } from "../../src/setup/find_clients.ts";
import { findCodexTodo } from "../../src/setup/codex_trust.ts";
import { homeOf } from "../support/processes/run_ctx.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const known = [
  ["pre_tool_use", "88751dc4ccce2156d613f7630f1c78093bbe86e852171ec89358b341d94f7370"],
  ["session_start", "b47064d7ce54f059fba517650b7aa7a72f567ea1006e5d90c15ca591aa4549de"],
  ["session_end", "c468cf7f668f3f5addf10399d43b99988faf88f1a227cad343170af456e6e569"],
];
const toHook = (command: string, timeout: number): object => ({
  hooks: [{ type: "command", command, timeout }],
});
const hooks = {
  SessionStart: [
    toHook(
      "command -v /opt/ctx >/dev/null 2>&1 || exit 0; /opt/ctx hook codex || exit 1",
      10,
    ),
  ],
  SessionEnd: [toHook("/opt/ctx hook codex", 3)],
  PreToolUse: [{ matcher: "^apply_patch$", ...toHook("/opt/ctx hook pre-edit", 10) }],
  Stop: [toHook("say done", 5)],
};
const trust = "start codex, type /hooks and trust them";

Deno.test("findCodexTodo() compares Codex's own fingerprints, hook by hook", async () => {
  const home = realPath(Deno.makeTempDirSync({ prefix: "ctx-codex-" }));
  const place = { home, workspace: `${home}/project` };
  const write = (name: string, text: string): void => {
    Deno.mkdirSync(`${home}/.codex`, { recursive: true });
    Deno.writeTextFileSync(`${home}/.codex/${name}`, text);
  };
  const toStates = (some: string[][], rest = ""): string =>
    some.map(([event, hash]) =>
      `[hooks.state."${home}/.codex/hooks.json:${event}:0:0"]\ntrusted_hash = "sha256:${hash}"\n${rest}`
    ).join("\n");
  assert.equal(await findCodexTodo(place), undefined, "without hooks there is nothing to trust");
  write("hooks.json", JSON.stringify({ hooks }));
  const all = { problem: "Codex does not run its 3 hooks until you trust them", next: trust };
  assert.deepEqual(await findCodexTodo(place), all);
  write("config.toml", toStates(known.slice(1)));
  const one = { problem: "Codex does not run 1 of its 3 hooks until you trust them", next: trust };
  assert.deepEqual(await findCodexTodo(place), one);
  write("config.toml", toStates(known));
  assert.equal(await findCodexTodo(place), undefined);
  write("config.toml", toStates(known, "enabled = false\n"));
  assert.deepEqual(await findCodexTodo(place), {
    problem: "3 of 3 hooks are turned off in Codex",
    next: "start codex, type /hooks and turn them on",
  });
  write("config.toml", toStates(known));
  write("hooks.json", JSON.stringify({ hooks }).replace('"timeout":3', '"timeout":4'));
  assert.deepEqual(await findCodexTodo(place), one, "a changed hook has to be trusted again");
  write("config.toml", "broken = = toml");
  assert.equal(await findCodexTodo(place), undefined, "nothing is said that is not known");
  Deno.removeSync(home, { recursive: true });
});

Deno.test("the hooks of Codex's plugin wait for trust too, unless setup's are there", async () => {
  const home = realPath(Deno.makeTempDirSync({ prefix: "ctx-codex-" }));
  const place = { home, workspace: `${home}/project` };
  const kept = `${home}/.codex/plugins/cache/ctx/ctx/0.1.0/hooks`;
  Deno.mkdirSync(kept, { recursive: true });
  const command = "command -v ctx >/dev/null 2>&1 || exit 0; ctx hook plugin codex || exit 1";
  const SessionStart = [toHook(command, 10)];
  Deno.writeTextFileSync(`${kept}/hooks.json`, JSON.stringify({ hooks: { SessionStart } }));
  const configure = (...tables: string[]): void =>
    Deno.writeTextFileSync(`${home}/.codex/config.toml`, tables.join("\n"));
  const plugin = '[plugins."ctx@ctx"]\nenabled = true\n';
  configure(plugin);
  const waits = { problem: "Codex does not run its 1 hook until you trust them", next: trust };
  assert.deepEqual(await findCodexTodo(place), waits);
  const hash = "990adb261a7bda337d9062d2a75eebdd98709aeeee375fd3a7e1690aa3bd864c";
  configure(
    plugin,
    `[hooks.state."ctx@ctx:hooks/hooks.json:session_start:0:0"]\ntrusted_hash = "sha256:${hash}"`,
  );
  assert.equal(await findCodexTodo(place), undefined);
  const newer = kept.replace("0.1.0", "0.10.0");
  Deno.mkdirSync(newer, { recursive: true });
  Deno.writeTextFileSync(`${newer}/hooks.json`, JSON.stringify({ hooks }));
  const older = kept.replace("0.1.0", "0.9.0");
  Deno.mkdirSync(older, { recursive: true });
  assert.match((await findCodexTodo(place))?.problem ?? "", /its 4 hooks/, "the newest's");
  configure(plugin.replace("true", "false"));
  assert.equal(await findCodexTodo(place), undefined, "a plugin that is off has no hooks");
  configure(plugin);
  Deno.writeTextFileSync(`${home}/.codex/hooks.json`, JSON.stringify({ hooks }));
  assert.match(
    (await findCodexTodo(place))?.problem ?? "",
    /its 3 hooks/,
    "the plugin's are silent",
  );
  const [codex] = (await findClients(place)).filter(({ client }) => client === "codex");
  assert.match(codex.todo?.problem ?? "", /trust/, "before it is said that there are two");
  Deno.removeSync(home, { recursive: true });
});

Deno.test("start, setup, status and doctor say that Codex's hooks wait for trust", async () => {
  await using t = await tempStore({ init: false });
  const home = homeOf(t.workspace);
  Deno.mkdirSync(`${home}/.codex`, { recursive: true });
  const says = /Codex does not run its 8 hooks until you trust them.*start codex, type \/hooks/s;
  assert.match((await t.ctx(["start", "--yes"])).stdout, says);
  assert.match((await t.ctx(["start", "--yes"])).stdout, says, "also when it is connected already");
  const again = await t.ctx(["setup", "codex", "--no-check"]);
  assert.match(again.stdout, /codex: nothing to change/);
  assert.match(again.stdout, says);
  assert.match((await t.ctx(["setup"])).stdout, says);
  assert.match((await t.ctx(["status"])).stdout, says);
  const doctor = await t.ctx(["doctor"]);
  assert.equal(doctor.code, 0, "the store is sound all the same");
  assert.match(doctor.stdout, says);
  await t.ctx(["setup", "codex", "--remove", "--yes"]);
  assert.doesNotMatch((await t.ctx(["status"])).stdout, /Codex does not run/);
});
