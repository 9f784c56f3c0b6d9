// `ctx start` as a new user meets it: a fresh home in which agents have worked, a project without a
// store, a terminal or none.

import assert from "node:assert/strict";
import { fillAgentHome } from "../../support/processes/agent_home.ts";
import { hasTmux, Pty } from "../../support/processes/pty.ts";
import { homeOf } from "../../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

interface Started {
  steps: { step: string; state: string; did?: string; undo?: string }[];
  pack?: string;
}

async function fresh(): Promise<TempStore> {
  const t = await tempStore({ init: false });
  fillAgentHome(homeOf(t.workspace), t.workspace);
  return t;
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

Deno.test("start does nothing where nobody can be asked, and names --yes", async () => {
  await using t = await fresh();
  const { code, stderr } = await t.ctx(["start"]);
  assert.equal(code, 10);
  assert.match(stderr, /there is no terminal to ask on[^]*hint: ctx start --yes/);
  assert.ok(!exists(`${t.workspace}/.contextfs`));
});

Deno.test("start --yes makes the store, imports, connects and packs; each step says how to undo it", async () => {
  await using t = await fresh();
  const first = await t.ctx(["start", "--yes", "--json"]);
  assert.equal(first.code, 0, first.stderr);
  const { steps, pack }: Started = JSON.parse(first.stdout);
  const states = Object.fromEntries(steps.map(({ step, state }) => [step, state]));
  assert.equal(states.store, "done");
  assert.equal(states.import, "done");
  assert.equal(states["connect Claude Code"], "done");
  assert.equal(states["connect Kiro"], "done");
  const byHand = steps.find(({ step }) => step === "connect by hand");
  assert.equal(byHand?.state, "nothing");
  assert.match(byHand?.did ?? "", /^Kilo, Cline, .*, OpenHands: add the command "ctx mcp" as an/);
  assert.ok(steps.filter(({ state }) => state === "done").every(({ undo }) => undo !== undefined));
  assert.match(pack ?? "", /^<ctx_memory/);
  const status = JSON.parse((await t.ctx(["status", "--json"])).stdout);
  assert.ok(status.entries > 20 && status.agents.length >= 4);

  const again: Started = JSON.parse((await t.ctx(["start", "--yes", "--json"])).stdout);
  assert.deepEqual(again.steps.filter(({ state }) => state === "done"), []);

  const claude = `${homeOf(t.workspace)}/.claude.json`;
  assert.match(Deno.readTextFileSync(claude), /"ctx"/);
  const { undo = "" } = steps.find(({ step }) => step === "connect Claude Code") ?? {};
  const removed = await t.ctx([...undo.split(" ").slice(1), "--yes"]);
  assert.equal(removed.code, 0, removed.stderr);
  assert.ok(!exists(claude) || !/"ctx"/.test(Deno.readTextFileSync(claude)));
});

Deno.test("start asks what concerns all agents once, and says which sessions came to nothing", async () => {
  await using t = await tempStore();
  const home = homeOf(t.workspace);
  fillAgentHome(home, t.workspace);
  // A conversation that was opened and left.
  const conversation = "99999999-9999-4999-8999-999999999999";
  const line = {
    ...{ type: "user", uuid: "u1", sessionId: conversation, cwd: t.workspace },
    ...{ timestamp: "2026-05-01T10:00:00.000Z", message: { role: "user", content: "" } },
  };
  Deno.mkdirSync(`${home}/.claude/projects/left`, { recursive: true });
  const file = `${home}/.claude/projects/left/${conversation}.jsonl`;
  Deno.writeTextFileSync(file, `${JSON.stringify(line)}\n`);
  const asked: string[] = [];
  const { steps } = await t.run<Started>("start", {}, {
    env: (name) => ({ HOME: home, CTX_EXECUTABLE: "/opt/ctx" })[name],
    consent: () => true,
    confirm: (question) => (asked.push(question), true),
  });
  const connected = asked.filter((question) => question.endsWith("Connect it?")).length;
  assert.ok(connected > 2, asked.join("\n"));
  assert.deepEqual(
    ["read-only tools", "once per session"].map((words) =>
      asked.filter((question) => question.includes(words)).length
    ),
    [1, 1],
  );
  assert.equal(asked.length, connected + 3);
  assert.match(
    steps[1].did ?? "",
    / sessions, \d+ sessions? had nothing new, \d+ records/,
  );
});

Deno.test("start asks all its questions before it does anything, and none while it works", async () => {
  await using t = await fresh();
  const home = homeOf(t.workspace);
  const asked: string[] = [];
  const made: boolean[] = [];
  const run = (answers: (question: string) => boolean): Promise<Started> =>
    t.run<Started>("start", {}, {
      env: (name) => ({ HOME: home, CTX_EXECUTABLE: "/opt/ctx" })[name],
      consent: () => true,
      confirm: (question) => {
        asked.push(question);
        const settings = [".claude.json", ".codex/config.toml", ".config/ctx/config.jsonc"];
        made.push([`${t.workspace}/.contextfs`, ...settings.map((name) => `${home}/${name}`)]
          .some(exists));
        return answers(question);
      },
    });
  const declined = await run(() => false);
  assert.deepEqual(declined.steps.map(({ step, state }) => [step, state]), [["store", "declined"]]);
  assert.equal(asked.length, 1);
  const { steps } = await run(() => true);
  assert.match(asked[1], /^Create a memory store for /);
  assert.match(asked[2], /^Found .* of this project\. Import them\?$/);
  assert.ok(asked.length > 6 && asked.at(-1)?.includes("once per session"), asked.join("\n"));
  assert.deepEqual(made, asked.map(() => false));
  assert.ok(steps.filter(({ state }) => state === "done").length > 4);
});

Deno.test("start --yes goes on past settings that cannot be edited, and says what was done", async () => {
  await using t = await fresh();
  const home = homeOf(t.workspace);
  for (const name of [".claude", ".gemini"]) Deno.mkdirSync(`${home}/${name}`, { recursive: true });
  Deno.writeTextFileSync(`${home}/.claude/settings.json`, "{ broken");
  Deno.writeTextFileSync(`${home}/.gemini/settings.json`, '{\n  "theme": "GitHub", // mine\n}\n');
  const { code, stdout } = await t.ctx(["start", "--yes", "--json"]);
  assert.equal(code, 9, "not everything was done");
  const { steps, pack }: Started = JSON.parse(stdout);
  const states = Object.fromEntries(steps.map(({ step, state, did }) => [step, [state, did]]));
  assert.deepEqual(states["connect Claude Code"], [
    "failed",
    `Cannot edit "${home}/.claude/settings.json", line 1: it is not a JSON object: ` +
    "correct the file first; it was not changed",
  ]);
  assert.deepEqual(states["connect Gemini CLI"], [
    "failed",
    `Cannot edit "${home}/.gemini/settings.json", line 2: Gemini CLI does not read a comma after ` +
    "the last item: remove it first; the file was not changed",
  ]);
  assert.equal(states.store[0], "done");
  assert.equal(states["connect Codex"][0], "done");
  assert.match(pack ?? "", /^<ctx_memory/);
  const said = (await t.ctx(["start", "--yes"])).stdout;
  assert.match(said, /✗ connect Claude Code +Cannot edit/);
  assert.match(said, /✓ connect Codex +is connected/);
});

Deno.test("setup alone lists the agents on this machine, and changes nothing", async () => {
  await using t = await fresh();
  const before = await t.ctx(["setup"]);
  assert.equal(before.code, 0, before.stderr);
  assert.match(before.stdout, /Claude Code +not connected +ctx setup claude-code\n/);
  assert.ok(!exists(`${homeOf(t.workspace)}/.claude.json`));
  await t.ctx(["setup", "claude-code", "--no-hooks", "--no-check"]);
  const after = await t.ctx(["setup"]);
  assert.match(
    after.stdout,
    /Claude Code +MCP only +no hooks, so nothing is captured: ctx setup/,
  );
  const bare = await t.ctx(["setup"], { env: { HOME: `${t.workspace}/nobody`, PATH: "/bin" } });
  assert.match(bare.stdout, /^No agent found on this machine\.\nnot found here: claude-code/);
});

Deno.test({
  name: "start on a terminal asks for each step; init says what it found and names start",
  ignore: !hasTmux(),
  async fn() {
    await using t = await fresh();
    {
      await using pty = await Pty.start(["init"], { cwd: t.workspace });
      await pty.until(/Found 2 claude-code sessions[^]*ctx\s+start\s+imports\s+them/);
    }
    await using pty = await Pty.start(["start", "--no-setup"], { cwd: t.workspace });
    await pty.until(/Found 2 claude-code sessions[^]*Import\s+them\?/);
    await pty.type("n");
    await pty.until(/exit 0/);
    assert.match(await pty.screen(), /import +not imported/);
    // Nothing is destroyed: Enter agrees.
    await using again = await Pty.start(["start", "--no-setup"], { cwd: t.workspace });
    await again.until(/Import\s+them\?\s+\[Y\/n\]/);
    await again.press("Enter");
    await again.until(/exit 0/);
    assert.match(await again.screen(), /import +\d+ entries/);
  },
});
