// What hooks leave for later: records are derived when the agent has its answer, by another process
// where one can be started; and what the next start is told is kept ready, and is what the logs say.

import assert from "node:assert/strict";
import { takeLock } from "../../../src/disk/lock.ts";
import type { Entry } from "../../../src/core/entry.ts";
import { madeSession } from "../../support/stores/made_session.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const talk = madeSession([
  { user: "Where should the sessions of the login service live?" },
  { agent: "Both redis and postgres would do. Which one do you want?" },
  { user: "let's use redis for the session store instead of postgres, it expires keys itself" },
  { edit: "src/session_store.ts" },
  { run: "npm test", output: "Tests: 9 passed, 9 total" },
  { agent: "The session store writes to redis now, every key with a TTL of 3600." },
]);

async function start(t: TempStore, env: Record<string, string> = {}): Promise<string> {
  const message = { hook_event_name: "SessionStart", session_id: "c", cwd: t.workspace };
  const stdin = JSON.stringify(message);
  const { code, stdout, stderr } = await t.ctx(["hook", "opencode"], { stdin, env });
  assert.deepEqual([code, stderr], [0, ""]);
  return stdout;
}

/** Waits until nothing is left to do: for the lock of whoever is at it, then for what it kept. */
async function untilFollowed(t: TempStore): Promise<void> {
  const holder = { pid: Deno.pid, command: "test", since: "" };
  const revision = (): number => JSON.parse(t.read("state.json")).revision;
  while (!t.exists("index/known.json") || settledAt(t) !== revision()) {
    using _ = await takeLock(`${t.root}/.follow.lock`, { holder, timeoutMs: 60_000 });
  }
}

function settledAt(t: TempStore): number | undefined {
  return JSON.parse(t.read("index/known.json")).known.settled;
}

Deno.test("a start is answered before records are derived; another process derives them", async () => {
  await using t = await tempStore({ entries: [...talk, { type: "note", text: "Use tabs" }] });
  const given = await start(t, { CTX_HOOK_WAIT: "" });
  assert.match(given, /Use tabs/);
  assert.doesNotMatch(given, /redis/);
  await untilFollowed(t);
  assert.match(t.read("history.ndjson"), /"record":\{"by":"rules"/);
  assert.match(await start(t), /\] decision, .*let's use redis/);
  const before = t.read("history.ndjson");
  await start(t);
  assert.equal(t.read("history.ndjson"), before, "once settled, nothing is done");
});

Deno.test("what is left is not done twice at a time, nor lost when its process was killed", async () => {
  await using t = await tempStore({ entries: talk });
  const left = JSON.stringify({ workspace: t.workspace, agent: "opencode", moment: "start" });
  const holder = { pid: Deno.pid, command: "test", since: "" };
  {
    using _ = await takeLock(`${t.root}/.follow.lock`, { holder, timeoutMs: 1000 });
    assert.equal((await t.ctx(["hook", "follow", left])).code, 0);
    assert.doesNotMatch(t.read("history.ndjson"), /"record"/);
  }
  // A holder that is gone left the file behind.
  assert.equal((await t.ctx(["hook", "follow", left])).code, 0);
  assert.match(t.read("history.ndjson"), /"record":\{"by":"rules"/);
  assert.equal(settledAt(t), JSON.parse(t.read("state.json")).revision);
});

Deno.test("a turn's records are told to the next start, and written only then", async () => {
  await using t = await tempStore();
  const conversation = "0f0e0d0c-1111-4222-8333-444455556666";
  const folder = `${t.home}/.claude/projects/${t.workspace.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
  await Deno.mkdir(folder, { recursive: true });
  const transcript = `${folder}/${conversation}.jsonl`;
  await Deno.writeTextFile(
    transcript,
    talk.filter(({ type }) => type === "turn").map(({ role, text }, i) =>
      JSON.stringify({
        type: role,
        uuid: `00000000-0000-4000-8000-00000000000${i}`,
        sessionId: conversation,
        cwd: t.workspace,
        timestamp: new Date(Date.now() - 10_000_000 + i * 1000).toISOString(),
        message: { role, content: role === "user" ? text : [{ type: "text", text }] },
      }) + "\n"
    ).join(""),
  );
  const hook = async (event: string, session_id: string): Promise<string> => {
    const stdin = JSON.stringify({
      hook_event_name: event,
      session_id,
      cwd: t.workspace,
      ...(event === "Stop" ? { transcript_path: transcript } : {}),
    });
    const { code, stdout, stderr } = await t.ctx(["hook", "claude-code"], { stdin });
    assert.deepEqual([code, stderr], [0, ""]);
    return stdout;
  };
  await hook("Stop", conversation);
  assert.match(t.read("history.ndjson"), /use redis/);
  assert.doesNotMatch(t.read("history.ndjson"), /"record"/);
  const { stdout: shown } = await t.ctx(["context", "now", "--json"]);
  const given = JSON.parse(await hook("SessionStart", "another")).hookSpecificOutput;
  assert.match(given.additionalContext, /\] decision, .*let's use redis/);
  assert.equal(JSON.parse(shown).text, given.additionalContext);
  const id = /\[(H-\w+)\] decision/.exec(given.additionalContext)?.[1] ?? "";
  assert.match((await t.ctx(["get", id])).stdout, /redis/);
});

Deno.test("what is kept ready is what the logs say, whatever is saved, corrected or forgotten", async () => {
  const filler = Array.from({ length: 400 }, (_, i): Partial<Entry> => ({
    id: `H-f${i}`,
    role: "assistant",
    type: "turn",
    text: `${i} ${"words that nobody wants to know again ".repeat(24)}`,
  }));
  await using t = await tempStore({
    entries: [
      ...filler,
      { id: "H-a", type: "decision", text: "Sessions live in postgres" },
      { id: "H-b", type: "decision", text: "Sessions live in redis", supersedes: "H-a" },
      { id: "H-c", type: "note", text: "Deploys go out on Tuesdays" },
    ],
  });
  const pack = async (): Promise<string> => (await t.run<{ text: string }>("pack")).text;
  await pack();
  assert.ok(t.exists("index/known.json"), "a long log is not read twice");
  const steps: [what: string, step: () => Promise<unknown>, told: RegExp][] = [
    ["saved", () => t.run("save", { text: "Use tabs", type: "preference" }), /Use tabs/],
    ["corrected", () => t.run("save", { text: "On Fridays", supersedes: "H-c" }), /On Fridays/],
    ["forgotten", () => t.run("forget", { ids: ["H-c"] }), /On Fridays/],
    ["a correction forgotten", () => t.run("forget", { ids: ["H-b"] }), /postgres/],
    ["compacted", () => t.run("compact"), /postgres/],
  ];
  for (const [what, step, told] of steps) {
    await step();
    const ready = await pack();
    assert.match(ready, told, what);
    if (t.exists("index/known.json")) await Deno.remove(`${t.root}/index/known.json`);
    assert.equal(ready, await pack(), what);
  }
  assert.doesNotMatch(await pack(), /redis|Tuesdays/);
});
