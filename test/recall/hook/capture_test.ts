// Captures by hook, as agents call it, against a later `ctx import`: every turn once, under the same
// ids, nothing lost, and what went wrong is seen.

import assert from "node:assert/strict";
import { fillAgentHome } from "../../support/processes/agent_home.ts";
import { growOpencodeDatabase } from "../../intake/sources/database/databases.ts";
import { RawClient } from "../../serve/mcp/support.ts";
import { repository } from "../../support/repository.ts";
import { denoEnv, homeOf, runProcess, sourceCommand } from "../../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

interface Row {
  id: string;
  ts: string;
  role: string;
  type: string;
  text: string;
  session_id?: string;
  refs?: string[];
  source?: { agent: string; conversation: string };
}

const conversation = "3c07f08f-e544-47b9-898a-f169f651788c";

Deno.test("a prompt that comes before its transcript is held, and taken once", async () => {
  await using t = await tempStore();
  const claude = claudeHome(t);
  await hook(t, "claude-code", claude.message("SessionStart"));
  await hook(t, "claude-code", { ...claude.message("UserPromptSubmit"), prompt: "How to rotate?" });
  assert.deepEqual(rowsOf(t), []);
  assert.equal(held(t).length, 1);
  assert.equal((await sessionsOf(t)).length, 0);
  claude.write(["user", "How to rotate?"], ["assistant", "On every use."]);
  await hook(t, "claude-code", claude.message("Stop"));
  assert.deepEqual(rowsOf(t).map(({ text }) => text), ["How to rotate?", "On every use."]);
  assert.deepEqual(held(t), []);
  await saveAs(t, "claude-code", "Rotate on use");
  assert.equal(rowsOf(t)[2].session_id, rowsOf(t)[0].session_id);
  await hook(t, "claude-code", { ...claude.message("UserPromptSubmit"), prompt: "And then?" });
  claude.write(["user", "And then?"], ["assistant", "Revoke."]);
  await hook(t, "claude-code", claude.message("SessionEnd"));
  assert.deepEqual(rowsOf(t).slice(3).map(({ text }) => text), ["And then?", "Revoke."]);
  assert.deepEqual(held(t), []);
  await importsNothing(t, "claude-code");
  assert.equal((await sessionsOf(t)).length, 1);
});

Deno.test("captures have the ids that an import into another store gives", async () => {
  await using captured = await tempStore();
  await using imported = await tempStore();
  const claude = claudeHome(captured);
  const message = { ...claude.message("UserPromptSubmit"), prompt: "How to rotate?" };
  await hook(captured, "claude-code", message);
  claude.write(["user", "How to rotate?"]);
  await hook(captured, "claude-code", claude.message("Stop"));
  claude.write(["assistant", "On every use."]);
  await hook(captured, "claude-code", claude.message("Stop"));
  const words = ["import", "claude-code", "--all-projects", "--root", claude.transcript];
  assert.equal((await imported.ctx(words)).code, 0);
  const named = (row: Row) => [row.id, row.session_id, row.text];
  assert.deepEqual(rowsOf(captured).map(named), rowsOf(imported).map(named));
});

Deno.test("words whose transcript never came are taken after a day, in the session it would have", async () => {
  await using t = await tempStore();
  const claude = claudeHome(t);
  await hook(t, "claude-code", { ...claude.message("UserPromptSubmit"), prompt: "Lost words" });
  await hook(t, "claude-code", claude.message("Stop"));
  assert.deepEqual(rowsOf(t), []);
  makeOlder(t);
  await hook(t, "claude-code", claude.message("SessionStart"));
  const [row, ...others] = rowsOf(t);
  assert.deepEqual([others.length, row.role, row.text], [0, "user", "Lost words"]);
  assert.deepEqual(held(t), []);
  // A transcript that comes after all joins that session.
  claude.write(["user", "Found again"]);
  await hook(t, "claude-code", claude.message("Stop"));
  assert.deepEqual(new Set(rowsOf(t).map(({ session_id }) => session_id)).size, 1);
});

