// What hooks leave for later: records are derived when the agent has its answer, by another process
// where one can be started; and what the next start is told is kept ready, and is what the logs say.

import assert from "node:assert/strict";
import { takeLock } from "../../../src/disk/lock.ts";
import type { Entry } from "../../../src/core/entry.ts";
import { madeSession } from "../../support/stores/made_session.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";
import { spawnCtx } from "../../support/processes/run_ctx.ts";
import { startingEnv } from "../../support/processes/starting_env.ts";
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

const holder = { pid: Deno.pid, command: "test", since: "" };

/** Waits until nothing is left to do: for the lock of whoever is at it, then for what it kept. */
async function untilFollowed(t: TempStore): Promise<void> {
  const size = (): number => JSON.parse(t.read("state.json")).logs.hot.bytes;
  while (!t.exists("index/known.json") || settledAt(t) !== size()) {
    using _ = await takeLock(`${t.root}/.follow.lock`, { holder, timeoutMs: 60_000 });
  }
}

function settledAt(t: TempStore): number | undefined {
  return JSON.parse(t.read("index/known.json")).known.settled?.hot;
}

Deno.test("a start is answered before records are derived; another process derives them", {
  ignore: notOnWindows("a shell script stands for ctx"),
}, async () => {
  await using t = await tempStore({ entries: [...talk, { type: "note", text: "Use tabs" }] });
  {
    // While another process is at it, a process of its own waits for its turn.
    using _ = await takeLock(`${t.root}/.follow.lock`, { holder, timeoutMs: 1000 });
    const given = await start(t, startingEnv(t));
    assert.match(given, /Use tabs/);
    assert.doesNotMatch(given, /redis/);
  }
  await untilFollowed(t);
  assert.match(t.read("history.ndjson"), /"record":\{"by":"rules"/);
  assert.match(await start(t), /\] decision, .*let's use redis/);
  const before = t.read("history.ndjson");
  await start(t);
  assert.equal(t.read("history.ndjson"), before, "once settled, nothing is done");
});

Deno.test("the end of a session waits for a turn that is seen to; no agent waits for either", async () => {
  await using t = await tempStore({ entries: talk });
  const left = (moment: string): string =>
    JSON.stringify({
      workspace: t.workspace,
      agent: "claude-code",
      conversation: "S-made",
      moment,
    });
  let end;
  {
    using _ = await takeLock(`${t.root}/.follow.lock`, { holder, timeoutMs: 1000 });
    assert.equal((await t.ctx(["hook", "follow", left("turn")])).code, 0);
    await start(t);
    assert.equal(t.exists("index/known.json"), false, "one at a time");
    end = spawnCtx(["hook", "follow", left("end")], { cwd: t.workspace, stdin: "null" });
  }
  assert.equal((await end.output()).code, 0);
  assert.match(t.read("history.ndjson"), /"record":\{"by":"rules"/);
  assert.equal(settledAt(t), JSON.parse(t.read("state.json")).logs.hot.bytes);
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
  // Nothing is found by its id before it is written.
  assert.match(given.additionalContext, /\n- decision, .*let's use redis/);
  assert.equal(JSON.parse(shown).text, given.additionalContext);
  const later = JSON.parse(await hook("SessionStart", "third")).hookSpecificOutput;
  const id = /\[(H-\w+)\] decision, .*redis/.exec(later.additionalContext)?.[1] ?? "";
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