Deno.test("a thread in which Codex asks for a title leaves nothing, and what older versions held goes", async () => {
  await using t = await tempStore();
  const title =
    "Generate a concise, single-line task title of at most 36 characters. User prompt:\nhi";
  const say = (event: string, more: object) =>
    hook(t, "codex", {
      hook_event_name: event,
      session_id: "title-1",
      transcript_path: null,
      cwd: t.workspace,
      ...more,
    });
  await say("SessionStart", { source: "startup" });
  await say("UserPromptSubmit", { prompt: title });
  await say("Stop", { last_assistant_message: '{"title":"Say hi"}' });
  assert.deepEqual([rowsOf(t), held(t)], [[], []]);
  const { stdout: status } = await t.ctx(["status"]);
  assert.match(status, /problems +none\n$/);
  const words = { ts: "2026-01-01T00:00:00.000Z", agent: "codex", conversation: "title-0" };
  Deno.mkdirSync(`${t.root}/held`, { recursive: true });
  for (const [role, text] of [["user", title], ["assistant", '{"title":"Old"}']]) {
    const line = JSON.stringify({ ...words, role, text });
    Deno.writeTextFileSync(`${t.root}/held/${role}.ndjson`, `${line}\n`);
  }
  await say("SessionStart", { source: "startup" });
  assert.deepEqual([rowsOf(t), held(t)], [[], []]);
});

Deno.test("the sub-agents of a turn come in when it ends, as sessions of their own", async () => {
  await using t = await tempStore();
  const claude = claudeHome(t);
  claude.write(["user", "Count the forms"], ["assistant", "There are two."]);
  const directory = `${claude.transcript.replace(/\.jsonl$/, "")}/subagents`;
  Deno.mkdirSync(directory, { recursive: true });
  const task = {
    parentUuid: null,
    isSidechain: true,
    agentId: "a1b2c3d",
    type: "user",
    uuid: "s-1",
    sessionId: conversation,
    cwd: t.workspace,
    timestamp: new Date().toISOString(),
    message: { role: "user", content: "Look for forms." },
  };
  Deno.writeTextFileSync(`${directory}/agent-a1b2c3d.jsonl`, `${JSON.stringify(task)}\n`);
  await hook(t, "claude-code", claude.message("Stop"));
  assert.deepEqual(rowsOf(t).map(({ text }) => text).sort(), [
    "Count the forms",
    "Look for forms.",
    "There are two.",
  ]);
  const main = rowsOf(t).find(({ text }) => text === "Count the forms")?.session_id;
  assert.ok(t.read("sessions.ndjson").includes(`"parent":"${main}"`));
  await importsNothing(t, "claude-code");
});

Deno.test("words that a transcript lacks wait, although it is there", async () => {
  await using t = await tempStore();
  const claude = claudeHome(t, 72 * 3_600_000);
  claude.write(["user", "How to rotate?"], ["assistant", "On every use."]);
  await hook(t, "claude-code", { ...claude.message("UserPromptSubmit"), prompt: "Killed here" });
  await hook(t, "claude-code", claude.message("Stop"));
  assert.equal(held(t).length, 1);
  makeOlder(t);
  await hook(t, "claude-code", claude.message("SessionStart"));
  assert.deepEqual(rowsOf(t).map(({ text }) => text).sort(), [
    "How to rotate?",
    "Killed here",
    "On every use.",
  ]);
});

Deno.test("a transcript of which no line can be read is a failure that status tells, and the words wait", async () => {
  await using t = await tempStore();
  const claude = claudeHome(t);
  claude.write(["user", "x"]);
  Deno.writeTextFileSync(claude.transcript, "a form of tomorrow\n{\n");
  const words = { prompt: "Where to?", last_assistant_message: "There." };
  const { code, stdout, stderr } = await t.ctx(["hook", "claude-code"], {
    stdin: JSON.stringify({ ...claude.message("Stop"), ...words }),
  });
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /^ctx hook: Cannot read ".*": no readable line in it\n$/);
  assert.equal(held(t).length, 2);
  const { stdout: status } = await t.ctx(["status"]);
  assert.match(status, /problems +✗ claude-code: Stop at .* failed: Cannot read/);
});

Deno.test("a turn that no hook could find is told until its conversation, or everything, is captured", async () => {
  await using t = await tempStore();
  const claude = claudeHome(t);
  const other = claude.transcript.replace(conversation, "other");
  const lost = { ...claude.message("Stop"), session_id: "lost", transcript_path: `${other}-gone` };
  const wrong = async (): Promise<string> => {
    const { stdout } = await t.ctx(["status", "--json"]);
    return JSON.parse(stdout).problems.join();
  };
  await hook(t, "claude-code", { ...lost, hook_event_name: "SessionEnd" });
  assert.equal(await wrong(), "");
  await hook(t, "claude-code", lost);
  assert.match(await wrong(), /^claude-code: Stop at \S+ failed: there is no ".*-gone" yet/);
  // Another conversation that comes in says nothing of it.
  claude.write(["user", "Found"]);
  await hook(t, "claude-code", claude.message("Stop"));
  assert.match(await wrong(), /-gone/);
  assert.match((await t.ctx(["doctor"])).stdout, /-gone/);
  assert.equal((await t.ctx(["import", "claude-code", "--dry-run"])).code, 0);
  assert.match(await wrong(), /-gone/);
  assert.equal((await t.ctx(["import", "claude-code"])).code, 0);
  assert.equal(await wrong(), "");
  await hook(t, "claude-code", lost);
  await hook(t, "claude-code", { ...claude.message("SessionStart"), session_id: "next" });
  assert.equal(await wrong(), "");
});

Deno.test("a session that was killed is caught up when the next one starts; older ones are for import", async () => {
  await using t = await tempStore();
  const claude = claudeHome(t);
  claude.write(["user", "Killed before it could tell"]);
  const old = claude.transcript.replace(conversation, "old");
  const line = Deno.readTextFileSync(claude.transcript).replaceAll("u-1", "u-old");
  Deno.writeTextFileSync(old, line);
  Deno.utimeSync(old, new Date(), new Date(Date.now() - 72 * 3_600_000));
  const next = { session_id: "next", cwd: t.workspace, hook_event_name: "SessionStart" };
  // Captures of another session meanwhile do not hide it.
  t.write(
    "captures.ndjson",
    `${
      JSON.stringify({ event: "captured", ts: hoursAgo(-2), agent: "claude-code", hook: "Stop" })
    }\n`,
  );
  await hook(t, "claude-code", next);
  assert.deepEqual(rowsOf(t).map(({ text }) => text), ["Killed before it could tell"]);
  await hook(t, "claude-code", next);
  assert.equal(rowsOf(t).length, 1);
});

Deno.test("a catch-up that its limit cut short says nothing of success, and the next one goes on", async () => {
  await using t = await tempStore();
  const claude = claudeHome(t);
  claude.write(["user", "Killed before it could tell"]);
  const next = { session_id: "next", cwd: t.workspace, hook_event_name: "SessionStart" };
  const script = `${repository}/test/support/stores/catch_up.ts`;
  const [deno, run, ...flags] = sourceCommand.slice(0, -1);
  const { code, stdout } = await runProcess(
    [deno, run, ...flags, script, JSON.stringify(next)],
    { cwd: t.workspace, env: denoEnv(t.workspace) },
  );
  assert.deepEqual([code, stdout], [0, "0 entries caught up"]);
  const events = () => t.read("captures.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(events().map(({ event }) => event), ["live"]);
  assert.deepEqual(rowsOf(t), []);
  await hook(t, "claude-code", next);
  assert.deepEqual(rowsOf(t).map(({ text }) => text), ["Killed before it could tell"]);
  assert.equal(events().at(-1).event, "captured");
});

Deno.test("a hook that takes too long ends with 1, and status tells", async () => {
  await using t = await tempStore();
  t.write("config.jsonc", '{"lock_timeout_ms": 60000}');
  const claude = claudeHome(t);
  claude.write(["user", "Somebody else is writing"]);
  using lock = Deno.openSync(t.path(".lock"), { create: true, write: true });
  lock.lockSync(true);
  const { code, stdout, stderr } = await t.ctx(["hook", "claude-code"], {
    stdin: JSON.stringify(claude.message("Stop")),
    cwd: "/",
  });
  lock.close();
  const problem = "Cannot answer the agent: it took longer than 8 s";
  assert.deepEqual([code, stdout, stderr], [1, "", `ctx hook: ${problem}\n`]);
  assert.ok((await t.ctx(["status"])).stdout.includes(problem));
  await hook(t, "claude-code", claude.message("Stop"));
  assert.equal(rowsOf(t).length, 1);
  assert.equal((await t.ctx(["status"])).stdout.includes(problem), false);
});

for (
  const [agent, first, then] of [
    ["claude-code", { transcript_path: "~/.claude/projects/-work-app/CLAUDE.jsonl" }, undefined],
    ["codex", { "thread-id": "01990000-aaaa-7bbb-8ccc-ddddeeee0001" }, undefined],
    ["opencode", { session_id: "ses_db", hook_event_name: "Stop" }, "opencode"],
    ["cursor", { conversation_id: "c0ffee00-0000-4000-8000-000000000001" }, undefined],
    ["gemini", { session_id: "aaaa1111-0000-4000-8000-000000000001" }, undefined],
  ] as const
) {
  Deno.test(`${agent}: captured in steps, a later import of the conversation adds nothing`, async () => {
    await using t = await tempStore();
    const home = homeOf(t.workspace);
    const { opencode } = fillAgentHome(home, t.workspace);
    const id = "11111111-2222-4333-8444-555555555555";
    const message = JSON.parse(
      JSON.stringify(first).replace("~", home).replace("CLAUDE", id),
    );
    await hook(t, agent, { ...message, prompt: "not in the history", cwd: t.workspace });
    const before = rowsOf(t).length;
    assert.ok(before > 0);
    if (then === "opencode") growOpencodeDatabase(opencode);
    await hook(t, agent, { ...message, cwd: t.workspace });
    assert.equal(rowsOf(t).length, before + (then === undefined ? 0 : 1));
    const conversation = rowsOf(t)[0].source?.conversation ?? "";
    const { stdout } = await t.ctx(["import", agent, "--session", conversation, "--json"]);
    assert.deepEqual([JSON.parse(stdout).entries, JSON.parse(stdout).sessions], [0, 0]);
    const ids = rowsOf(t).map((row) => row.id);
    assert.equal(new Set(ids).size, ids.length);
  });
}

Deno.test("what an agent saves over MCP joins its live session, which its transcript joins later", async () => {
  await using t = await tempStore();
  const claude = claudeHome(t);
  const codex = { session_id: "thread-1", cwd: t.workspace, hook_event_name: "SessionStart" };
  await hook(t, "claude-code", claude.message("SessionStart"));
  await hook(t, "codex", codex);
  assert.equal((await sessionsOf(t)).length, 0);
  await saveAs(t, "claude-code", "Claude decided");
  await saveAs(t, "codex-mcp-client", "Codex decided");
  await saveAs(t, "gemini-cli-mcp-client", "Gemini decided");
  const [first, second, third] = rowsOf(t).map(({ session_id }) => session_id);
  assert.match(`${first} ${second}`, /^S-\S+ S-\S+$/);
  assert.notEqual(first, second);
  assert.equal(third, undefined);
  claude.write(["user", "Decide."], ["assistant", "Decided."]);
  await hook(t, "claude-code", claude.message("Stop"));
  const told = rowsOf(t).filter(({ text }) => /^Decide/.test(text));
  assert.deepEqual(told.map(({ session_id }) => session_id), [first, first]);
  await importsNothing(t, "claude-code");
  // Once it has ended, nothing joins it.
  await hook(t, "claude-code", claude.message("SessionEnd"));
  await saveAs(t, "claude-code", "After the end");
  assert.equal(rowsOf(t).at(-1)?.session_id, undefined);
});

Deno.test("a session that is told of and never says anything shows in no list", async () => {
  await using t = await tempStore();
  await hook(t, "claude-code", claudeHome(t).message("SessionStart"));
  await using client = new RawClient(t.workspace);
  await client.initialize("claude-code");
  const { result } = await client.call("save_memory", { text: "" });
  assert.equal(result.isError, true);
  assert.equal((await sessionsOf(t)).length, 0);
});

Deno.test("hooks that run at the same time take every turn over once", async () => {
  await using t = await tempStore();
  const claude = claudeHome(t);
  const turns = Array.from({ length: 40 }, (_, i) => `Turn ${i} about rotation`);
  claude.write(...turns.map((text) => ["user", text] as ["user", string]));
  const events = ["Stop", "SessionStart", "Stop", "SessionEnd", "PreCompact", "Stop"];
  await Promise.all(events.map((event) => hook(t, "claude-code", claude.message(event))));
  const taken = rowsOf(t).filter(({ source }) => source !== undefined);
  assert.deepEqual(taken.map(({ text }) => text), turns);
  assert.equal(new Set(rowsOf(t).map(({ id }) => id)).size, rowsOf(t).length);
});

Deno.test("a directory is no transcript: only the conversation itself is taken", async () => {
  await using t = await tempStore();
  const claude = claudeHome(t);
  claude.write(["user", "How to rotate?"]);
  const other = Deno.readTextFileSync(claude.transcript).replaceAll(conversation, "other")
    .replace("u-1", "o-1").replace("How to rotate?", "Of another one");
  Deno.writeTextFileSync(claude.transcript.replace(/[^/]*$/, "other.jsonl"), other);
  const directory = claude.transcript.replace(/\/[^/]*\/[^/]*$/, "");
  await hook(t, "claude-code", { ...claude.message("Stop"), transcript_path: directory });
  assert.deepEqual(rowsOf(t).map(({ text }) => text), ["How to rotate?"]);
});

Deno.test("forgetting a session forgets what of it is still held", async () => {
  await using t = await tempStore();
  const claude = claudeHome(t);
  claude.write(["user", "How to rotate?"], ["assistant", "On every use."]);
  await hook(t, "claude-code", claude.message("Stop"));
  const other = { ...claude.message("UserPromptSubmit"), session_id: "another" };
  await hook(t, "claude-code", { ...other, prompt: "Stays here" });
  const prompt = "The unlisted plan";
  await hook(t, "claude-code", { ...claude.message("UserPromptSubmit"), prompt });
  const session = rowsOf(t)[0].session_id ?? "";
  assert.equal((await t.ctx(["forget", "--session", session, "--now", "--yes"])).code, 0);
  assert.deepEqual(held(t).map(({ text }) => text), ["Stays here"]);
});

Deno.test("held words without a time that can be read do not stay for good", async () => {
  const words = { ts: "then", agent: "claude-code", conversation: "c", role: "user", text: "Old" };
  await using t = await tempStore();
  Deno.mkdirSync(t.path("held"));
  t.write("held/x.ndjson", JSON.stringify(words));
  await hook(t, "claude-code", claudeHome(t).message("Stop"));
  assert.deepEqual(heldNames(t), []);
});

async function saveAs(t: TempStore, name: string, text: string): Promise<void> {
  await using client = new RawClient(t.workspace);
  await client.initialize(name);
  const { result } = await client.call("save_memory", { text });
  assert.notEqual(result.isError, true);
}

/** Claude Code's place in the home of a store, with one conversation. */
function claudeHome(t: TempStore, ageMs = 0) {
  const directory = `${homeOf(t.workspace)}/.claude/projects/-work-app`;
  const transcript = `${directory}/${conversation}.jsonl`;
  let count = 0;
  return {
    transcript,
    message: (event: string) => ({
      session_id: conversation,
      transcript_path: transcript,
      cwd: t.workspace,
      hook_event_name: event,
    }),
    write(...turns: ["user" | "assistant", string][]) {
      Deno.mkdirSync(directory, { recursive: true });
      for (const [role, text] of turns) {
        count++;
        const line = {
          parentUuid: count === 1 ? null : `u-${count - 1}`,
          isSidechain: false,
          type: role,
          uuid: `u-${count}`,
          sessionId: conversation,
          cwd: t.workspace,
          timestamp: new Date(Date.now() - ageMs + count).toISOString(),
          message: { role, content: role === "user" ? text : [{ type: "text", text }] },
        };
        Deno.writeTextFileSync(transcript, `${JSON.stringify(line)}\n`, { append: true });
      }
    },
  };
}

async function hook(t: TempStore, agent: string, message: object): Promise<void> {
  const { code, stderr } = await t.ctx(["hook", agent], { stdin: JSON.stringify(message) });
  assert.deepEqual([code, stderr], [0, ""]);
}

function rowsOf(t: TempStore): Row[] {
  return t.read("history.ndjson").split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function heldNames(t: TempStore): string[] {
  try {
    return [...Deno.readDirSync(`${t.workspace}/.contextfs/held`)].map(({ name }) => name);
  } catch {
    return [];
  }
}

function held(t: TempStore): { text: string }[] {
  return heldNames(t).map((name) => JSON.parse(t.read(`held/${name}`)));
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}

/** As if what is held had been held for two days. */
function makeOlder(t: TempStore): void {
  const ts = hoursAgo(48);
  for (const name of heldNames(t)) {
    const path = `${t.workspace}/.contextfs/held/${name}`;
    Deno.writeTextFileSync(path, JSON.stringify({ ...JSON.parse(t.read(`held/${name}`)), ts }));
  }
}

async function sessionsOf(t: TempStore): Promise<unknown[]> {
  const { stdout } = await t.ctx(["sessions", "--json"]);
  return JSON.parse(stdout).sessions;
}

async function importsNothing(t: TempStore, agent: string): Promise<void> {
  const { stdout } = await t.ctx(["import", agent, "--json"]);
  const { entries, sessions } = JSON.parse(stdout);
  assert.deepEqual([entries, sessions], [0, 0]);
}
